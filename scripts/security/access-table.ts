/** Events that revoke access while an operation runs. */
export type AccessChange = 'rule' | 'right' | 'disabled' | 'signedOut' | 'removed' | 'expired' | 'noSharing' | 'scope' | 'replaced'

const CHANGES: Record<AccessChange, string> = {
  rule: 'a rule denies it',
  right: 'permission removed',
  disabled: 'account disabled',
  signedOut: 'session ended',
  removed: 'link deleted',
  expired: 'link expired',
  noSharing: 'owner’s share permission removed',
  scope: 'scope changed',
  replaced: 'shared folder replaced by another',
}

/** One row of the table of docs/security.md, measured by test/contract/access-changes.test.ts. */
export interface AccessRow {
  readonly says: string
  readonly by: readonly AccessChange[]
  /** What may still happen after the change was acknowledged. */
  readonly bites: string
  readonly ending: string
}

const BY_SESSION = ['rule', 'right', 'scope', 'disabled', 'signedOut'] as const
/** For operations that need no permission except to see the files. */
const BY_SEEING = ['rule', 'scope', 'disabled', 'signedOut'] as const
const FAILS =
  'the job fails with `access-changed` (without permission: `forbidden` or `download-refused`) and reports what was done; no further files are created'
const BREAKS = 'the connection is closed'

export const ACCESS_ROWS = {
  copy: { says: 'copy', by: BY_SESSION, bites: 'nothing; in a large file, one block', ending: FAILS },
  move: { says: 'move, file by file', by: BY_SESSION, bites: 'nothing; renaming a whole folder is one step', ending: FAILS },
  extract: { says: 'extract', by: BY_SESSION, bites: 'nothing', ending: FAILS },
  pack: { says: 'compress', by: BY_SESSION, bites: 'nothing; in a large file, one block', ending: FAILS },
  laidOut: { says: 'zip or tar download', by: BY_SESSION, bites: 'one MiB of the current file', ending: BREAKS },
  compressed: {
    says: 'compressed archive download',
    by: BY_SESSION,
    bites: 'one block of the current file, and the compressor’s buffer',
    ending: BREAKS,
  },
  shared: {
    says: 'archive download through a link',
    by: ['rule', 'scope', 'disabled', 'removed', 'expired', 'noSharing', 'replaced'],
    bites: 'as above; an expired link or a replaced folder: one second',
    ending: BREAKS,
  },
  recursive: { says: 'recursive listing', by: BY_SEEING, bites: 'nothing', ending: BREAKS },
  names: { says: 'search by name', by: BY_SEEING, bites: 'nothing', ending: 'denied files are not found; otherwise the request fails' },
  contents: {
    says: 'search inside files',
    by: BY_SESSION,
    bites: 'nothing',
    ending: 'denied files are not read; otherwise the request fails',
  },
  patch: {
    says: 'upload (PATCH of tus)',
    by: BY_SESSION,
    bites: 'what arrives while the change is looked up, which is never published',
    ending: 'the request is refused',
  },
  events: { says: 'folder events (`/api/live`)', by: BY_SEEING, bites: 'nothing', ending: 'the stream ends' },
} as const satisfies Record<string, AccessRow>

/** Not measured by the test. */
const OTHERS = [
  ['download of one file', 'any', 'the rest of this request', 'the next request is refused; the kernel sends an open file to its end'],
]

export function changeName(change: AccessChange): string {
  return CHANGES[change]
}

export function accessTable(): string {
  const rows = Object.values(ACCESS_ROWS).map(({ says, by, bites, ending }) => [says, by.map(changeName).join(', '), bites, ending])
  const lines = [['operation', 'event', 'what still happens', 'how it ends'], ['---', '---', '---', '---'], ...rows, ...OTHERS]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

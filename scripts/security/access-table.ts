/** What takes access away while something runs. */
export type AccessChange = 'rule' | 'right' | 'disabled' | 'signedOut' | 'removed' | 'expired' | 'noSharing'

const CHANGES: Record<AccessChange, string> = {
  rule: 'a rule that denies it',
  right: 'a right taken',
  disabled: 'the account disabled',
  signedOut: 'the session ended',
  removed: 'the link removed',
  expired: 'the link expired',
  noSharing: 'the owner’s right to share taken',
}

/** One row of the table of docs/security.md, measured by test/contract/access-now.test.ts. */
export interface AccessRow {
  readonly says: string
  readonly by: readonly AccessChange[]
  /** What may still be begun after the change was acknowledged. */
  readonly bites: string
  readonly ending: string
}

const BY_SESSION = ['rule', 'right', 'disabled', 'signedOut'] as const
/** What needs no right but to see the files. */
const BY_SEEING = ['rule', 'disabled', 'signedOut'] as const
const FAILS =
  'the job fails with `access-changed` (without a right `forbidden` or `download-refused`) and says what is done; nothing more is placed'
const BREAKS = 'the connection breaks off'

export const ACCESS_ROWS = {
  copy: { says: 'copy', by: BY_SESSION, bites: 'nothing; within a large file one block', ending: FAILS },
  move: { says: 'move, file by file', by: BY_SESSION, bites: 'nothing; a rename of a whole folder is one step', ending: FAILS },
  extract: { says: 'extract', by: BY_SESSION, bites: 'nothing', ending: FAILS },
  pack: { says: 'pack', by: BY_SESSION, bites: 'nothing; within a large file one block', ending: FAILS },
  laidOut: { says: 'zip or tar download', by: BY_SESSION, bites: 'one MiB of the file that is being sent', ending: BREAKS },
  compressed: {
    says: 'compressed archive download',
    by: BY_SESSION,
    bites: 'one block of the file that is being sent, and what the compressor holds',
    ending: BREAKS,
  },
  shared: {
    says: 'archive download through a link',
    by: ['rule', 'disabled', 'removed', 'expired', 'noSharing'],
    bites: 'as above; an expired link a second',
    ending: BREAKS,
  },
  recursive: { says: 'recursive listing', by: BY_SEEING, bites: 'nothing', ending: BREAKS },
  names: { says: 'search in names', by: BY_SEEING, bites: 'nothing', ending: 'what a rule denies is not found; else the answer fails' },
  contents: {
    says: 'search in contents',
    by: BY_SESSION,
    bites: 'nothing',
    ending: 'what a rule denies is not read; else the answer fails',
  },
  patch: {
    says: 'upload (PATCH of tus)',
    by: BY_SESSION,
    bites: 'what arrives while the change is looked up; never published',
    ending: 'the request is refused',
  },
  events: { says: 'folder events (`/api/live`)', by: BY_SEEING, bites: 'nothing', ending: 'the stream ends' },
} as const satisfies Record<string, AccessRow>

/** What no row measures. */
const OTHERS = [
  ['download of one file', 'any', 'the rest of this request', 'the next request is refused; an open file is sent by the kernel to its end'],
]

export function changeName(change: AccessChange): string {
  return CHANGES[change]
}

export function accessTable(): string {
  const rows = Object.values(ACCESS_ROWS).map(({ says, by, bites, ending }) => [says, by.map(changeName).join(', '), bites, ending])
  const lines = [
    ['what runs', 'what takes access away', 'what is still done', 'how it ends'],
    ['---', '---', '---', '---'],
    ...rows,
    ...OTHERS,
  ]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

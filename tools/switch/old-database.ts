import { createHash } from 'node:crypto'
import { writeBolt } from './bolt-file.ts'

export interface OldUser {
  readonly id: number
  readonly username: string
  /** A bcrypt hash. */
  readonly password: string
  readonly scope: string
  /** Where it differs from the usual rights. */
  readonly perm?: Partial<Record<keyof typeof PERM, boolean>>
}

export interface OldShare {
  readonly hash: string
  readonly path: string
  readonly userID: number
  readonly expire: number
  readonly password_hash?: string
  readonly token?: string
}

const PERM = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }

/** Writes what File Browser 2.63 would. */
export function writeOldDatabase(
  path: string,
  { users, shares, root = '' }: { users: readonly OldUser[]; shares: readonly OldShare[]; root?: string },
): void {
  writeBolt(path, {
    config: [
      [
        'settings',
        JSON.stringify({ authMethod: 'json', defaults: { scope: '.', locale: 'en', perm: PERM }, rules: [], minimumPasswordLength: 12 }),
      ],
      ['server', JSON.stringify({ root, baseURL: '', port: '8080', tokenExpirationTime: '2h' })],
      ['auther', '{"recaptcha":null}'],
    ],
    User: users.map((user) => [
      idKey(user.id),
      JSON.stringify({
        ...user,
        locale: 'en',
        lockPassword: false,
        viewMode: 'list',
        singleClick: false,
        redirectAfterCopyMove: false,
        perm: { ...PERM, admin: user.id === 1, ...user.perm },
        commands: [],
        sorting: { by: 'name', asc: false },
        rules: [],
        hideDotfiles: false,
        dateFormat: false,
        aceEditorTheme: '',
      }),
    ]),
    Link: shares.map((share) => [share.hash, JSON.stringify(share)]),
  })
}

/** Eight characters, as the old server makes them. */
export function hashFor(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, 6).toString('base64url')
}

function idKey(id: number): Buffer {
  const key = Buffer.alloc(8)
  key.writeBigUInt64BE(BigInt(id))
  return key
}

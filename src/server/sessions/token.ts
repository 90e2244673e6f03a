import type { FirstMinute, Permissions } from '../../shared/contract/users.ts'
import type { Account } from '../users/account.ts'

const HEADER = encode({ alg: 'HS256', typ: 'JWT' })
/** 32 bytes in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/

/**
 * An opaque token in the form of a JWT, because clients of the predecessor decode its middle part. The header and the claims are for display; the
 * server never reads them. Only the secret counts.
 */
export function writeToken(secret: string, { account, may, firstMinute = {}, issuedAt, expiresAt }: Display): string {
  const claims = {
    user: {
      id: account.id,
      locale: account.locale,
      viewMode: account.viewMode,
      singleClick: account.singleClick,
      redirectAfterCopyMove: account.redirectAfterCopyMove,
      perm: may,
      commands: account.commands,
      lockPassword: account.lockPassword,
      hideDotfiles: account.hideDotfiles,
      dateFormat: account.dateFormat,
      username: account.username,
      aceEditorTheme: account.aceEditorTheme,
      ...firstMinute,
    },
    iss: 'Satchel',
    exp: seconds(expiresAt),
    iat: seconds(issuedAt),
  }
  return `${HEADER}.${encode(claims)}.${secret}`
}

export interface Display {
  account: Account
  may: Permissions
  firstMinute?: FirstMinute
  issuedAt: Date
  expiresAt: Date
}

/** The secret in a token; null unless there are exactly three dot-separated parts and the last one has the form of a secret. */
export function secretIn(token: string): string | null {
  const parts = token.split('.', 4)
  const secret = parts[2] ?? ''
  return parts.length === 3 && SECRET.test(secret) ? secret : null
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}

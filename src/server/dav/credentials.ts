/** What a request presents in `Authorization`. */
export type Credentials =
  | { readonly kind: 'token'; readonly secret: string; readonly username: string | null }
  | { readonly kind: 'password'; readonly username: string; readonly password: string }

const TOKEN = 'satchel_'
/** RFC 6750, section 2.1, and RFC 7617, section 2; schemes are case-insensitive (RFC 9110, section 11.1). */
const AUTHORIZATION = /^(bearer|basic) +([A-Za-z0-9\-._~+/]+=*) *$/i

/** Null if there are none, or none that we know. Text is UTF-8, as our challenge says (RFC 7617, section 2.1). */
export function credentialsIn({ headers }: Request): Credentials | null {
  const [, scheme = '', value = ''] = AUTHORIZATION.exec(headers.get('authorization') ?? '') ?? []
  if (scheme.toLowerCase() === 'bearer') return value.startsWith(TOKEN) ? { kind: 'token', secret: value, username: null } : null
  if (scheme === '') return null
  const text = Buffer.from(value, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return null
  const [username, secret] = [text.slice(0, colon), text.slice(colon + 1)]
  return secret.startsWith(TOKEN) ? { kind: 'token', secret, username } : { kind: 'password', username, password: secret }
}

export const CHALLENGE = 'Basic realm="Satchel", charset="UTF-8"'

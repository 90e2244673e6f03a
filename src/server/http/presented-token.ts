import type { Sender } from './own-origin.ts'

/** An API token as a request presents it. */
export interface PresentedToken {
  readonly secret: string
  /** Given with it as in Basic; null if none was given. */
  readonly username: string | null
}

const TOKEN = 'satchel_'
/** RFC 6750, section 2.1, and RFC 7617, section 2; schemes are case-insensitive (RFC 9110, section 11.1). */
const AUTHORIZATION = /^(bearer|basic) +([A-Za-z0-9\-._~+/]+=*) *$/i

/**
 * The API token in `X-Auth`, in `Authorization: Bearer`, or as the password in `Authorization: Basic`; null if there is none. What is no token of ours is
 * left alone: a proxy in front may have a password of its own. If `X-Auth` is sent, it alone counts.
 *
 * Browsers remember the name and password of Basic and add them to requests of any page, so they do not count if a page of another origin sent the
 * request. Nobody's browser adds Bearer or `X-Auth` for another page. Neither addresses nor cookies are read: addresses are logged, and cookies
 * are sent for others.
 */
export function presentedTokenIn({ headers }: Request, { sender }: { sender: Sender }): PresentedToken | null {
  const own = headers.get('x-auth')
  if (own !== null && own !== '') return own.startsWith(TOKEN) ? { secret: own, username: null } : null
  const [, scheme = '', value = ''] = AUTHORIZATION.exec(headers.get('authorization') ?? '') ?? []
  if (scheme.toLowerCase() === 'bearer') return value.startsWith(TOKEN) ? { secret: value, username: null } : null
  if (scheme === '' || sender === 'foreign') return null
  return basicToken(Buffer.from(value, 'base64').toString('utf8'))
}

/** From `name:password`; a name has no colon. */
function basicToken(text: string): PresentedToken | null {
  const colon = text.indexOf(':')
  const secret = text.slice(colon + 1)
  return colon < 0 || !secret.startsWith(TOKEN) ? null : { secret, username: text.slice(0, colon) }
}

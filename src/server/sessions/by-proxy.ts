import { fail, isAppError, orElse } from '../../shared/errors.ts'
import type { Account } from '../users/account.ts'
import { NO_PASSWORD } from '../users/password.ts'
import type { Provisioning } from '../users/provision.ts'
import type { Users } from '../users/users.ts'

/** The headers of a call, and whether its sender may assert a user. */
export interface Assertion {
  readonly headers: Headers
  /** It came directly from a trusted proxy. */
  readonly trusted: boolean
}

export interface ProxySignInOptions {
  users: Users
  provisioning: Provisioning
  log: (line: string) => void
}

/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

export function isHeaderName(name: string): boolean {
  return TOKEN.test(name)
}

/**
 * Signs in the user that a trusted proxy names, creating an account at the first visit. The header is ignored from any other sender
 * (GHSA-xqp3-jq6g-x3qm). Fails with `invalid-input` for a header with several names. @returns null if nobody is named
 */
export function createProxySignIn({ users, provisioning, log }: ProxySignInOptions) {
  async function accountOf(username: string): Promise<Account> {
    const known = await users.findByName(username)
    if (known !== null) return known
    try {
      return await provisioning.provision({ username, password: { hash: NO_PASSWORD }, lockPassword: true, emptyHome: false })
    } catch (error) {
      // A concurrent call of the same person was faster.
      const made = isAppError(error, 'name-taken') ? await users.findByName(username) : null
      if (made === null) throw error
      return made
    }
  }

  return async ({ headers, trusted }: Assertion, header: string): Promise<Account | null> => {
    if (!isHeaderName(header)) throw new Error('authMethod proxy: auth.header is not the name of a header')
    const value = headers.get(header)
    if (value === null) return null
    if (!trusted) {
      log(`${header} ignored: it does not come from a trusted proxy`)
      return null
    }
    const username = textOf(value).trim()
    if (username === '') return null
    // A header that was sent twice arrives as one, with a comma.
    if (username.includes(',')) fail('invalid-input', { issues: ['the header of the proxy names more than one'] })
    const account = await accountOf(username)
    // The proxy may distinguish users that we would confuse: `Ann` does not sign in as `ann`.
    return account.username === username ? account : null
  }
}

/** Header values are bytes, read as one character each; proxies write UTF-8. */
function textOf(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  if (bytes.toString('latin1') !== value) return value
  return orElse(value, () => new TextDecoder('utf-8', { fatal: true }).decode(bytes))
}

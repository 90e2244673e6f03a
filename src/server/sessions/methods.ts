import { fail } from '../../shared/errors.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Account } from '../users/account.ts'
import { MAX_PASSWORD_LENGTH, NO_PASSWORD } from '../users/password.ts'
import { MAX_USERNAME_LENGTH, usernameKey } from '../users/username.ts'
import type { Users } from '../users/users.ts'
import { type Assertion, createProxySignIn, type ProxySignInOptions } from './by-proxy.ts'
import { createHookSignIn, type Credentials, type HookSignInOptions } from './by-hook.ts'
import type { CaptchaCheck } from './captcha.ts'
import type { DirectorySignIn } from './directory-sign-in.ts'
import type { Limiter } from './limiter.ts'
import { createNameGuard } from './name-guard.ts'

/** Credentials and context of a sign-in. */
export interface SignInAttempt extends Credentials {
  readonly captcha?: string | undefined
  readonly assertion?: Assertion
}

/** Who somebody is, and how that was found out. */
export interface Entered {
  readonly account: Account
  /** For the audit trail. */
  readonly method: string
  /** Kept with the session that opens (`onEntered`). */
  readonly carried?: string
}

/** Finds out who somebody is, by the configured method. */
export interface SignInMethods {
  /**
   * Fails with `wrong-credentials` or `too-many-requests`, and with directories also as `DirectorySignIn` does; unknown names take the same time.
   */
  enter(asked: SignInAttempt): Promise<Entered>
}

export interface MethodsOptions extends HookSignInOptions, ProxySignInOptions {
  users: Users
  settings: SettingsReader
  limiter: Limiter
  captcha: CaptchaCheck
  directories: () => DirectorySignIn
}

/** Without sign-in, everybody is the first account. */
const NOAUTH_USER = 1
/** With a directory, no refusal comes earlier: what was asked of whom must not show in the time. */
const REFUSED_AFTER_MS = 1000
const NO_ASSERTION: Assertion = { headers: new Headers(), trusted: false }

export function createSignInMethods(options: MethodsOptions): SignInMethods {
  const { users, settings, limiter, captcha, directories } = options
  const byHook = createHookSignIn(options)
  const byProxy = createProxySignIn(options)
  const refuseForeignName = createNameGuard(options.log)

  async function byCredentials({ username, password, ...asked }: SignInAttempt): Promise<Entered | null> {
    if (username.length > MAX_USERNAME_LENGTH) fail('invalid-input', { issues: [`username: too-long ${MAX_USERNAME_LENGTH}`] })
    if (password.length > MAX_PASSWORD_LENGTH) fail('invalid-input', { issues: [`password: too-long ${MAX_PASSWORD_LENGTH}`] })
    const attempt = await limiter.begin({ address: asked.address, account: usernameKey(username) })
    await captcha.check(asked.captcha)
    const entered = await prove({ username, password, address: asked.address })
    if (entered !== null) await attempt.succeeded()
    return entered
  }

  async function prove(given: Credentials): Promise<Entered | null> {
    const { username, password, address } = given
    const { authMethod, auth, providersOnly } = await settings.read()
    const hasDirectories = authMethod === 'json' && (await directories().isOn())
    // Before anything is looked up: the answer is the same for everybody.
    if (providersOnly && !hasDirectories) fail('forbidden', { right: 'password' })
    if (authMethod === 'hook') {
      // Some directories treat an empty password as an anonymous sign-in and accept it.
      const account = username === '' || password === '' ? null : await byHook(given, auth.command)
      return account === null ? null : { account, method: authMethod }
    }
    if (!hasDirectories) return ours(await users.prove(username, password, { address }))
    return withoutTelling(async () => {
      const account = providersOnly ? null : await users.prove(username, password, { address })
      return ours(account) ?? (await byDirectory(given, { providersOnly }))
    })
  }

  const ours = (account: Account | null): Entered | null => (account === null ? null : { account, method: 'json' })

  /** A password that is kept here is not sent to a directory, when it was mistyped: only whether one answers is found out, as for other names. */
  async function byDirectory(given: Credentials, { providersOnly }: { providersOnly: boolean }): Promise<Entered | null> {
    const named = providersOnly ? null : await users.findByName(given.username)
    const isKeptHere = named !== null && named.passwordHash !== NO_PASSWORD && !(await directories().keepsPasswordOf(named.id))
    if (!isKeptHere) return directories().enter(given)
    await directories().reach()
    return null
  }

  async function withoutTelling(work: () => Promise<Entered | null>): Promise<Entered | null> {
    const earliest = Bun.sleep(REFUSED_AFTER_MS)
    const result = await work().catch(async (error: unknown) => {
      await earliest
      throw error
    })
    if (result === null) await earliest
    return result
  }

  async function first(assertion: Assertion): Promise<Account> {
    refuseForeignName(assertion)
    const account = await users.find(NOAUTH_USER)
    if (account === null) throw new Error(`authMethod noauth: there is no account with the id ${NOAUTH_USER}`)
    return account
  }

  async function identify(asked: SignInAttempt): Promise<Entered | null> {
    const { authMethod, auth } = await settings.read()
    if (authMethod === 'noauth') return { account: await first(asked.assertion ?? NO_ASSERTION), method: authMethod }
    if (authMethod !== 'proxy') return byCredentials(asked)
    const account = await byProxy(asked.assertion ?? NO_ASSERTION, auth.header)
    return account === null ? null : { account, method: authMethod }
  }

  return {
    async enter(asked) {
      const entered = await identify(asked)
      return entered === null || entered.account.disabled ? fail('wrong-credentials', {}) : entered
    },
  }
}

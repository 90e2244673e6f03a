import { fail } from '../../shared/errors.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Account } from '../users/account.ts'
import { MAX_PASSWORD_LENGTH } from '../users/password.ts'
import { MAX_USERNAME_LENGTH, usernameKey } from '../users/username.ts'
import type { Users } from '../users/users.ts'
import { type Assertion, createProxySignIn, type ProxySignInOptions } from './by-proxy.ts'
import { createHookSignIn, type Credentials, type HookSignInOptions } from './by-hook.ts'
import type { CaptchaCheck } from './captcha.ts'
import type { Limiter } from './limiter.ts'
import { createNameGuard } from './name-guard.ts'

/** Credentials and context of a sign-in. */
export interface SignInAttempt extends Credentials {
  readonly captcha?: string | undefined
  readonly assertion?: Assertion
}

/** Finds out who somebody is, by the configured method. */
export interface SignInMethods {
  /** Fails with `wrong-credentials` or `too-many-requests`; unknown names take the same time. */
  enter(asked: SignInAttempt): Promise<Account>
}

export interface MethodsOptions extends HookSignInOptions, ProxySignInOptions {
  users: Users
  settings: SettingsReader
  limiter: Limiter
  captcha: CaptchaCheck
}

/** Without sign-in, everybody is the first account. */
const NOAUTH_USER = 1
const NO_ASSERTION: Assertion = { headers: new Headers(), trusted: false }

export function createSignInMethods(options: MethodsOptions): SignInMethods {
  const { users, settings, limiter, captcha } = options
  const byHook = createHookSignIn(options)
  const byProxy = createProxySignIn(options)
  const refuseForeignName = createNameGuard(options.log)

  async function byCredentials({ username, password, ...asked }: SignInAttempt): Promise<Account | null> {
    if (username.length > MAX_USERNAME_LENGTH) fail('invalid-input', { issues: [`username: too-long ${MAX_USERNAME_LENGTH}`] })
    if (password.length > MAX_PASSWORD_LENGTH) fail('invalid-input', { issues: [`password: too-long ${MAX_PASSWORD_LENGTH}`] })
    const attempt = limiter.begin({ address: asked.address, account: usernameKey(username) })
    await captcha.check(asked.captcha)
    const account = await prove({ username, password, address: asked.address })
    if (account !== null) attempt.succeeded()
    return account
  }

  async function prove({ username, password, address }: Credentials): Promise<Account | null> {
    const { authMethod, auth, providersOnly } = await settings.read()
    // Before anything is looked up: the answer is the same for everybody.
    if (providersOnly) fail('forbidden', { right: 'password' })
    if (authMethod !== 'hook') return users.prove(username, password, { address })
    // Some directories treat an empty password as an anonymous sign-in and accept it.
    return username === '' || password === '' ? null : byHook({ username, password, address }, auth.command)
  }

  async function first(assertion: Assertion): Promise<Account> {
    refuseForeignName(assertion)
    const account = await users.find(NOAUTH_USER)
    if (account === null) throw new Error(`authMethod noauth: there is no account with the id ${NOAUTH_USER}`)
    return account
  }

  return {
    async enter(asked) {
      const { authMethod, auth } = await settings.read()
      const account =
        authMethod === 'noauth'
          ? await first(asked.assertion ?? NO_ASSERTION)
          : authMethod === 'proxy'
            ? await byProxy(asked.assertion ?? NO_ASSERTION, auth.header)
            : await byCredentials(asked)
      return account === null || account.disabled ? fail('wrong-credentials', {}) : account
    },
  }
}

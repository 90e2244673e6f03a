import { fail } from '../../shared/errors.ts'
import { mayPeopleSignUp, type SettingsReader } from '../settings/settings.ts'
import type { PasswordPolicy } from '../users/policy.ts'
import type { Provisioning } from '../users/provision.ts'
import { MAX_USERNAME_LENGTH, usernameKey } from '../users/username.ts'
import type { CaptchaCheck } from './captcha.ts'
import type { Limiter } from './limiter.ts'

export interface Signup {
  /**
   * Creates an account for a visitor. Fails with `method-not-allowed` if signup is off, `too-many-requests`, `wrong-credentials` for the captcha,
   * `invalid-input`, and `name-taken` if the name or its home exists.
   */
  signUp(visitor: Visitor): Promise<void>
}

export interface Visitor {
  readonly username: string
  readonly password: string
  readonly captcha?: string | undefined
  /** The client's; null on a unix socket. */
  readonly address: string | null
}

export interface SignupOptions {
  settings: SettingsReader
  provisioning: Provisioning
  policy: PasswordPolicy
  captcha: CaptchaCheck
  /** Separate from sign-ins, so that signups cannot slow them down. */
  limiter: Limiter
}

export function createSignup({ settings, provisioning, policy, captcha, limiter }: SignupOptions): Signup {
  return {
    async signUp({ username, password, captcha: answer, address }) {
      if (!mayPeopleSignUp(await settings.read())) fail('method-not-allowed', { allow: [] })
      if (username.length > MAX_USERNAME_LENGTH) fail('invalid-input', { issues: [`username: too-long ${MAX_USERNAME_LENGTH}`] })
      // Never taken back: this slows down accounts that are created in a loop.
      await limiter.begin({ address, account: usernameKey(username) })
      await policy.check(password)
      await captcha.check(answer, { again: true })
      await provisioning.provision({ username, password: { text: password }, lockPassword: false, emptyHome: true, address })
    },
  }
}

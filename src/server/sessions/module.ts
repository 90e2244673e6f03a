import type { Kysely } from 'kysely'
import type { Bus } from '../bus/bus.ts'
import type { Schema } from '../db/schema.ts'
import type { SecondFactors } from '../factors/module.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { GrantedTo } from '../users/access-of.ts'
import type { Account } from '../users/account.ts'
import type { PasswordPolicy } from '../users/policy.ts'
import type { Provisioning } from '../users/provision.ts'
import type { Users } from '../users/users.ts'
import { createCaptchaCheck } from './captcha.ts'
import type { DirectorySignIn } from './directory-sign-in.ts'
import type { Limits } from './limiter.ts'
import type { Limiters } from './limiters.ts'
import { createNdjsonClients } from './ndjson-clients.ts'
import { createSignInMethods, type SignInAttempt } from './methods.ts'
import type { RunHook } from './run-hook.ts'
import { createSessions } from './sessions.ts'
import { createSignup } from './signup.ts'

export interface SessionsModuleOptions {
  readonly db: Kysely<Schema>
  readonly bus: Bus
  readonly clock: () => Date
  readonly log: (line: string) => void
  readonly users: Users
  readonly policy: PasswordPolicy
  readonly provisioning: Provisioning
  readonly settings: SettingsReader
  readonly factors: SecondFactors
  readonly grantedTo: GrantedTo
  readonly run: RunHook
  /** Asked only while the server runs. */
  readonly directories: () => DirectorySignIn
  readonly lifetimeMs: number
  readonly limiters: Limiters
  readonly limits: Limits | undefined
  readonly captchaHosts: readonly string[] | undefined
}

/** Signing in and signing up. */
export function createSessionsModule(options: SessionsModuleOptions) {
  const {
    db,
    bus,
    clock,
    log,
    users,
    policy,
    provisioning,
    settings,
    grantedTo,
    run,
    factors,
    directories,
    lifetimeMs,
    limiters,
    limits,
    captchaHosts,
  } = options
  const codeLimiter = limiters('code', limits)
  const limiter = limiters('password', limits)
  const captcha = createCaptchaCheck({ settings, clock, hosts: captchaHosts })
  const methods = createSignInMethods({ users, bus, settings, provisioning, policy, limiter, captcha, directories, run, log })
  const sessions = createSessions({
    db,
    bus,
    users,
    settings,
    grantedTo,
    limiter,
    codeLimiter,
    factors,
    methods,
    directories,
    clock,
    lifetimeMs,
    log,
  })
  return {
    services: {
      sessions,
      /** Proves a password by the configured method, without opening a session. Fails as signing in does. */
      prove: async (given: SignInAttempt): Promise<Account> => (await methods.enter(given)).account,
      signup: createSignup({ settings, provisioning, policy, captcha, limiter: limiters('sign-up') }),
      ndjsonClients: createNdjsonClients(db),
    },
    sweeps: { sessions: sessions.sweep },
  }
}

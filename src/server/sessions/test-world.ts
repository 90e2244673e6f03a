import { isAppError } from '../../shared/errors.ts'
import { createMemoryBus } from '../bus/memory.ts'
import { openTestDatabase } from '../db/test-database.ts'
import { createFactorsModule } from '../factors/module.ts'
import { createSettings } from '../settings/store.ts'
import { createPasswords } from '../users/password.ts'
import { createPasswordPolicy } from '../users/policy.ts'
import { createProvisioning } from '../users/provision.ts'
import { NOTHING_GRANTED } from '../users/access-of.ts'
import { createUsers } from '../users/users.ts'
import { createCaptchaCheck } from './captcha.ts'
import { NO_DIRECTORIES } from './directory-sign-in.ts'
import { createLimiter } from './limiter.ts'
import { createSignInMethods } from './methods.ts'
import { createSessions } from './sessions.ts'
import { createSignup } from './signup.ts'

export const HOUR_MS = 3600_000
export const DAY_MS = 24 * HOUR_MS
export const PASSWORD = 'correct horse battery'
export const FROM = { address: '192.0.2.1', userAgent: 'test' }
/** The context of a client that is not our web application. */
export const PLAIN = { web: false, from: FROM }

/** Users and their sessions over an in-memory database, with a clock that the test moves. */
export async function createWorld({ lifetimeMs = 2 * HOUR_MS }: { lifetimeMs?: number } = {}) {
  let now = Date.parse('2026-11-21T00:00:00Z')
  const clock = () => new Date(now)
  const db = await openTestDatabase({ clock })
  const bus = createMemoryBus()
  const passwords = createPasswords({ cost: { memoryKiB: 8, passes: 1 } })
  const users = createUsers({ db, bus, passwords, clock })
  const settings = createSettings({ db, bus, clock })
  const logged: string[] = []
  const log = (line: string) => void logged.push(line)
  const homes = { isThere: async () => false, make: async () => {} }
  const provisioning = createProvisioning({ users, bus, settings, homes })
  const policy = createPasswordPolicy({ settings })
  const run = async () => ({ code: 1, stdout: '' })
  const factors = createFactorsModule({ db, bus, users, settings, clock })
  const build = () => {
    const limiter = createLimiter({ clock })
    const captcha = createCaptchaCheck({ settings, clock })
    const methods = createSignInMethods({
      users,
      bus,
      settings,
      provisioning,
      policy,
      limiter,
      captcha,
      run,
      log,
      directories: () => NO_DIRECTORIES,
    })
    const codeLimiter = createLimiter({ clock })
    return createSessions({
      db,
      bus,
      users,
      settings,
      grantedTo: async () => NOTHING_GRANTED,
      limiter,
      codeLimiter,
      factors,
      methods,
      directories: () => NO_DIRECTORIES,
      clock,
      lifetimeMs,
      log,
    })
  }
  const sessions = build()
  const signup = createSignup({
    settings,
    provisioning,
    policy,
    captcha: createCaptchaCheck({ settings, clock }),
    limiter: createLimiter({ clock }),
  })

  async function addUser(username: string, rights: { admin?: boolean } = {}) {
    const { defaults } = await settings.read()
    const perm = { ...defaults.perm, admin: rights.admin ?? false }
    return users.create({ ...defaults, username, password: PASSWORD, perm, lockPassword: false, rules: [] })
  }

  return {
    db,
    users,
    settings,
    ...factors,
    sessions,
    signup,
    logged,
    clock,
    pass: (ms: number) => void (now += ms),
    /** As after a restart: only the database is kept. */
    restarted: build,
    addUser,
    signIn: (username: string, { web = false } = {}) => sessions.signIn({ username, password: PASSWORD, web, from: FROM }),
    /** The id of a token's session. */
    idOf: async (token: string, ...cookies: string[]) => (await sessions.identify({ token, cookies }))?.sessionId ?? 'none',
    /** The username of a token; null if it is invalid. */
    whose: async (token: string, ...cookies: string[]) => (await sessions.identify({ token, cookies }))?.username ?? null,
  }
}

/** The error code with which an operation failed; `none` if it succeeded. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'none'
  } catch (error) {
    if (isAppError(error)) return error.code
    throw error
  }
}

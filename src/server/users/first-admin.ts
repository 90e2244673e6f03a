import { randomBytes } from 'node:crypto'
import { WelcomeStep } from '../../shared/contract/users.ts'
import { isAppError } from '../../shared/errors.ts'
import { ALL_RIGHTS } from '../access/permissions.ts'
import { hashOf } from '../db/secret.ts'
import type { Settings } from '../settings/settings.ts'
import type { SettingsStore } from '../settings/store.ts'
import type { Secret, Users } from './users.ts'

/**
 * Creates an administrator at the first start, if there is no account at all.
 * @returns the generated password, to be printed once; null if one was given or there are accounts already
 */
export async function ensureAdmin({ users, settings, username = 'admin', password: given }: EnsureAdminOptions): Promise<string | null> {
  if (await users.any()) return null
  const { defaults } = await settings.read()
  const password = given?.() ?? null
  const madeUp = password === null ? randomBytes(15).toString('base64url') : null
  const secret = password ?? madeUp ?? ''
  try {
    const { id, passwordHash } = await users.create({
      ...defaults,
      username,
      password: secret,
      scope: '.',
      lockPassword: false,
      perm: ALL_RIGHTS,
      rules: [],
    })
    await settings.change((before) => begun(before, madeUp === null ? null : { id, passwordHash }))
  } catch (error) {
    // Another process was faster.
    if (isAppError(error, 'name-taken')) return null
    throw error
  }
  return madeUp
}

/** Settings of a fresh installation: the system's theme (decision 045), and what follows from a printed password (decision 067). */
function begun(before: Settings, printed: { id: number; passwordHash: string } | null): Settings {
  const { branding } = before
  return {
    ...before,
    ...(printed !== null && {
      printedPassword: hashOf(printed.passwordHash),
      welcome: { userId: printed.id, steps: [...WelcomeStep.options] },
    }),
    branding: { ...branding, theme: branding.theme === '' ? 'system' : branding.theme },
  }
}

export interface EnsureAdminOptions {
  users: Users
  settings: SettingsStore
  username?: string
  /** The operator's password, which is never printed; only called if needed. Without one, a password is generated. */
  password?: () => string | Secret | null
}

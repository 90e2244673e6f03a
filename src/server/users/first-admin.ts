import { randomBytes } from 'node:crypto'
import { isAppError } from '../../shared/errors.ts'
import { ALL_RIGHTS } from '../access/permissions.ts'
import { hashOf } from '../db/secret.ts'
import type { Settings, SettingsStore } from '../settings/settings.ts'
import type { Secret, Users } from './users.ts'

/**
 * At the first start there must be somebody who can sign in: makes an administrator where there is no account at all.
 * @returns the password that was made up and has to be told once; null when one was given or there are accounts already
 */
export async function ensureAdmin({ users, settings, username = 'admin', password: given }: EnsureAdminOptions): Promise<string | null> {
  if (await users.any()) return null
  const { defaults } = await settings.read()
  const password = given?.() ?? null
  const madeUp = password === null ? randomBytes(15).toString('base64url') : null
  const secret = password ?? madeUp ?? ''
  try {
    const { passwordHash } = await users.create({
      ...defaults,
      username,
      password: secret,
      scope: '.',
      lockPassword: false,
      perm: ALL_RIGHTS,
      rules: [],
    })
    await settings.change((before) => begun(before, madeUp === null ? '' : hashOf(passwordHash)))
  } catch (error) {
    // Another process was faster.
    if (isAppError(error, 'name-taken')) return null
    throw error
  }
  return madeUp
}

/** A fresh installation: dark where the person's system is (decision 045), and aware of the password that stands in a log. */
function begun(before: Settings, printedPassword: string): Settings {
  const { branding } = before
  return { ...before, printedPassword, branding: { ...branding, theme: branding.theme === '' ? 'system' : branding.theme } }
}

export interface EnsureAdminOptions {
  users: Users
  settings: SettingsStore
  username?: string
  /** What the operator gave, which is told nobody; asked only where it is needed. Without one, one is made up. */
  password?: () => string | Secret | null
}

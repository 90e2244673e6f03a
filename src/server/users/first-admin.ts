import { randomBytes } from 'node:crypto'
import { isAppError } from '../../shared/errors.ts'
import { ALL_RIGHTS } from '../access/permissions.ts'
import type { SettingsReader } from '../settings/settings.ts'
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
    await users.create({ ...defaults, username, password: secret, scope: '.', lockPassword: false, perm: ALL_RIGHTS, rules: [] })
  } catch (error) {
    // Another process was faster.
    if (isAppError(error, 'name-taken')) return null
    throw error
  }
  return madeUp
}

export interface EnsureAdminOptions {
  users: Users
  settings: SettingsReader
  username?: string
  /** What the operator gave, which is told nobody; asked only where it is needed. Without one, one is made up. */
  password?: () => string | Secret | null
}

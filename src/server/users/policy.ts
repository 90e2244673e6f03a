import { fail } from '../../shared/errors.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { passwordProblem } from './password.ts'

export type PasswordPolicy = ReturnType<typeof createPasswordPolicy>

/** The checks for every new password, whoever sets it and wherever (GHSA-cm2r-rg7r-p7gg). Existing ones remain valid. */
export function createPasswordPolicy({ settings }: { settings: SettingsReader }) {
  return {
    /**
     * Fails with `invalid-input` for a password that the settings or common sense forbid. The issue is one of `empty`, `too-short <bytes>`, `too-long
     * <characters>` and `too-common`, after the field's name, so that clients can translate it.
     */
    async check(password: string, field: string = 'password'): Promise<void> {
      const issue = await passwordIssue(password, await settings.read())
      if (issue !== null) fail('invalid-input', { issues: [`${field}: ${issue}`] })
    },
  }
}

/**
 * Why this cannot be a new password; null if it can. The minimum length counts in UTF-8 bytes, as with the predecessor. There is no limit of 72
 * bytes, which is bcrypt's: new passwords are hashed with argon2id.
 */
export async function passwordIssue(
  password: string,
  { minimumPasswordLength }: { minimumPasswordLength: number },
): Promise<string | null> {
  const problem = passwordProblem(password)
  if (problem !== null) return problem
  if (Buffer.byteLength(password) < minimumPasswordLength) return `too-short ${minimumPasswordLength}`
  return (await commonPasswords()).has(password.toLowerCase()) ? 'too-common' : null
}

let common: Promise<ReadonlySet<string>> | null = null

/** Fifty thousand of them, loaded on demand. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']))
  return common
}

import { isAppError } from '../../../shared/errors.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { passwordError } from '../../widgets/password-error.ts'

export interface Entry {
  readonly username: string
  readonly password: string
  /** The password once more; only asked for when signing up. */
  readonly confirmation: string
}

/** What stands in the way: a sentence above the button with a second line, or words at single fields. */
export interface Trouble {
  readonly box?: { text: string; more: string | null }
  readonly username?: string
  readonly password?: string
  readonly confirmation?: string
}

/** What can be said about a signup before anything is sent; null when nothing is wrong. */
export function signupTrouble({ username, password, confirmation }: Entry): Trouble | null {
  if (username.trim() === '') return { username: t('login.enter-username') }
  if (password === '') return { password: t('login.enter-password') }
  return password === confirmation ? null : { confirmation: t('password.differ') }
}

/** A refused sign-in: the specified words, and what they leave out in a second line. */
export function loginFailure(error: unknown): Trouble {
  const more = isAppError(error, 'offline') ? t('login.offline') : isAppError(error, 'too-many-requests') ? errorText(error) : null
  return { box: { text: t('error.wrong-credentials'), more } }
}

/** A refused signup: a taken name and a weak password belong to their fields. */
export function signupFailure(error: unknown): Trouble {
  if (isAppError(error, 'name-taken')) return { username: t('error.name-taken') }
  if (isAppError(error, 'method-not-allowed')) return { box: { text: t('error.wrong-credentials'), more: t('login.signup.off') } }
  const issues = isAppError(error, 'invalid-input') ? error.detail.issues : []
  const password = passwordError(error)
  if (password !== null) return { password }
  if (issues.some((one) => one.startsWith('username:'))) return { username: t('login.username-refused') }
  return loginFailure(error)
}

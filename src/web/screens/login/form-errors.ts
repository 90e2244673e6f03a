import { isAppError } from '../../../shared/errors.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { feedbackOf } from '../../widgets/new-password.ts'
import { passwordError } from '../../widgets/password-error.ts'

export interface Entry {
  readonly username: string
  readonly password: string
  /** Repeated password, when signing up. */
  readonly confirmation: string
}

/** Errors of the form: a message above the button with an optional second line, or messages at fields. */
export interface FormErrors {
  readonly box?: { text: string; more: string | null }
  readonly username?: string
  readonly password?: string
  readonly confirmation?: string
}

/** Client-side validation of a sign-up; null if it is valid. */
export function validateSignup(entry: Entry, { minimumLength }: { minimumLength: number }): FormErrors | null {
  if (entry.username.trim() === '') return { username: t('login.enter-username') }
  const { passwordError: password, confirmationError: confirmation } = feedbackOf(entry, { minimumLength, isTried: true, refused: null })
  if (password !== null) return { password }
  return confirmation === null ? null : { confirmation }
}

/** The error of a rejected sign-in. */
export function loginErrors(error: unknown): FormErrors {
  // The credentials were not checked.
  if (isAppError(error, 'offline')) return { box: { text: t('login.offline'), more: null } }
  if (isAppError(error, 'directory-away') || isAppError(error, 'directory-refused')) return { box: { text: errorText(error), more: null } }
  const more = isAppError(error, 'too-many-requests') ? errorText(error) : null
  return { box: { text: t('error.wrong-credentials'), more } }
}

/** The errors of a rejected sign-up; a taken name and a weak password are shown at their fields. */
export function signupErrors(error: unknown): FormErrors {
  if (isAppError(error, 'name-taken')) return { username: t('error.name-taken') }
  if (isAppError(error, 'method-not-allowed')) return { box: { text: t('error.wrong-credentials'), more: t('login.signup.off') } }
  const issues = isAppError(error, 'invalid-input') ? error.detail.issues : []
  const password = passwordError(error)
  if (password !== null) return { password }
  if (issues.some((one) => one.startsWith('username:'))) return { username: t('login.username-refused') }
  return loginErrors(error)
}

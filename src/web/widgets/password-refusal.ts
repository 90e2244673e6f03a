import { isAppError } from '../../shared/errors.ts'
import { t } from '../i18n/i18n.tsx'

/** Why the server's policy refused a new password (`password: too-short 12`), in words for its field; null for every other failure. */
export function passwordRefusal(error: unknown): string | null {
  if (!isAppError(error, 'invalid-input')) return null
  const issue = error.detail.issues.map((one) => /^(?:data\.)?password: ([a-z-]+) ?(\d+)?/.exec(one)).find((one) => one !== null)
  if (issue === undefined) return null
  const [, problem = '', length] = issue
  if (problem === 'too-short') return t('password.too-short', { count: Number(length) })
  if (problem === 'too-long') return t('password.too-long')
  return t(problem === 'too-common' ? 'password.too-common' : 'password.refused')
}

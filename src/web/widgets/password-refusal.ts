import { isAppError } from '../../shared/errors.ts'
import { t } from '../i18n/i18n.tsx'

/** Why the server's policy refused a new password, in words for its field; null for every other failure. */
export function passwordRefusal(error: unknown): string | null {
  if (!isAppError(error, 'invalid-input')) return null
  const issue = error.detail.issues.find((one) => /^(data\.)?password: /.test(one))
  if (issue === undefined) return null
  const shortest = /shorter than (\d+)/.exec(issue)?.[1]
  if (shortest !== undefined) return t('password.too-short', { count: Number(shortest) })
  if (issue.includes('too long')) return t('password.too-long')
  return issue.includes('common') ? t('password.too-common') : t('password.refused')
}

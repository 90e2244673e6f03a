import { isAppError } from '../../shared/errors.ts'
import { t } from '../i18n/i18n.tsx'

/** Localised reason why the policy rejected a new password (`password: too-short 12`); null for other errors. */
export function passwordError(error: unknown): string | null {
  if (!isAppError(error, 'invalid-input')) return null
  const reason = error.detail.issues.map((issue) => /^(?:data\.)?password: (.*)$/.exec(issue)?.[1]).find((one) => one !== undefined)
  return reason === undefined ? null : passwordErrorText(reason)
}

/** @param reason `too-short 12`, `too-common` etc. */
export function passwordErrorText(reason: string): string {
  const [problem, length] = reason.split(' ')
  if (problem === 'too-short') return t('password.too-short', { count: Number(length) })
  if (problem === 'too-long') return t('password.too-long')
  if (problem === 'printed') return t('password.printed')
  return t(problem === 'too-common' ? 'password.too-common' : 'password.refused')
}

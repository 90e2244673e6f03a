import { isAppError } from '../../../shared/errors.ts'
import { type MessageKey, t } from '../../i18n/i18n.tsx'
import { passwordErrorText } from '../../widgets/password-error.ts'

/** What the server refused in a form; empty for all other errors. */
export function issuesIn(error: unknown): readonly string[] {
  if (isAppError(error, 'name-taken')) return ['username: taken']
  return isAppError(error, 'invalid-input') ? error.detail.issues : []
}

/** The server's error for a field; null if there is none. Issues look like `data.scope: there can be no such folder`. */
export function issueAt(issues: readonly string[], field: string): string | null {
  const reasons = issues.flatMap((issue) => {
    const { place, reason } = partsOf(issue)
    return place === field || place.startsWith(`${field}.`) ? [reason] : []
  })
  const [first] = reasons
  if (first === undefined) return null
  if (field === 'password') return passwordErrorText(first)
  const known = WORDS[first]
  return known === undefined ? t('form.refused', { reason: reasons.join('; ') }) : t(known)
}

/** Localised texts of common issues; others are shown as received. */
const WORDS: Readonly<Record<string, MessageKey>> = {
  taken: 'error.name-taken',
  missing: 'form.problem.empty',
  empty: 'form.problem.empty',
  'too long': 'form.problem.long',
  'white space around it': 'form.problem.space',
  'invisible characters': 'form.problem.invisible',
  'there can be no such folder': 'form.problem.folder',
  'no folder of this name': 'user.reach.no-home',
  'this name makes no folder, so one must be given': 'user.reach.no-home',
  'not the absolute path of a folder': 'form.problem.absolute',
  'no colour': 'form.problem.colour',
  'not an address': 'mail.address.wrong',
}

/** Issues of other fields. */
export function issuesElsewhere(issues: readonly string[], fields: readonly string[]): string[] {
  return issues.filter((issue) => {
    const { place } = partsOf(issue)
    return !fields.some((field) => place === field || place.startsWith(`${field}.`))
  })
}

function partsOf(issue: string): { place: string; reason: string } {
  const [, place = '', reason = issue] = /^(?:data\.)?([\w.]+): (.*)$/s.exec(issue) ?? []
  return { place, reason }
}

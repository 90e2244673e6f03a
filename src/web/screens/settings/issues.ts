import { t } from '../../i18n/i18n.tsx'

/** What the server said about a field, for the place below it; null where it said nothing. Issues read `data.scope: there can be no such folder`. */
export function issueAt(issues: readonly string[], field: string): string | null {
  const reasons = issues.flatMap((issue) => {
    const { place, reason } = partsOf(issue)
    return place === field || place.startsWith(`${field}.`) ? [reason] : []
  })
  return reasons.length === 0 ? null : t('form.refused', { reason: reasons.join('; ') })
}

/** The issues that belong to none of these fields. */
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

import { AUDIT_KINDS, type AuditKind } from '../../../../shared/contract/audit.ts'
import type { ActivityFilter } from '../../../data/audit.ts'

/** Values of the filter form: dates as in `<input type=date>`, in local time. */
export interface FilterFields {
  readonly who: string
  readonly kind: AuditKind | ''
  readonly since: string
  readonly until: string
  readonly text: string
}

export const NO_FILTER: FilterFields = { who: '', kind: '', since: '', until: '', text: '' }
export const KINDS: readonly (AuditKind | '')[] = ['', ...AUDIT_KINDS]

/** The API filter; the last day is inclusive. */
export function filterOf({ who, kind, since, until, text }: FilterFields): ActivityFilter {
  const [from, to] = [startOf(since, 0), startOf(until, 1)]
  return {
    ...(who.trim() !== '' && { who: who.trim() }),
    ...(kind !== '' && { kind }),
    ...(from !== null && { since: from }),
    ...(to !== null && { until: to }),
    ...(text.trim() !== '' && { text: text.trim() }),
  }
}

/** Local midnight of a day plus some days; null for an invalid date. */
function startOf(day: string, later: number): string | null {
  const [, year = '', month = '', date = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  if (year === '') return null
  const time = new Date(Number(year), Number(month) - 1, Number(date) + later).getTime()
  return time < 0 ? null : String(time)
}

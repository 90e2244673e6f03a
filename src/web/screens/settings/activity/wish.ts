import { AUDIT_KINDS, type AuditKind } from '../../../../shared/contract/audit.ts'
import type { ActivityFilter } from '../../../data/audit.ts'

/** The filter as the form holds it: days as the browser's field writes them, in the reader's own time. */
export interface Wish {
  readonly who: string
  readonly kind: AuditKind | ''
  readonly since: string
  readonly until: string
  readonly text: string
}

export const EVERYTHING: Wish = { who: '', kind: '', since: '', until: '', text: '' }
export const KINDS: readonly (AuditKind | '')[] = ['', ...AUDIT_KINDS]

/** What is asked of the server; the last day is in. */
export function filterOf({ who, kind, since, until, text }: Wish): ActivityFilter {
  const [from, to] = [startOf(since, 0), startOf(until, 1)]
  return {
    ...(who.trim() !== '' && { who: who.trim() }),
    ...(kind !== '' && { kind }),
    ...(from !== null && { since: from }),
    ...(to !== null && { until: to }),
    ...(text.trim() !== '' && { text: text.trim() }),
  }
}

/** Midnight of a day, or so many days later; null for what is no day. */
function startOf(day: string, later: number): string | null {
  const [, year = '', month = '', date = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  if (year === '') return null
  const time = new Date(Number(year), Number(month) - 1, Number(date) + later).getTime()
  return time < 0 ? null : String(time)
}

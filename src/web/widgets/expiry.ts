import type { ShareUnit } from '../../shared/contract/shares.ts'

/** Expiry choices. `keep`: unchanged, when editing. */
export const EXPIRY_TERMS = ['day', 'week', 'month', 'never', 'date'] as const
export type ExpiryTerm = (typeof EXPIRY_TERMS)[number] | 'keep'

export interface Expiry {
  readonly term: ExpiryTerm
  /** Last day, as in a date field; used if the term is `date`. */
  readonly date: string
}

const DAYS = { day: 1, week: 7, month: 30 }

/** Amount and unit for the API. Empty for a link that never expires; null for an invalid date. */
export function durationOf({ term, date }: Expiry, now: Date): { expires: string; unit: ShareUnit } | null {
  if (term === 'never' || term === 'keep') return { expires: '', unit: 'hours' }
  if (term !== 'date') return { expires: String(DAYS[term]), unit: 'days' }
  const seconds = Math.floor((endOfDay(date).getTime() - now.getTime()) / 1000)
  return seconds > 0 && seconds <= MOST_SECONDS ? { expires: String(seconds), unit: 'seconds' } : null
}

/** About 63 years; within the API's range in every unit. */
const MOST_SECONDS = 2_000_000_000

/** Expiry time in seconds since 1970; 0 for never, null for an invalid date. */
export function expiresAt(expiry: Expiry, now: Date): number | null {
  const today = Math.floor(now.getTime() / 1000)
  if (expiry.term === 'never' || expiry.term === 'keep') return 0
  if (expiry.term !== 'date') return today + DAYS[expiry.term] * 86_400
  return durationOf(expiry, now) === null ? null : Math.floor(endOfDay(expiry.date).getTime() / 1000)
}

/** A date some days from now, as in a date field. */
export function dayAhead(days: number, now: Date): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${String(day.getFullYear()).padStart(4, '0')}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

/** End of the day in local time. */
function endOfDay(date: string): Date {
  return new Date(`${date}T23:59:59`)
}

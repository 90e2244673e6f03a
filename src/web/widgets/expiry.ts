import type { ShareUnit } from '../../shared/contract/shares.ts'

/** How long a link can last. `keep`: what it says already, for one that is changed. */
export const EXPIRY_TERMS = ['day', 'week', 'month', 'never', 'date'] as const
export type ExpiryTerm = (typeof EXPIRY_TERMS)[number] | 'keep'

export interface Expiry {
  readonly term: ExpiryTerm
  /** The last day of the link, as a date field has it; read where the term is `date`. */
  readonly date: string
}

const DAYS = { day: 1, week: 7, month: 30 }

/** As the wire has it: an amount and its unit. Nothing for a link that never expires; null for a date that cannot be sent. */
export function durationOf({ term, date }: Expiry, now: Date): { expires: string; unit: ShareUnit } | null {
  if (term === 'never' || term === 'keep') return { expires: '', unit: 'hours' }
  if (term !== 'date') return { expires: String(DAYS[term]), unit: 'days' }
  const seconds = Math.floor((endOfDay(date).getTime() - now.getTime()) / 1000)
  return seconds > 0 && seconds <= MOST_SECONDS ? { expires: String(seconds), unit: 'seconds' } : null
}

/** A century is more than anybody plans, and within what the wire takes in every unit. */
const MOST_SECONDS = 2_000_000_000

/** When a link made now would end, in seconds since 1970; 0 for one that never does, null for a date that cannot be. */
export function expiresAt(expiry: Expiry, now: Date): number | null {
  const today = Math.floor(now.getTime() / 1000)
  if (expiry.term === 'never' || expiry.term === 'keep') return 0
  if (expiry.term !== 'date') return today + DAYS[expiry.term] * 86_400
  return durationOf(expiry, now) === null ? null : Math.floor(endOfDay(expiry.date).getTime() / 1000)
}

/** A day from now on, as a date field has it. */
export function dayAhead(days: number, now: Date): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${String(day.getFullYear()).padStart(4, '0')}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

/** Its last moment, in the person's own time zone. */
function endOfDay(date: string): Date {
  return new Date(`${date}T23:59:59`)
}

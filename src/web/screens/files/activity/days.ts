import type { PastEntry } from '../../../data/gestures.ts'
import { formatDay } from '../../../i18n/format.ts'

export interface Day {
  /** Localised. */
  readonly title: string
  readonly entries: readonly PastEntry[]
}

/** Entries, the newest first, by the day of the user's time zone. */
export function daysOf(entries: readonly PastEntry[], now: Date = new Date()): Day[] {
  const days: { title: string; entries: PastEntry[] }[] = []
  for (const entry of entries) {
    const title = formatDay(new Date(entry.at), now)
    const last = days.at(-1)
    if (last?.title === title) last.entries.push(entry)
    else days.push({ title, entries: [entry] })
  }
  return days
}

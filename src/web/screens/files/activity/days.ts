import type { PastGesture } from '../../../data/gestures.ts'
import { formatDay } from '../../../i18n/format.ts'

export interface Day {
  /** Localised. */
  readonly title: string
  readonly gestures: readonly PastGesture[]
}

/** Gestures, the newest first, by the day of the user's time zone. */
export function daysOf(gestures: readonly PastGesture[], now: Date = new Date()): Day[] {
  const days: { title: string; gestures: PastGesture[] }[] = []
  for (const gesture of gestures) {
    const title = formatDay(new Date(gesture.at), now)
    const last = days.at(-1)
    if (last?.title === title) last.gestures.push(gesture)
    else days.push({ title, gestures: [gesture] })
  }
  return days
}

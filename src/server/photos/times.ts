import type { Taken } from './found-facts.ts'

const WRITTEN = /^\s*(\d{4})[:\-/.](\d\d)[:\-/.](\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d\d:?\d\d)?)?\s*\0*$/

/** A date as EXIF (`2024:07:19 12:03:00`), XMP and QuickTime (ISO 8601) write it; null if it is none. */
export function parseTaken(text: string): Taken | null {
  const found = WRITTEN.exec(text)
  if (found === null) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = found
  const ms = Math.trunc(Number(`0.${fraction || '0'}`) * 1000)
  return takenAt([year, month, day, hour, minute, second].map(Number), { ms, offset: zone === undefined ? null : parseOffset(zone) })
}

/** Minutes; null if it is none. */
export function parseOffset(text: string): number | null {
  const found = /^\s*(?:(Z)|([+-])(\d\d):?(\d\d))\s*\0*$/.exec(text)
  if (found === null) return null
  const [, utc, sign, hours, minutes] = found
  if (utc !== undefined) return 0
  const offset = Number(hours) * 60 + Number(minutes)
  return offset > 14 * 60 ? null : sign === '-' ? -offset : offset
}

/** Cameras whose clock was never set write zeros, or spaces; those have no date. */
export function takenAt(parts: readonly number[], { ms = 0, offset = null }: { ms?: number; offset?: number | null } = {}): Taken | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
  if (year < 1826 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 60) return null
  const local = Date.UTC(year, month - 1, day, hour, minute, Math.min(59, second), ms)
  // 31 June is no day.
  return new Date(local).getUTCDate() === day ? { local, offset } : null
}

/** Of names that phones and messengers give: `IMG_20240719_120300.jpg`, `2024-07-19 12.03.00.png`, `IMG-20240719-WA0001.jpg`. */
const NAMED =
  /(?:^|[^\d])((?:19|20)\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?:(?:[-_ .T]|\sat\s|_at_)+([01]\d|2[0-3])([-_.:h]?)([0-5]\d)\6([0-5]\d)(?:\d{3})?)?(?!\d)/

/** Null if the name has no date in it. Without a time it is noon: that day in every time zone nearby. */
export function takenByName(name: string): Taken | null {
  const found = NAMED.exec(name)
  if (found === null) return null
  const [, year, , month, day, hour = '12', , minute = '0', second = '0'] = found
  return takenAt([year, month, day, hour, minute, second].map(Number))
}

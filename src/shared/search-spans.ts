/** From `from` up to, not including, `to`; null for no bound. Bytes, or milliseconds since 1970. */
export interface Span {
  readonly from: number | null
  readonly to: number | null
}

/**
 * Which sizes a text means, in bytes; null where it means none:
 *
 *     sizes = ( "<" | "<=" | ">" | ">=" ) size | [ size ] ".." [ size ] | size
 *     size  = digits [ ( "." | "," ) digits ] [ "b" | "k" | "kb" | "kib" | "m" | … | "t" | "tb" | "tib" ]
 *
 * A kb is 1024 b. A range holds its ends, in whichever order they stand. A size by itself means what rounds to it as it is written, so that
 * `5mb` is from 4.5 to 5.5 MB and `0` is exactly empty.
 */
export function parseSizes(text: string): Span | null {
  const [, sign, bound] = COMPARED.exec(text) ?? []
  if (sign !== undefined && bound !== undefined) {
    const size = sizeOf(bound)
    if (size === null || size > MOST_BYTES) return null
    const edge = sign === '<' || sign === '>=' ? size : size + 1
    if (sign.startsWith('>')) return { from: edge, to: null }
    return edge === 0 ? null : { from: null, to: edge }
  }
  const ends = endsOf(text, sizeOf)
  if (ends === null) return roundedTo(text)
  const [a, b] = ends
  const [least, most] = a !== null && b !== null && a > b ? [b, a] : [a, b]
  return { from: least, to: most === null ? null : most + 1 }
}

/** The text that `parseSizes` reads back. */
export function printSizes({ from, to }: Span): string {
  return `${from ?? ''}..${to === null ? '' : to - 1}`
}

/**
 * Which times a text means; null where it means none:
 *
 *     times   = ( "<" | "<=" | ">" | ">=" ) time | [ time ] ".." [ time ] | day | month | year | age
 *     time    = year | month | day | instant | age
 *     year    = "2026",  month = "2026-03",  day = "2026-03-31" | "today" | "yesterday"
 *     instant = day "T" hours ":" minutes [ ":" seconds ] ( "Z" | offset )
 *     age     = digits ( "min" | "h" | "d" | "w" | "m" | "y" )
 *
 * Days, months and years are those of the zone of this machine and are meant as a whole, also as the ends of a range, in whichever order these
 * stand. An age is seen from now: `<7d` is newer than seven days, and so is `7d`.
 */
export function parseTimes(text: string, now: Date): Span | null {
  const when = (word: string): Stretch | null => stretchOf(word.toLowerCase(), now)
  const [, sign, bound] = COMPARED.exec(text) ?? []
  if (sign !== undefined && bound !== undefined) {
    const time = when(bound)
    if (time === null) return null
    // Younger than seven days means changed after the moment seven days ago.
    const isAfter = sign.startsWith('>') !== time.isAge
    const isWhole = sign.endsWith('=')
    return isAfter ? { from: isWhole ? time.start : time.end, to: null } : { from: null, to: isWhole ? time.end : time.start }
  }
  const ends = endsOf(text, when)
  if (ends === null) {
    const time = when(text)
    if (time === null) return null
    if (time.isAge) return { from: time.start, to: null }
    return time.start < time.end ? { from: time.start, to: time.end } : null
  }
  const [a, b] = ends
  const [first, last] = a !== null && b !== null && a.start > b.start ? [b, a] : [a, b]
  return { from: first?.start ?? null, to: last?.end ?? null }
}

/** The text that `parseTimes` reads back, whatever the current time and time zone. */
export function printTimes({ from, to }: Span): string {
  return `${instant(from)}..${instant(to)}`
}

export function isIn({ from, to }: Span, value: number): boolean {
  return (from === null || value >= from) && (to === null || value < to)
}

/** A time as written: a day has a duration, an instant does not. */
interface Stretch {
  readonly start: number
  readonly end: number
  readonly isAge: boolean
}

const COMPARED = /^([<>]=?)(.+)$/
const SIZE = /^(\d{1,16})(?:[.,](\d{1,6}))?(?:(b)|([kmgt])(?:i?b)?)?$/i
const UNITS = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 }
/** No size is larger; leaves room above, so that every range can be written. */
const MOST_BYTES = 2 ** 52

const DATE = /^([12]\d{3})(?:-(\d\d)(?:-(\d\d))?)?$/
const INSTANT = /^\d{4}-\d\d-\d\dt\d\d:\d\d(?::\d\d(?:\.\d{3})?)?(?:z|[+-]\d\d:\d\d)$/
const AGE = /^(\d{1,4})(min|[hdwmy])$/
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Years with more or fewer than four digits are written differently. */
const EARLIEST = Date.UTC(900, 0, 1)

/** The two ends of a range, each optional; null if it is not a range. */
function endsOf<End>(text: string, read: (word: string) => End | null): [End | null, End | null] | null {
  const at = text.indexOf('..')
  if (at < 0) return null
  const words = [text.slice(0, at), text.slice(at + 2)]
  const [a = null, b = null] = words.map((word) => (word === '' ? null : read(word)))
  const isRead = words.every((word, i) => word === '' || (i === 0 ? a : b) !== null)
  return isRead && (a !== null || b !== null) ? [a, b] : null
}

function sizeOf(text: string): number | null {
  const [, whole, part = '0'] = SIZE.exec(text) ?? []
  const size = Math.round(Number(`${whole}.${part}`) * unitOf(text))
  return whole === undefined || size > MOST_BYTES * 1.5 ? null : size
}

/** All sizes that round to this text with as many digits. */
function roundedTo(text: string): Span | null {
  const size = sizeOf(text)
  if (size === null || size > MOST_BYTES) return null
  const [, , part = ''] = SIZE.exec(text) ?? []
  const half = unitOf(text) / 10 ** part.length / 2
  if (half < 1) return { from: size, to: size + 1 }
  return { from: Math.max(0, Math.ceil(size - half)), to: Math.ceil(size + half) }
}

function unitOf(text: string): number {
  const unit = SIZE.exec(text)?.[4]?.toLowerCase()
  return unit === undefined ? 1 : UNITS[unit as keyof typeof UNITS]
}

function stretchOf(word: string, now: Date): Stretch | null {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  if (word === 'today') return daysFrom(year, month, day)
  if (word === 'yesterday') return daysFrom(year, month, day - 1)
  const age = AGE.exec(word)
  if (age !== null) return moment(before(now, Number(age[1]), age[2] ?? ''), true)
  if (INSTANT.test(word)) {
    const ms = Date.parse(word.toUpperCase())
    return Number.isNaN(ms) ? null : moment(ms, false)
  }
  return dated(word)
}

function dated(word: string): Stretch | null {
  const [, y, m, d] = DATE.exec(word) ?? []
  if (y === undefined) return null
  const [year, month, day] = [Number(y), Number(m ?? 1) - 1, Number(d ?? 1)]
  const first = new Date(year, month, day)
  if (first.getMonth() !== month || first.getDate() !== day) return null
  if (d !== undefined) return daysFrom(year, month, day)
  const end = m === undefined ? new Date(year + 1, 0, 1) : new Date(year, month + 1, 1)
  return { start: first.getTime(), end: end.getTime(), isAge: false }
}

function daysFrom(year: number, month: number, day: number): Stretch {
  return { start: new Date(year, month, day).getTime(), end: new Date(year, month, day + 1).getTime(), isAge: false }
}

function moment(ms: number, isAge: boolean): Stretch {
  const start = Math.max(ms, EARLIEST)
  return { start, end: start, isAge }
}

function before(now: Date, count: number, unit: string): number {
  if (unit === 'min') return now.getTime() - count * MINUTE_MS
  if (unit === 'h') return now.getTime() - count * HOUR_MS
  const then = new Date(now)
  if (unit === 'd') then.setDate(then.getDate() - count)
  if (unit === 'w') then.setDate(then.getDate() - 7 * count)
  if (unit === 'm') then.setMonth(then.getMonth() - count)
  if (unit === 'y') then.setFullYear(then.getFullYear() - count)
  return then.getTime()
}

/** As short as possible: a query has limited length. */
function instant(ms: number | null): string {
  if (ms === null) return ''
  return new Date(ms).toISOString().replace(/(?::00)?\.000Z$/, 'Z')
}

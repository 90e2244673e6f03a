import { currentLanguage } from './i18n.tsx'
import { forms, type Relative } from './forms.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** The end of the year 9999. */
const LAST_DATED_SECONDS = 253_402_300_799

/** Formatters are expensive to create and used in every row. */
const formatters = new Map<string, unknown>()

/** Rounded size: `88 KB`, `4.2 MB`; 1 KB is 1024 bytes. */
export function formatBytes(bytes: number): string {
  return inUnits(bytes, 1)
}

/** Rounded size without decimals: `10 MB`. */
export function formatWholeBytes(bytes: number): string {
  return inUnits(bytes, 0)
}

/** Exact size: `4,404,019 bytes`. */
export function formatBytesExact(bytes: number): string {
  return unitFormat(0, 0).format(bytes)
}

/** `5 minutes ago`, `yesterday`, `3 days ago`; the date if it is more than six days ago or in the future. */
export function formatDate(date: Date, now: Date = new Date()): string {
  if (Number.isNaN(date.getTime())) return '–'
  const age = now.getTime() - date.getTime()
  if (age < 0 || age >= 6 * DAY_MS) return dateFormat({ day: 'numeric', month: 'short', year: 'numeric' }).format(date)
  if (age < MINUTE_MS) return relativeFormat().format(0, 'second')
  if (age < HOUR_MS) return relativeFormat().format(-Math.floor(age / MINUTE_MS), 'minute')
  const days = calendarDays(date, now)
  return days === 0 ? relativeFormat().format(-Math.floor(age / HOUR_MS), 'hour') : relativeFormat().format(-days, 'day')
}

/** Date and time with seconds, for tooltips and details. */
export function formatDateExact(date: Date): string {
  return Number.isNaN(date.getTime()) ? '–' : dateFormat({ dateStyle: 'medium', timeStyle: 'medium' }).format(date)
}

/** Date and time with minutes. */
export function formatDateTime(date: Date): string {
  return Number.isNaN(date.getTime()) ? '–' : dateFormat({ dateStyle: 'medium', timeStyle: 'short' }).format(date)
}

/** A day as a heading: `Today`, `Yesterday`, the date. */
export function formatDay(date: Date, now: Date = new Date()): string {
  const days = calendarDays(date, now)
  if (days !== 0 && days !== 1) return dateFormat({ dateStyle: 'medium' }).format(date)
  const [first = '', ...rest] = relativeFormat().format(-days, 'day')
  return first.toLocaleUpperCase(currentLanguage().tag) + rest.join('')
}

/** Time of day with minutes. */
export function formatTime(date: Date): string {
  return Number.isNaN(date.getTime()) ? '–' : dateFormat({ timeStyle: 'short' }).format(date)
}

/** Duration as a clock shows it: `0:42`, `1:02:03`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const two = cached('two', () => new Intl.NumberFormat(regional(), { minimumIntegerDigits: 2 }))
  const one = cached('one', () => new Intl.NumberFormat(regional(), { useGrouping: false }))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  const rest = two.format(whole % 60)
  return hours > 0 ? `${one.format(hours)}:${two.format(minutes)}:${rest}` : `${one.format(minutes)}:${rest}`
}

/** Relative time in the largest unit that fits: `in 3 days`, `2 hours ago`. */
export function formatDistance(date: Date, now: Date = new Date()): string {
  return formatRelative(date.getTime(), now)
}

/** The same for seconds since 1970, which may exceed the range of Date. */
export function formatDistanceTo(seconds: number, now: Date = new Date()): string {
  return formatRelative(seconds * 1000, now)
}

/** Seconds since 1970 with minutes; beyond the year 9999 as relative time. */
export function formatMoment(seconds: number, now: Date = new Date()): string {
  const date = new Date(seconds * 1000)
  return seconds > LAST_DATED_SECONDS ? formatDistanceTo(seconds, now) : formatDateTime(date)
}

type Distance = Parameters<Relative>

function formatRelative(at: number, now: Date): string {
  const ms = at - now.getTime()
  const [value, unit] = ms < 0 ? since(ms) : until(at, now)
  return relativeFormat().format(value, unit)
}

/** In whole units: two hours and a half ago are two hours. */
function since(ms: number): Distance {
  const units = [
    ['year', 365 * DAY_MS, 365 * DAY_MS],
    ['month', 30 * DAY_MS, 60 * DAY_MS],
    ['day', DAY_MS, DAY_MS],
    ['hour', HOUR_MS, HOUR_MS],
    ['minute', MINUTE_MS, MINUTE_MS],
  ] as const
  const [unit, unitMs] = units.find(([, , from]) => -ms >= from) ?? ['second', 1000]
  return [Math.trunc(ms / unitMs), unit]
}

/** Rounded to the nearest unit, days by the calendar: something that expires in seven days still says seven days a moment later. */
function until(at: number, now: Date): Distance {
  const ms = at - now.getTime()
  const rounded = (unitMs: number): number => Math.round(ms / unitMs)
  if (rounded(1000) < 60) return [rounded(1000), 'second']
  if (rounded(MINUTE_MS) < 60) return [rounded(MINUTE_MS), 'minute']
  if (rounded(HOUR_MS) < 24) return [rounded(HOUR_MS), 'hour']
  const date = new Date(at)
  const days = Number.isNaN(date.getTime()) ? rounded(DAY_MS) : calendarDays(now, date)
  if (days < 60) return [days, 'day']
  return days < 365 ? [Math.round(days / 30), 'month'] : [Math.round(days / 365), 'year']
}

export function formatNumber(value: number): string {
  return cached('number', () => new Intl.NumberFormat(regional())).format(value)
}

/** From 0 to 1: `42%`. */
export function formatPercent(part: number): string {
  return cached('percent', () => new Intl.NumberFormat(regional(), { style: 'percent', maximumFractionDigits: 0 })).format(part)
}

/** Midnights between two moments in local time. */
function calendarDays(date: Date, now: Date): number {
  const midnight = (day: Date) => Date.UTC(day.getFullYear(), day.getMonth(), day.getDate())
  return Math.round((midnight(now) - midnight(date)) / DAY_MS)
}

/** @param most maximum number of decimals */
function inUnits(bytes: number, most: number): string {
  let power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  // 1,023.7 KB would be rounded to 1,024 KB.
  if (power > 0 && power < UNITS.length - 1 && Math.round(bytes / 1024 ** power) >= 1024) power++
  const value = bytes / 1024 ** power
  return unitFormat(power, power < 2 || value >= 100 ? 0 : most).format(value)
}

function unitFormat(power: number, digits: number): Intl.NumberFormat {
  return cached(`unit ${power} ${digits}`, () => {
    const unit = UNITS[power] ?? 'byte'
    return new Intl.NumberFormat(regional(), {
      style: 'unit',
      unit,
      unitDisplay: power === 0 ? 'long' : 'short',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
  })
}

function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  // Numeric if another locale stands in, whose month names would be wrong.
  const plain = isUnsupported() && options.month === 'short' ? { ...options, month: 'numeric' as const } : options
  return cached(JSON.stringify(plain), () => new Intl.DateTimeFormat(isUnsupported() ? FALLBACK_LOCALES.dates : regional(), plain))
}

function relativeFormat(): { format: Relative } {
  if (isUnsupported() && forms.relative !== null) return { format: forms.relative }
  return cached('relative', () => new Intl.RelativeTimeFormat(regional(), { numeric: 'auto' }))
}

/** Locales with Icelandic date and number formats, for browsers without Icelandic. */
const FALLBACK_LOCALES = { dates: 'de', numbers: 'da' }

/** Icelandic is the only one of our languages that browsers may lack: Chromium does. */
function isUnsupported(): boolean {
  const { tag } = currentLanguage()
  return tag === 'is' && cached('unknown', () => Intl.DateTimeFormat.supportedLocalesOf(tag)).length === 0
}

/** The browser's regional variant of the current language, for example British English. */
function regional(): string {
  if (isUnsupported()) return FALLBACK_LOCALES.numbers
  const { tag } = currentLanguage()
  const spoken = globalThis.navigator?.languages ?? []
  return spoken.find((one) => one === tag || one.startsWith(`${tag}-`)) ?? tag
}

function cached<Format>(name: string, make: () => Format): Format {
  const key = `${currentLanguage().tag} ${name}`
  const format = formatters.get(key) ?? make()
  formatters.set(key, format)
  // A key always holds what its `make` returned.
  return format as Format
}

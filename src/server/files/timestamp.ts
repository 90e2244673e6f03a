const DAY_MS = 86_400_000

/** RFC 3339 in UTC with as many fraction digits as needed, at most six. */
export function timestamp(ms: number): string {
  if (!(Math.abs(ms) <= LAST_MS)) return timestamp(0)
  const whole = Math.floor(ms)
  const micros = Math.round((ms - whole) * 1000)
  if (micros === 1000) return timestamp(whole + 1)
  const date = new Date(whole)
  const fraction = `${pad(date.getUTCMilliseconds(), 3)}${pad(micros, 3)}`.replace(/0+$/, '')
  return `${date.toISOString().slice(0, -5)}${fraction === '' ? '' : `.${fraction}`}Z`
}

/** The same for long lists: the date is cached, because neighbours often share a day. */
export function timestamps(): (ms: number) => string {
  let day = Number.NaN
  let date = ''
  return (ms) => {
    if (!(ms >= 0 && ms < LAST_MS)) return timestamp(ms)
    const today = Math.floor(ms / DAY_MS)
    const micros = Math.round((ms - today * DAY_MS) * 1000)
    if (micros >= DAY_MS * 1000) return timestamp(ms)
    if (today !== day) {
      day = today
      date = timestamp(today * DAY_MS).slice(0, 11)
    }
    const seconds = Math.floor(micros / 1e6)
    const fraction = micros - seconds * 1e6
    const clock = `${TWO[Math.floor(seconds / 3600)]}:${TWO[Math.floor(seconds / 60) % 60]}:${TWO[seconds % 60]}`
    return fraction === 0 ? `${date}${clock}Z` : `${date}${clock}.${pad(fraction, 6).replace(/0+$/, '')}Z`
  }
}

/** The end of the year 9999, the last that RFC 3339 can express. */
const LAST_MS = 253_402_300_799_999

const TWO = Array.from({ length: 60 }, (_, n) => pad(n, 2))

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0')
}

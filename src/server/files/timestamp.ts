const DAY_MS = 86_400_000

/** RFC 3339 in UTC with as many fraction digits as there are, at most six. */
export function timestamp(ms: number): string {
  const whole = Math.floor(ms)
  const micros = Math.round((ms - whole) * 1000)
  if (micros === 1000) return timestamp(whole + 1)
  const date = Number.isFinite(whole) && Math.abs(whole) <= 8.64e15 ? new Date(whole) : new Date(0)
  const fraction = `${pad(date.getUTCMilliseconds(), 3)}${pad(micros, 3)}`.replace(/0+$/, '')
  return `${date.toISOString().slice(0, -5)}${fraction === '' ? '' : `.${fraction}`}Z`
}

/** The same for long lists: the date is remembered from one to the next, because neighbours are often of the same day. */
export function timestamps(): (ms: number) => string {
  let day = Number.NaN
  let date = ''
  return (ms) => {
    const today = Math.floor(ms / DAY_MS)
    if (today !== day) {
      day = today
      date = timestamp(today * DAY_MS).slice(0, 11)
    }
    if (date.length !== 11 || !(ms >= 0)) return timestamp(ms)
    const micros = Math.min(Math.round((ms - day * DAY_MS) * 1000), DAY_MS * 1000 - 1)
    const seconds = Math.floor(micros / 1e6)
    const fraction = micros - seconds * 1e6
    const clock = `${TWO[Math.floor(seconds / 3600)]}:${TWO[Math.floor(seconds / 60) % 60]}:${TWO[seconds % 60]}`
    return fraction === 0 ? `${date}${clock}Z` : `${date}${clock}.${pad(fraction, 6).replace(/0+$/, '')}Z`
  }
}

const TWO = Array.from({ length: 60 }, (_, n) => pad(n, 2))

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0')
}

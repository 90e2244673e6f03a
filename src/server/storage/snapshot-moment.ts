/**
 * A date with an optional time in the name of a snapshot: ISO 8601, `autosnap_2026-05-01_06:25:00_daily` (sanoid), `auto-2026-05-01_06-25` (TrueNAS),
 * `zfs-auto-snap_daily-2026-05-01-0625`, `@GMT-2026.05.01-06.25.00` (Samba), `home.20260501T0625` (btrbk).
 */
const DATE = /(?<!\d)(\d{4})([-._]?)(\d\d)\2(\d\d)(?!\d)/
const TIME = /^(?:[T_ .-]|_at_)?(\d\d)[:.h_-]?(\d\d)(?:[:.m_-]?(\d\d))?(?!\d)/
const ZONE = /^(?:Z|([+-]\d\d):?(\d\d))(?![\d-])/
/** `date +%s`, in this century. */
const SECONDS = /(?<!\d)(1\d{9})(?!\d)/
/** Their programs write universal time; all others that say nothing write the time of the place. */
const UNIVERSAL = /GMT|UTC|zfs-auto-snap/i

/** When a snapshot was taken, by its name; milliseconds since 1970, null if the name has no date. A time without a zone is the server's. */
export function momentInName(name: string): number | null {
  const date = DATE.exec(name)
  if (date === null) return secondsIn(name)
  const [text, year = '', , month = '', day = ''] = date
  const rest = name.slice(date.index + text.length)
  const time = TIME.exec(rest)
  const [, hours = '00', minutes = '00', seconds = '00'] = time ?? []
  const zone = time === null ? null : ZONE.exec(rest.slice(time[0].length))
  const written = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}`
  const universal = Date.parse(`${written}Z`)
  // A day such as February 30th is taken for one of March.
  if (!(universal > 0) || !new Date(universal).toISOString().startsWith(written)) return secondsIn(name)
  if (zone !== null) return Date.parse(`${written}${zone[1] === undefined ? 'Z' : `${zone[1]}:${zone[2]}`}`)
  return UNIVERSAL.test(name) ? universal : Date.parse(written)
}

function secondsIn(name: string): number | null {
  const [, seconds] = SECONDS.exec(name) ?? []
  return seconds === undefined ? null : Number(seconds) * 1000
}

/** The date in snapper's `info.xml`, which is universal time; null if there is none. */
export function momentInInfo(xml: string): number | null {
  const [, day, time] = /<date>\s*(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)\s*<\/date>/.exec(xml) ?? []
  const at = Date.parse(`${day}T${time}Z`)
  return Number.isNaN(at) ? null : at
}

const UNIT_MS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 0.001, µs: 0.001, ns: 0.000001 }
/** Timers cannot be set further ahead. */
const MOST_MS = 10 * 365 * 24 * 3_600_000

/** A duration in Go's notation (`2h30m`, `1.5h`, `300ms`), in milliseconds; a plain number is in seconds. Null for anything else. */
export function parseDuration(value: string): number | null {
  if (/^\d+(\.\d+)?$/.test(value)) return limited(Number(value) * 1000)
  if (!/^(\d+(\.\d+)?(h|ms|m|s|us|µs|ns))+$/.test(value)) return null
  let ms = 0
  for (const [, number = '', unit = ''] of value.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g))
    ms += Number(number) * (UNIT_MS[unit] ?? 0)
  return limited(ms)
}

function limited(ms: number): number | null {
  return ms <= MOST_MS ? Math.round(ms) : null
}

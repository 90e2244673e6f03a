const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const

/** A size as the web shows it: in units of 1,024, with one digit from megabytes. @param tag BCP 47 */
export function sizeText(bytes: number, tag: string): string {
  let power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  // 1,023.7 KB would be rounded to 1,024 KB.
  if (power < UNITS.length - 1 && power > 0 && Math.round(bytes / 1024 ** power) >= 1024) power += 1
  const value = bytes / 1024 ** power
  const digits = power < 2 || value >= 100 ? 0 : 1
  return new Intl.NumberFormat(tag, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value)
}

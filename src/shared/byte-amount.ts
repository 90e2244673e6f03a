const UNITS = ['B', 'K', 'M', 'G', 'T', 'P'] as const
export type ByteUnit = (typeof UNITS)[number]

/**
 * A number of bytes as people write it: `500 MB`, `1.5G`, `2 TiB`; 1 K is 1024. A comma is a decimal point, too.
 * @param unit of a number without one
 * @returns undefined if it is none, or not a safe integer
 */
export function parseBytes(text: string, unit: ByteUnit): number | undefined {
  const [, number = '', letter = unit] = /^(\d{1,15}(?:[.,]\d+)?)\s*(?:([bkmgtp])(?:i?b)?)?$/i.exec(text.trim()) ?? []
  if (number === '') return undefined
  const power = UNITS.findIndex((one) => one === letter.toUpperCase())
  const bytes = Math.round(Number(number.replace(',', '.')) * 1024 ** power)
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

/** A number of files and folders; undefined if it is none. */
export function parseCount(text: string): number | undefined {
  return /^\d{1,15}$/.test(text.trim()) ? Number(text.trim()) : undefined
}

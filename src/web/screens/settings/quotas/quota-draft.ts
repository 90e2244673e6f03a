import { parseBytes, parseCount } from '../../../../shared/byte-amount.ts'
import type { Quota } from '../../../../shared/contract/quotas.ts'

const GIGABYTE = 1024 ** 3
/** Each byte counts. */
const MOST_DIGITS = 10

/** The limits of a quota as form values; empty for no limit. */
export interface QuotaDraft {
  /** Possibly fractional. */
  readonly gigabytes: string
  readonly files: string
}

export function draftOf(quota: Pick<Quota, 'bytes' | 'files'> | null): QuotaDraft {
  const bytes = quota?.bytes ?? null
  const files = quota?.files ?? null
  return { gigabytes: bytes === null ? '' : gigabytesOf(bytes.limit), files: files === null ? '' : String(files.limit) }
}

/** With as few digits as are read as the same number of bytes. */
function gigabytesOf(bytes: number): string {
  const gigabytes = bytes / GIGABYTE
  for (let digits = 0; digits < MOST_DIGITS; digits += 1) {
    const text = gigabytes.toFixed(digits)
    if (Math.round(Number(text) * GIGABYTE) === bytes) return text
  }
  return gigabytes.toFixed(MOST_DIGITS)
}

/** Bytes; null for no limit, undefined if it is no number. A comma is a decimal point, too. */
export function amountOf(gigabytes: string): number | null | undefined {
  return gigabytes.trim() === '' ? null : parseBytes(gigabytes, 'G')
}

/** Null for no limit, undefined if it is no whole number. */
export function countOf(files: string): number | null | undefined {
  return files.trim() === '' ? null : parseCount(files)
}

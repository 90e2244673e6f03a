import { parseBytes, parseCount } from '../../../../shared/byte-amount.ts'
import type { Quota } from '../../../../shared/contract/quotas.ts'

const GIGABYTE = 1024 ** 3

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

/** So many digits that each byte counts. */
function gigabytesOf(bytes: number): string {
  return (bytes / GIGABYTE).toFixed(10).replace(/\.?0+$/, '')
}

/** Bytes; null for no limit, undefined if it is no number. A comma is a decimal point, too. */
export function amountOf(gigabytes: string): number | null | undefined {
  return gigabytes.trim() === '' ? null : parseBytes(gigabytes, 'G')
}

/** Null for no limit, undefined if it is no whole number. */
export function countOf(files: string): number | null | undefined {
  return files.trim() === '' ? null : parseCount(files)
}

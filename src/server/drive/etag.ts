import type { Stat } from '../storage/storage.ts'

/** A strong validator in quotes: the time of the last change in nanoseconds and the size, both hexadecimal (contract reference 1.6). */
export function etagOf({ modified, size }: Pick<Stat, 'modified' | 'size'>): string {
  return `"${BigInt(Math.round(modified * 1e6)).toString(16)}${size.toString(16)}"`
}

/** Whether an If-Match header names this version; weak tags never do (RFC 9110 section 13.1.1). */
export function matchesEtag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some((tag) => tag.trim() === etag)
}

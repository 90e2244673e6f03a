import type { Stat } from '../storage/storage.ts'

/**
 * A strong validator in quotes: the time of the last change in nanoseconds and the size, both hexadecimal, and then the
 * node itself, because two saves within one tick of the file system's clock would look alike without it.
 */
export function etagOf({ modified, size, identity }: Pick<Stat, 'modified' | 'size' | 'identity'>): string {
  const version = `${BigInt(Math.round(modified * 1e6)).toString(16)}${size.toString(16)}`
  return `"${version}${Bun.hash(identity).toString(16)}"`
}

/** Whether an If-Match header names this version; weak tags never do (RFC 9110 section 13.1.1). */
export function matchesEtag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some((tag) => tag.trim() === etag)
}

import { fail } from '../../shared/errors.ts'

export type Depth = '0' | '1' | 'infinity'

/** The header `Depth`. Fails with `invalid-input` for another value than those that are allowed. @param absent what it means if it is not sent */
export function depthOf<D extends Depth>({ headers }: Request, { allowed, absent }: { allowed: readonly D[]; absent: D }): D {
  const sent = headers.get('depth')
  if (sent === null) return absent
  const depth = allowed.find((one) => one === sent.trim().toLowerCase())
  return depth ?? fail('invalid-input', { issues: [`depth: not ${allowed.join(', ')}`] })
}

/** The header `Overwrite` (RFC 4918, section 10.6). */
export function overwrites({ headers }: Request): boolean {
  const sent = headers.get('overwrite')?.trim().toUpperCase() ?? 'T'
  if (sent !== 'T' && sent !== 'F') fail('invalid-input', { issues: ['overwrite: not T or F'] })
  return sent === 'T'
}

/** A lock is valid for at most so long after it was made or refreshed: a program that has died must not keep others out for a day. */
const MAX_LOCK_SECONDS = 3600

/** The header `Timeout` (RFC 4918, section 10.7): the first choice of the client, as far as we grant it. */
export function lockSecondsOf({ headers }: Request): number {
  const seconds = /^Second-(\d{1,10})$/i.exec(headers.get('timeout')?.split(',')[0]?.trim() ?? '')?.[1]
  return seconds === undefined ? MAX_LOCK_SECONDS : Math.min(MAX_LOCK_SECONDS, Math.max(1, Number(seconds)))
}

/** The id in a lock token, such as `urn:uuid:…`; null if it is no token of ours. */
export function lockIdIn(token: string): string | null {
  return /^urn:uuid:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(token)?.[1]?.toLowerCase() ?? null
}

export function lockTokenOf(id: string): string {
  return `urn:uuid:${id}`
}

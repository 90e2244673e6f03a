import type { SessionRow } from './store.ts'

/** Sign-ins of one user; the longest idle one is ended for a new one. */
export const MAX_SIGN_INS = 50
/** Valid tokens of one sign-in: renewing in a loop must not fill the disk. */
export const MAX_FAMILY = 500
/** Parallel tabs renew at the same moment; a later renewal of the same token is somebody with a copy. */
export const RENEW_GRACE_MS = 30_000
/** Even an active sign-in ends this long after the password was last given. */
export const MAX_SIGN_IN_MS = 30 * 24 * 3600_000
/** How long a given password counts for changes that require it. */
export const PROOF_MS = 5 * 60_000

export const TOUCH_EVERY_MS = 60_000

interface Birth {
  created: number
  lifetimeMs: number
  provenAt: number
}

/** The token's expiry (`exp`). */
export function tokenEnd(birth: Birth): number {
  return Math.min(birth.created + birth.lifetimeMs, lastEnd(birth))
}

/**
 * When a session ends in any case. A token that could be copied ends at its expiry; one bound to a cookie continues while it is used, so that films
 * and uploads sign nobody out.
 */
export function sessionEnd({ web, ...birth }: Birth & { web: boolean }): number {
  return web ? lastEnd(birth) : tokenEnd(birth)
}

function lastEnd({ provenAt, lifetimeMs }: Birth): number {
  return provenAt + Math.max(MAX_SIGN_IN_MS, lifetimeMs)
}

/** A replaced token ends at its expiry, but not before running calls. */
export function replacedEnd({ created_at, idle_ms, expires_at }: SessionRow, now: number): number {
  return Math.min(expires_at, Math.max(created_at + idle_ms, now + RENEW_GRACE_MS))
}

export function hasEnded(row: SessionRow, now: number): boolean {
  return row.revoked_at !== null || now >= row.expires_at || now - row.last_seen_at >= row.idle_ms
}

/** Whether to record that a session was used; also after the clock was set back. */
export function wantsTouch({ last_seen_at, idle_ms }: SessionRow, now: number): boolean {
  return Math.abs(now - last_seen_at) >= Math.min(TOUCH_EVERY_MS, idle_ms / 4)
}

/**
 * Whether the client should renew: half of the token's lifetime is over, or the account changed since. Never for a replaced token: renewing it would
 * end the family.
 */
export function shouldRenew(row: SessionRow, accountVersion: number, now: number): boolean {
  if (row.replaced_at !== null) return false
  return now > row.created_at + row.idle_ms / 2 || accountVersion > row.user_version
}

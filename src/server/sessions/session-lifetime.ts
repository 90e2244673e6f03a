import type { SessionRow } from './store.ts'

/** Sign-ins of one user; the one idle longest makes room. */
export const MAX_SIGN_INS = 50
/** Tokens of one sign-in that may be alive at once: renewing in a loop fills no disk. */
export const MAX_FAMILY = 500
/** Parallel tabs renew at the same moment; later than this it is somebody with a copy. */
export const RENEW_GRACE_MS = 30_000
/** However busy, a sign-in ends this long after the password was last given. */
export const MAX_SIGN_IN_MS = 30 * 24 * 3600_000
/** How long giving the password counts for changes that need it. */
export const PROOF_MS = 5 * 60_000

export const TOUCH_EVERY_MS = 60_000

interface Birth {
  created: number
  lifetimeMs: number
  provenAt: number
}

/** What a token says of its own end (`exp`). */
export function tokenEnd(birth: Birth): number {
  return Math.min(birth.created + birth.lifetimeMs, lastEnd(birth))
}

/**
 * When a session ends whatever happens. A token that anybody could carry away ends when it says so;
 * one bound to a cookie goes on while it is used, so that films and uploads sign nobody out.
 */
export function sessionEnd({ web, ...birth }: Birth & { web: boolean }): number {
  return web ? lastEnd(birth) : tokenEnd(birth)
}

function lastEnd({ provenAt, lifetimeMs }: Birth): number {
  return provenAt + Math.max(MAX_SIGN_IN_MS, lifetimeMs)
}

/** A token that was replaced ends when it says so, but not before the calls under way. */
export function replacedEnd({ created_at, idle_ms, expires_at }: SessionRow, now: number): number {
  return Math.min(expires_at, Math.max(created_at + idle_ms, now + RENEW_GRACE_MS))
}

export function hasEnded(row: SessionRow, now: number): boolean {
  return row.revoked_at !== null || now >= row.expires_at || now - row.last_seen_at >= row.idle_ms
}

/** Whether it is time to write down that a session was used; a clock that was set back counts too. */
export function wantsTouch({ last_seen_at, idle_ms }: SessionRow, now: number): boolean {
  return Math.abs(now - last_seen_at) >= Math.min(TOUCH_EVERY_MS, idle_ms / 4)
}

/**
 * Whether the client should renew: half of the token's life is over, or the account changed since.
 * Never said to the holder of a replaced token: renewing it would end the family.
 */
export function shouldRenew(row: SessionRow, accountVersion: number, now: number): boolean {
  if (row.replaced_at !== null) return false
  return now > row.created_at + row.idle_ms / 2 || accountVersion > row.user_version
}

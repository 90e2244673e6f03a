import type { ShareUnit, ShareWish } from '../../shared/contract/shares.ts'
import { SHARE_UNITS } from '../../shared/contract/shares.ts'
import { fail } from '../../shared/errors.ts'
import { MAX_SHARE_DURATION } from '../../shared/limits.ts'

/** What somebody wants of a new link. */
export interface Terms {
  /** Seconds since 1970; 0 for ever. */
  readonly expire: number
  /** Null for a link that anybody may open. */
  readonly password: string | null
}

const SECONDS: Record<ShareUnit, number> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 }

/**
 * Reads a wish: no duration, an empty one or 0 is a link that stays; any other unit than ours means hours (contract reference 1.17, decision 16).
 * Fails with `invalid-input` for a duration that is no whole number of 0..2147483647.
 */
export function readTerms({ expires, unit, password }: ShareWish, now: Date): Terms {
  const duration = readDuration(expires ?? '')
  const trimmed = password?.trim() ?? ''
  const expire = duration === 0 ? 0 : Math.floor(now.getTime() / 1000) + duration * SECONDS[unitOf(unit ?? '')]
  return { expire, password: trimmed === '' ? null : trimmed }
}

function readDuration(given: string | number): number {
  const text = String(given).trim()
  if (text === '') return 0
  const duration = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  return duration <= MAX_SHARE_DURATION
    ? duration
    : fail('invalid-input', { issues: [`expires: not a number of 0 to ${MAX_SHARE_DURATION}`] })
}

function unitOf(text: string): ShareUnit {
  return SHARE_UNITS.find((unit) => unit === text) ?? 'hours'
}

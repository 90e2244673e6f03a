import { SHARE_UNIT_SECONDS, type ShareUnit } from '../../shared/contract/shares.ts'
import { MAX_SHARE_DURATION } from '../../shared/limits.ts'

/** Whether a duration as typed can be sent: nothing at all, or a whole number up to the most (spec §5); 0 is for ever like nothing. */
export function isDuration(typed: string): boolean {
  const text = typed.trim()
  return text === '' || (/^\d+$/.test(text) && Number(text) <= MAX_SHARE_DURATION)
}

/** When a link made now would end, in seconds since 1970; 0 for one that stays. */
export function endOf(typed: string, unit: ShareUnit, now: Date): number {
  const amount = Number(typed.trim())
  return amount === 0 ? 0 : Math.floor(now.getTime() / 1000) + amount * SHARE_UNIT_SECONDS[unit]
}

import { describe, expect, it } from 'bun:test'
import { endOf, isDuration } from './lasting.ts'

describe('the duration of a link', () => {
  it('is a whole number up to 2147483647, or nothing (spec §5)', () => {
    expect(['', ' ', '0', '1', ' 12 ', '2147483647'].filter((typed) => !isDuration(typed))).toEqual([])
    expect(['-1', '1.5', '1e3', 'abc', '2147483648', '1 2', '٣'].filter(isDuration)).toEqual([])
  })

  it('counts from now in its unit, and is for ever when empty or 0', () => {
    const now = new Date(1_000_000)
    expect(endOf('2', 'hours', now)).toBe(1000 + 7200)
    expect(endOf('1', 'days', now)).toBe(1000 + 86_400)
    expect([endOf('', 'hours', now), endOf('0', 'days', now)]).toEqual([0, 0])
  })
})

import { describe, expect, it } from 'bun:test'
import { dayAhead, durationOf, expiresAt, type Expiry } from './expiry.ts'

const NOW = new Date(2026, 10, 23, 12, 0, 0)
const DAY = 86_400
const until = (term: Expiry['term'], date = ''): Expiry => ({ term, date })

describe('U11: how long a link lasts', () => {
  it('is a day, a week, a month, or for ever', () => {
    expect(durationOf(until('day'), NOW)).toEqual({ expires: '1', unit: 'days' })
    expect(durationOf(until('week'), NOW)).toEqual({ expires: '7', unit: 'days' })
    expect(durationOf(until('month'), NOW)).toEqual({ expires: '30', unit: 'days' })
    expect(durationOf(until('never'), NOW)).toEqual({ expires: '', unit: 'hours' })
    expect(expiresAt(until('week'), NOW)).toBe(NOW.getTime() / 1000 + 7 * DAY)
    expect(expiresAt(until('never'), NOW)).toBe(0)
  })

  it('is until the end of a day that one chooses, today at the earliest', () => {
    const seconds = 12 * 3600 - 1
    expect(durationOf(until('date', '2026-11-23'), NOW)).toEqual({ expires: String(seconds), unit: 'seconds' })
    expect(expiresAt(until('date', '2026-11-23'), NOW)).toBe(NOW.getTime() / 1000 + seconds)
    for (const wrong of ['2026-11-22', '', '2026-13-01', '9999-01-01']) {
      expect(durationOf(until('date', wrong), NOW)).toBeNull()
      expect(expiresAt(until('date', wrong), NOW)).toBeNull()
    }
    expect([dayAhead(0, NOW), dayAhead(8, NOW), dayAhead(39, NOW)]).toEqual(['2026-11-23', '2026-12-01', '2027-01-01'])
  })
})

import { expect, it } from 'bun:test'
import { daysUntil } from './time-left.tsx'

it('the time left is told in days that have begun', () => {
  const now = new Date('2026-11-26T12:00:00Z')
  const days = (at: string) => daysUntil(new Date(at), now)
  expect([days('2026-12-26T11:59:59Z'), days('2026-11-27T12:00:01Z'), days('2026-11-27T12:00:00Z')]).toEqual([30, 2, 1])
  // The server removes it at its next round.
  expect(days('2026-11-26T11:00:00Z')).toBe(0)
})

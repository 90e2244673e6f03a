import { expect, it } from 'bun:test'
import fc from 'fast-check'
import { timestamp, timestamps } from './timestamp.ts'

it.each([
  [0, '1970-01-01T00:00:00Z'],
  [Date.UTC(2026, 10, 21, 1, 2, 3, 400), '2026-11-21T01:02:03.4Z'],
  [Date.UTC(2026, 10, 21, 1, 2, 3, 4) + 0.25, '2026-11-21T01:02:03.00425Z'],
  [Date.UTC(2026, 10, 21, 23, 59, 59, 999) + 0.9999, '2026-11-22T00:00:00Z'],
  [-1, '1969-12-31T23:59:59.999Z'],
  [Number.NaN, '1970-01-01T00:00:00Z'],
])('%d ms is %s', (ms, text) => {
  expect(timestamp(ms)).toBe(text)
})

it('gives the same result in long lists', () => {
  const next = timestamps()
  fc.assert(
    fc.property(fc.oneof(fc.double({ min: -1e13, max: 4e12, noNaN: true }), fc.integer({ min: 1.79e12, max: 1.7901e12 })), (ms) => {
      const exact = Math.round(ms * 16) / 16
      expect(next(exact)).toBe(timestamp(exact))
    }),
    { numRuns: 2000 },
  )
  expect(next(Number.NaN)).toBe(timestamp(0))
})

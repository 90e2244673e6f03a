import { expect, it } from 'bun:test'
import { createDatabaseClock } from './database-clock.ts'

const NOW = Date.parse('2026-11-21T00:00:00Z')

it('goes by the clock of the database, from the middle of the question', async () => {
  let ticks = 5000
  const clock = createDatabaseClock(() => ticks)
  await clock.measure(async () => {
    ticks += 20
    return NOW
  })
  expect(clock.now()).toBe(NOW + 10)
  ticks += 1000
  expect(clock.now()).toBe(NOW + 1010)
})

it('keeps a good measurement instead of one that took long, for half a minute', async () => {
  let ticks = 0
  const clock = createDatabaseClock(() => ticks)
  const measure = (tookMs: number, time: number): Promise<void> =>
    clock.measure(async () => {
      ticks += tookMs
      return time
    })
  await measure(0, NOW)
  await measure(4000, NOW)
  expect(clock.now()).toBe(NOW + 4000)
  ticks += 40_000
  await measure(4000, NOW + 50_000)
  expect(clock.now()).toBe(NOW + 52_000)
})

import { expect, it } from 'bun:test'
import { openDatabase } from '../db/database.ts'
import { createOutbox } from './outbox.ts'

it('keeps a limited number of finished jobs, and all others', async () => {
  let now = Date.parse('2026-11-22T00:00:00Z')
  const clock = () => new Date(now)
  await using db = await openDatabase('memory', { clock })
  const jobs = createOutbox({ db, clock, mostKept: 3 })
  for (let n = 0; n < 6; n++) {
    now += 1000
    const job = await jobs.add('some', `${n}`, { dueInMs: 0 })
    if (n > 0) await jobs.finish(job, { done: true, report: '' })
  }
  await jobs.sweep()
  expect((await jobs.latest('some', 10)).map(({ task }) => task)).toEqual(['5', '4', '3', '0'])
  expect([await jobs.waiting('some'), await jobs.waiting('other')]).toEqual([1, 0])
})

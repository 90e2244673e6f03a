import { expect, it } from 'bun:test'
import { openDatabase } from '../db/database.ts'
import { createUserJobStore } from './user-job-store.ts'

const clock = () => new Date('2026-11-27T00:00:00Z')

it('shows a job that was cancelled elsewhere as cancelled, even if its server learns of that when it would change something', async () => {
  await using db = await openDatabase('memory', { clock })
  const jobs = createUserJobStore({ db, clock, server: 'one' })
  for (const id of ['cancelled', 'done', 'stopped']) await jobs.add({ id, userId: 1, kind: 'copy', task: '{}' }, { most: 9 })
  await jobs.cancel(1, 'cancelled')
  await jobs.cancel(1, 'done')
  await jobs.end('cancelled', 'interrupted', '')
  await jobs.end('done', 'done', '')
  await jobs.end('stopped', 'interrupted', '')
  const states = (await jobs.of(1, 9)).map(({ id, state }) => [id, state])
  expect(Object.fromEntries(states)).toEqual({ cancelled: 'cancelled', done: 'done', stopped: 'interrupted' })
})

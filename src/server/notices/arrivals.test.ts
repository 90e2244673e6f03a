import { expect, it } from 'bun:test'
import { openDatabase } from '../db/database.ts'
import { parseFilePath as at } from '../../shared/file-path.ts'
import { createOutbox } from '../jobs/outbox.ts'
import { MAIL_JOB } from '../mail/mailer.ts'
import { createArrivals, GATHER_MS, MOST_WAITING, SPACING_MS } from './arrivals.ts'

const arrival = (n: number) => ({ userId: 7, kind: 'arrived', share: 'link', place: at(`/box/${n}`) }) as const

it('plans one mail for what arrives together, the next half an hour after it, and keeps a limited number of names', async () => {
  let now = Date.parse('2026-11-27T00:00:00Z')
  const clock = () => new Date(now)
  await using db = await openDatabase('memory', { clock })
  const arrivals = createArrivals({ db, clock })
  const outbox = createOutbox({ db, clock })
  expect([await arrivals.add(arrival(0)), await arrivals.add(arrival(1))]).toEqual([true, false])
  expect(await outbox.claim([MAIL_JOB])).toBe(null)
  now += GATHER_MS
  const job = (await outbox.claim([MAIL_JOB])) ?? expect.unreachable()
  expect((await arrivals.claim(7, job.id)).map(({ place }) => String(place))).toEqual(['/box/0', '/box/1'])
  // What comes while it is being sent is for the next one; a second attempt tells the same.
  expect(await arrivals.add(arrival(2))).toBe(true)
  expect((await arrivals.claim(7, job.id)).length).toBe(2)
  await arrivals.remove(job.id)
  await outbox.finish(job, { done: true, report: '' })

  now += GATHER_MS
  const second = (await outbox.claim([MAIL_JOB])) ?? expect.unreachable()
  await arrivals.claim(7, second.id)
  await arrivals.remove(second.id)
  await outbox.finish(second, { done: true, report: '' })
  for (let n = 0; n < MOST_WAITING + 5; n++) await arrivals.add(arrival(n))
  now += SPACING_MS - 1
  expect(await outbox.claim([MAIL_JOB])).toBe(null)
  now += 1
  const third = (await outbox.claim([MAIL_JOB])) ?? expect.unreachable()
  expect((await arrivals.claim(7, third.id)).length).toBe(MOST_WAITING)
})

it('forgets after a week what nobody was told', async () => {
  let now = 0
  const clock = () => new Date(now)
  await using db = await openDatabase('memory', { clock })
  const arrivals = createArrivals({ db, clock })
  await arrivals.add(arrival(0))
  now += 7 * 24 * 3600_000
  await arrivals.add(arrival(1))
  await arrivals.sweep()
  expect((await arrivals.claim(7, 'job')).map(({ place }) => String(place))).toEqual(['/box/1'])
})

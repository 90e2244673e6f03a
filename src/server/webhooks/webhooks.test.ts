import { createServer } from 'node:net'
import { expect, it } from 'bun:test'
import { parseFilePath } from '../../shared/file-path.ts'
import { EVERYTHING } from '../access/everything.ts'
import { openDatabase } from '../db/database.ts'
import type { Operation } from '../drive/operation.ts'
import { createOutbox } from '../jobs/outbox.ts'
import { createReach } from './reach.ts'
import type { StoredWebhook } from './store.ts'
import { createWebhooks, WEBHOOK_JOB, type WebhookTask } from './webhooks.ts'

const NOW = new Date('2026-11-22T00:00:00Z')

it('waits once for a server that does not respond, so that other deliveries continue', async () => {
  let connections = 0
  const silent = createServer(() => void (connections += 1))
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
  const { port } = silent.address() as { port: number }
  let now = NOW.getTime()
  await using world = await webhooksTo(`http://127.0.0.1:${port}/`, () => new Date(now))
  const tasks = [await world.job(), await world.job()] as const
  const perform = async (at: 0 | 1) => (await world.webhooks.perform(tasks[at], new AbortController().signal)).report
  expect([await perform(0), await perform(1), connections]).toEqual([
    'no answer within 0.25 seconds',
    'not tried: there was no answer a moment ago',
    1,
  ])
  now += 30_000
  expect([await perform(1), connections]).toEqual(['no answer within 0.25 seconds', 2])
  silent.close()
})

it('limits the stored deliveries, and logs it once', async () => {
  await using world = await webhooksTo('http://127.0.0.1:1/', () => NOW, { waiting: 9999 })
  for (let n = 0; n < 3; n++) await world.webhooks.observer.after?.(SAVED, SAVED)
  expect([(await world.jobs.latest(WEBHOOK_JOB, 10)).length, world.logged]).toEqual([
    1,
    ['webhooks: 10000 deliveries wait already, more are not kept'],
  ])
})

const SAVED: Operation = { kind: 'save', path: parseFilePath('/a.txt'), user: null, access: EVERYTHING }

/** @param options.waiting so many deliveries besides */
async function webhooksTo(url: string, clock: () => Date, { waiting = 0 } = {}) {
  const db = await openDatabase('memory', { clock })
  const kept = createOutbox({ db, clock })
  const outbox = { ...kept, waiting: async (kind: string) => waiting + (await kept.waiting(kind)) }
  const hook: StoredWebhook = { id: 'one', url, events: ['after_save'], secret: 'secret', enabled: true, createdAt: NOW }
  const store = { all: async () => [hook], find: async () => hook }
  const logged: string[] = []
  const log = (line: string): void => void logged.push(line)
  const reach = createReach({ allowed: ['127.0.0.0/8'] })
  const body = { event: 'after_save', user: null, path: '/a.txt', destination: null, time: NOW.toISOString() } as const
  return {
    webhooks: createWebhooks({ store, outbox, reach, wake: () => {}, clock, log, attemptMs: 250 }),
    jobs: outbox,
    logged,
    job: () => outbox.add(WEBHOOK_JOB, JSON.stringify({ hook: hook.id, url, body } satisfies WebhookTask), { dueInMs: 0 }),
    [Symbol.asyncDispose]: () => db.destroy(),
  }
}

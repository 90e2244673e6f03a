import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Outbox } from '../jobs/outbox.ts'
import { createOutboxWorker } from '../jobs/outbox-worker.ts'
import { createHistoryFeed } from './history-feed.ts'
import { createReach } from './reach.ts'
import { createWebhookStore } from './store.ts'
import { createWebhooks, MOST_WAITING, WEBHOOK_JOB } from './webhooks.ts'

const CONCURRENCY = 4
const POLL_MS = 15_000

export interface WebhooksModuleOptions {
  readonly db: Kysely<Schema>
  readonly outbox: Outbox
  readonly clock: () => Date
  /** Resolves when everything that this server has done is in the journal. */
  readonly settled: () => Promise<void>
  readonly log: (line: string) => void
  /** Networks that webhooks may reach although they are not public. */
  readonly networks: readonly string[] | undefined
}

/** Webhooks, with a worker of their own: an address that does not answer must not delay hooks. */
export function createWebhooksModule({ db, outbox, clock, settled, log, networks = [] }: WebhooksModuleOptions) {
  const store = createWebhookStore(db)
  const reach = createReach({ allowed: networks })
  const webhooks = createWebhooks({ store, outbox, reach, wake: () => webhookWorker.wake(), clock, log })
  const handlers = { [WEBHOOK_JOB]: webhooks.perform }
  const webhookWorker = createOutboxWorker({ outbox, handlers, log, concurrency: CONCURRENCY, pollMs: POLL_MS })
  const wake = (): void => webhookWorker.wake()
  const history = createHistoryFeed({ db, store, settled, job: WEBHOOK_JOB, mostWaiting: MOST_WAITING, wake, clock, log })
  return {
    services: { webhooks: { store, webhooks, reach, clock, webhookWorker, history } },
    observer: webhooks.observer,
    async stop(): Promise<void> {
      await history.stop()
      await webhookWorker.stop()
    },
  }
}

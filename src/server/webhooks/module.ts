import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { BackgroundJobStore } from '../jobs/background-jobs.ts'
import { createWorker } from '../jobs/worker.ts'
import { createReach } from './reach.ts'
import { createWebhookStore } from './store.ts'
import { createWebhooks, WEBHOOK_JOB } from './webhooks.ts'

const AT_ONCE = 4
const LOOK_EVERY_MS = 15_000

export interface WebhooksModuleOptions {
  readonly db: Kysely<Schema>
  readonly jobs: BackgroundJobStore
  readonly clock: () => Date
  readonly log: (line: string) => void
  /** Networks that are not public and may be reached all the same. */
  readonly networks: readonly string[] | undefined
}

/** Webhooks, with a worker of their own: an address that does not answer must not delay hooks. */
export function createWebhooksModule({ db, jobs, clock, log, networks = [] }: WebhooksModuleOptions) {
  const store = createWebhookStore(db)
  const reach = createReach({ allowed: networks })
  const webhooks = createWebhooks({ store, jobs, reach, wake: () => courier.wake(), clock, log })
  const performers = { [WEBHOOK_JOB]: webhooks.perform }
  const courier = createWorker({ store: jobs, performers, log, places: AT_ONCE, everyMs: LOOK_EVERY_MS })
  return { services: { webhooks: { store, webhooks, reach, clock, courier } }, observer: webhooks.observer, stop: courier.stop }
}

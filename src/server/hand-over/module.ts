import type { Kysely } from 'kysely'
import { isShared } from '../db/database-kind.ts'
import type { Schema } from '../db/schema.ts'
import type { Outbox } from '../jobs/outbox.ts'
import { createOutboxWorker } from '../jobs/outbox-worker.ts'
import { createHandOvers, type HandOversDeps } from './hand-over.ts'
import { createPerform, type PerformDeps } from './perform.ts'
import { HAND_OVER_JOB } from './task.ts'

/** Also for those that the command line asked for. */
const POLL_MS = 3000

export interface HandOverModuleOptions extends Omit<HandOversDeps, 'outbox' | 'wake' | 'users'>, Omit<PerformDeps, 'outbox'> {
  readonly db: Kysely<Schema>
  readonly outbox: Outbox
}

/** Handing over what somebody leaves, with a worker of its own: it may take hours. */
export function createHandOverModule(options: HandOverModuleOptions) {
  const { db, outbox, log } = options
  const handlers = { [HAND_OVER_JOB]: createPerform(options) }
  const worker = createOutboxWorker({ outbox, handlers, log, concurrency: 1, pollMs: POLL_MS })
  return {
    services: { handOvers: createHandOvers({ ...options, wake: () => worker.wake() }) },
    /** Call it once, at the start. */
    async recover(): Promise<void> {
      if (isShared(db)) return
      await outbox.release(HAND_OVER_JOB)
      worker.wake()
    },
    stop: (): Promise<void> => worker.stop(),
  }
}

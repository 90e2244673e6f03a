import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { createClientLimit } from '../sessions/client-limit.ts'
import { createLoginFlows } from './login-flows.ts'

/** Sign-ins of sync clients. */
export function createSyncModule({ db, clock }: { db: Kysely<Schema>; clock: () => Date }) {
  return {
    loginFlows: createLoginFlows({ db, clock }),
    /** Each person signs in now and then, and several of them may share an address. */
    countLoginFlow: createClientLimit({ clock, burst: 30, perSecond: 0.1 }),
    /** Clients ask every second or two. */
    countPoll: createClientLimit({ clock, burst: 300, perSecond: 5 }),
  }
}

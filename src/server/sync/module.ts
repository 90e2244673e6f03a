import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { createClientLimit } from '../sessions/client-limit.ts'
import { networksOf } from '../users/networks.ts'
import { createLoginFlows } from './login-flows.ts'

/** Sign-ins of sync clients. */
export function createSyncModule({ db, clock }: { db: Kysely<Schema>; clock: () => Date }) {
  /** Each person signs in now and then, and several of them may share an address. */
  const countOwn = createClientLimit({ clock, burst: 30, perSecond: 0.1 })
  /** A company, or somebody with as many addresses as they like. */
  const countSite = createClientLimit({ clock, burst: 100, perSecond: 0.3 })
  /** Clients ask every second or two. */
  const countPoll = createClientLimit({ clock, burst: 300, perSecond: 5 })
  const loginFlows = createLoginFlows({ db, clock })
  return {
    services: {
      loginFlows,
      countLoginFlow(address: string) {
        const { own, site } = networksOf(address)
        countOwn(own)
        countSite(site)
      },
      countPoll: (address: string) => countPoll(networksOf(address).own),
    },
    sweeps: { loginFlows: () => loginFlows.sweep() },
  }
}

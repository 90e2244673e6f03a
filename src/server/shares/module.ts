import type { Kysely } from 'kysely'
import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import type { Schema } from '../db/schema.ts'
import { followDeeds } from './follow.ts'
import { createLedger } from './ledger.ts'
import { createShares } from './shares.ts'
import { createShareStore } from './store.ts'
import { createVisits, type VisitDeps } from './visit.ts'
import { createVisitsBook } from './visits.ts'

export interface SharesModuleOptions extends Omit<VisitDeps, 'store' | 'visits'> {
  readonly db: Kysely<Schema>
}

/** Links, their visitors, and what visitors send. */
export function createSharesModule({ db, ...options }: SharesModuleOptions) {
  const { clock, house } = options
  const store = createShareStore(db)
  const ledger = createLedger(db)
  const visits = createVisitsBook(db)
  return {
    services: {
      shares: createShares({ ...options, store, visits }),
      visit: createVisits({ ...options, store }),
      receiving: { store, ledger, book: visits, turns: createKeyedMutex(), clock },
    },
    observer: followDeeds({ store, house }),
    sweeps: {
      links: () => store.sweep(clock()),
      downloads: () => ledger.sweep(clock()),
      visits: () => visits.sweep(clock()),
    },
  }
}

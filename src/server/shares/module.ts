import type { Kysely } from 'kysely'
import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import type { Schema } from '../db/schema.ts'
import { followOperations } from './follow-operations.ts'
import { createQuota } from './quota.ts'
import { createShares } from './shares.ts'
import { createPeopleShares, type PeopleSharesDeps } from './people.ts'
import { createPeopleStore } from './people-store.ts'
import { createShareStore } from './store.ts'
import { createVisits, type VisitDeps } from './visit.ts'
import { createVisitLog } from './visit-log.ts'

export interface SharesModuleOptions
  extends Omit<VisitDeps, 'store' | 'visits'>, Pick<PeopleSharesDeps, 'countSearch' | 'countShare' | 'tell'> {
  readonly db: Kysely<Schema>
}

export function createSharesModule({ db, ...options }: SharesModuleOptions) {
  const { clock, systemDrive } = options
  const store = createShareStore(db)
  const quota = createQuota(db)
  const visitLog = createVisitLog(db)
  return {
    services: {
      shares: createShares({ ...options, store, visits: visitLog }),
      visit: createVisits({ ...options, store }),
      peopleShares: createPeopleShares({ ...options, store: createPeopleStore(db) }),
      receiving: { store, quota, visitLog, mutex: createKeyedMutex(), clock },
    },
    ...followOperations({ store, systemDrive }),
    sweeps: {
      links: () => store.sweep(clock()),
      downloads: () => quota.sweep(clock()),
      visits: () => visitLog.sweep(clock()),
    },
  }
}

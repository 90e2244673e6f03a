import type { Kysely } from 'kysely'
import { isShared } from '../db/database-kind.ts'
import type { Schema } from '../db/schema.ts'
import { createLeases } from './leases.ts'
import { createUploadStore } from './store.ts'
import { createSweep, type SweepDeps } from './sweep.ts'
import { UPLOAD_EXPIRY_MS } from './uploads.ts'

export interface UploadsModuleOptions {
  readonly db: Kysely<Schema>
  readonly clock: () => Date
  readonly staging: SweepDeps['staging']
}

/** Uploads in progress. */
export function createUploadsModule({ db, clock, staging }: UploadsModuleOptions) {
  const store = createUploadStore(db)
  const uploads = { store, leases: createLeases({ store, clock, isAlone: !isShared(db) }), clock, expiryMs: UPLOAD_EXPIRY_MS }
  const sweep = createSweep({ ...uploads, staging })
  return { services: { uploads }, sweeps: { uploads: () => sweep() } }
}

import type { Kysely } from 'kysely'
import type { Bus } from '../bus/bus.ts'
import { isShared } from '../db/database-kind.ts'
import type { Schema } from '../db/schema.ts'
import { createLeases } from './leases.ts'
import { createPieceStore } from './piece-store.ts'
import { createUploadStore } from './store.ts'
import { createSweep, endUploadsOfLinks, type SweepDeps } from './sweep.ts'
import { UPLOAD_EXPIRY_MS, VISITOR_EXPIRY_MS } from './uploads.ts'

export interface UploadsModuleOptions {
  readonly db: Kysely<Schema>
  readonly bus: Pick<Bus, 'on'>
  readonly clock: () => Date
  readonly log: (line: string) => void
  readonly staging: SweepDeps['staging']
}

/** Uploads in progress. */
export function createUploadsModule({ db, bus, clock, log, staging }: UploadsModuleOptions) {
  const store = createUploadStore(db)
  const uploads = { store, leases: createLeases({ store, clock, isAlone: !isShared(db) }), clock, expiryMs: UPLOAD_EXPIRY_MS }
  const deps = { ...uploads, visitorExpiryMs: VISITOR_EXPIRY_MS, staging }
  const sweep = createSweep(deps)
  bus.on('share.changed', () => void endUploadsOfLinks(deps).catch((error: unknown) => log(`uploads of ended links: ${String(error)}`)))
  const pieces = { ...uploads, pieces: createPieceStore(db) }
  return { services: { uploads, pieces, visitorUploads: { ...uploads, expiryMs: VISITOR_EXPIRY_MS } }, sweeps: { uploads: () => sweep() } }
}

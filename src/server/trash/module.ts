import type { Kysely } from 'kysely'
import { isShared } from '../db/database-kind.ts'
import type { Schema } from '../db/schema.ts'
import type { Bin } from '../drive/bin.ts'
import type { Bus } from '../bus/bus.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import type { Actor } from '../drive/operation.ts'
import type { Journal } from '../journal/journal.ts'
import type { Viewer } from '../access/viewer.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { KeptStorage } from './kept-storage.ts'
import type { PreparedJob } from '../user-jobs/prepared-job.ts'
import { prepareEmpty } from './empty.ts'
import type { TrashFollower } from './follower.ts'
import { createPurge, type PurgeDeps } from './purge.ts'
import { recover } from './recovery.ts'
import { createTrash, type Trash } from './trash.ts'
import { createTrashBin } from './trash-bin.ts'

/** A server that has not settled an operation for this long is dead; if it lives after all, it settles it again. */
const LEASE_MS = 10 * 60_000

export interface TrashModuleOptions {
  readonly db: Kysely<Schema>
  readonly journal: Journal
  readonly storage: KeptStorage
  readonly settings: SettingsReader
  readonly quotaOf: PurgeDeps['quotaOf']
  readonly driveFor: DriveFor
  readonly followers: readonly TrashFollower[]
  readonly bus: Pick<Bus, 'announce'>
  readonly clock: () => Date
  readonly log: (line: string) => void
}

export interface TrashServices {
  readonly trash: Trash
  readonly prepareEmpty: (viewer: Viewer, options: { all: boolean; address: string | null }) => PreparedJob
}

export function createTrashModule({ db, followers, ...options }: TrashModuleOptions) {
  const { clock } = options
  const started = clock().getTime()
  const purge = createPurge({
    ...options,
    async onPurged(entry) {
      for (const follower of followers) await follower.purged(entry)
    },
  })
  const deps = { ...options, purge, followers }
  const services: TrashServices = {
    trash: createTrash(deps),
    prepareEmpty: (viewer, more) => prepareEmpty(deps, { viewer, ...more }),
  }

  const stopping = new AbortController()
  let recovering: Promise<void> = Promise.resolve()
  function recoverFrom(before: number, { lost = false } = {}): Promise<void> {
    recovering = recover(deps, { before, lost, signal: stopping.signal })
    return recovering
  }

  return {
    services,
    /** @param storage as this person changes it */
    bin: (actor: Actor, storage: KeptStorage): Bin => createTrashBin({ ...deps, storage }, actor),
    /** Call it once, at the start. */
    recover: () => recoverFrom(isShared(db) ? clock().getTime() - LEASE_MS : started, { lost: true }),
    sweeps: {
      trashRecovery: () => recoverFrom(clock().getTime() - LEASE_MS),
      trashStarted: () => purge.finishStarted(),
      trash: () => purge.sweep(),
    },
    async stop(): Promise<void> {
      stopping.abort()
      await recovering.catch(() => undefined)
      await purge.stop()
    },
  }
}

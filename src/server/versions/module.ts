import type { Kysely } from 'kysely'
import type { FilePath } from '../../shared/file-path.ts'
import { createLru } from '../../shared/lru.ts'
import { isShared } from '../db/database-kind.ts'
import type { Schema } from '../db/schema.ts'
import type { Drive } from '../drive/drive.ts'
import type { Actor } from '../drive/operation.ts'
import { resetVersion } from '../drive/use-versions.ts'
import type { Versions } from '../drive/versions.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Storage } from '../storage/storage.ts'
import { createDropper } from './dropper.ts'
import { followFiles } from './follow-files.ts'
import { reconcile } from './recovery.ts'
import { createRoom } from './room.ts'
import { createSettlement } from './settlement.ts'
import { createVersionStore } from './store.ts'
import { thinOut } from './thinning.ts'
import { createDriveVersions, type LastSave } from './drive-versions.ts'

/** A server that has not settled a version for this long is dead; if it lives after all, it settles it again. */
const LEASE_MS = 10 * 60_000
const SAVES_REMEMBERED = 10_000

export interface VersionsModuleOptions {
  readonly db: Kysely<Schema>
  readonly storage: Storage
  readonly settings: SettingsReader
  readonly systemDrive: Drive
  readonly clock: () => Date
  readonly log: (line: string) => void
}

export function createVersionsModule({ db, ...options }: VersionsModuleOptions) {
  const { storage, systemDrive, clock } = options
  const started = clock().getTime()
  const store = createVersionStore(db)
  const settlement = createSettlement({ ...options, store })
  const dropper = createDropper({ ...options, store })
  const room = createRoom({ ...options, store, dropper })
  const lastSaves = createLru<FilePath, LastSave>(SAVES_REMEMBERED)
  const deps = { ...options, store, settlement, dropper, room, lastSaves }
  const stale = (): number => clock().getTime() - LEASE_MS

  return {
    of: (actor: NonNullable<Actor>): Versions => createDriveVersions(deps, actor),
    ...followFiles({ store, dropper, systemDrive }),
    /** For the journal, which settles what a server that died has begun. */
    kept: {
      async holds(id: string): Promise<boolean> {
        const version = await store.findAnywhere(id)
        return version !== null && (await storage.statKept(version.kept)) !== null
      },
      async notRestored({ version: id, was }: { version: string; was: { mode: number; modified: number } | null }): Promise<void> {
        const version = was === null ? null : await store.findAnywhere(id)
        if (version !== null && was !== null) await resetVersion(storage, version, was)
      },
    },
    /** Call it once, at the start. */
    async recover(): Promise<void> {
      await settlement.settleStale({ before: isShared(db) ? stale() : started })
      await reconcile({ ...options, storage, store })
    },
    sweeps: {
      versionsUnsettled: () => settlement.settleStale({ before: stale() }),
      async versions(): Promise<void> {
        await settlement.settled()
        await thinOut(deps)
      },
      versionsShare: () => room.check(),
    },
    async stop(): Promise<void> {
      await settlement.settled()
      await room.stop()
      await dropper.stop()
    },
  }
}

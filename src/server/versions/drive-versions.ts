import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import type { Lru } from '../../shared/lru.ts'
import type { Actor } from '../drive/operation.ts'
import type { Replace, Version, VersionPolicy, Versions } from '../drive/versions.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Kept, Stat, Storage } from '../storage/storage.ts'
import type { Dropper } from './dropper.ts'
import type { Room } from './room.ts'
import type { Settlement } from './settlement.ts'
import type { StoredVersion, VersionStore } from './store.ts'

/** Saves of one person within this time leave one version. */
export const INTERIM_MS = 10 * 60_000

/** The last save of a file, and since when its saver's saves leave no further version. */
export interface LastSave {
  readonly userId: number
  readonly since: number
  readonly content: string
}

export interface DriveVersionsDeps {
  readonly storage: Storage
  readonly store: VersionStore
  readonly settlement: Settlement
  readonly room: Room
  readonly dropper: Dropper
  readonly settings: SettingsReader
  /** By storage path. If a save is missing, a version too many is kept. */
  readonly lastSaves: Lru<FilePath, LastSave>
  readonly clock: () => Date
  readonly log: (line: string) => void
}

/** The versions of files as one person's Drive uses them. */
export function createDriveVersions(
  { storage, store, settlement, room, dropper, settings, lastSaves, clock, log }: DriveVersionsDeps,
  actor: NonNullable<Actor>,
): Versions {
  /** Null if its content does not become a version. */
  async function keepingOf(file: FilePath, days: number): Promise<{ volume: FilePath; stat: Stat } | null> {
    // Content has no other names: nobody could ask for its versions.
    if (days === 0 || file === ROOT || !file.isWellFormed()) return null
    const stat = await storage.stat(file)
    if (stat?.kind !== 'file') return null
    const volume = await storage.keepingVolume(file)
    return volume !== null && (await room.fits(volume, stat.size)) ? { volume, stat } : null
  }

  /** A version that cannot be recorded is no reason to lose what is to be saved. */
  async function begin(file: FilePath): Promise<StoredVersion | null> {
    try {
      const keeping = await keepingOf(file, (await settings.read()).versionDays)
      if (keeping === null) return null
      const { volume, stat } = keeping
      const { size, modified, identity } = stat
      const id = Bun.randomUUIDv7()
      const kept: Kept = { area: 'versions', volume, id }
      const version = { id, file, kept, at: clock().getTime(), by: actor.name, size, modified, identity, state: 'intended' } as const
      await store.begin(version)
      return version
    } catch (error) {
      // The disk tells of what is wrong with the file.
      if (!isAppError(error, 'not-found') && !isAppError(error, 'already-exists'))
        log(`versions: nothing is kept of ${file}: ${String(error)}`)
      return null
    }
  }

  async function replacing<T>(file: FilePath, replace: Replace<T>): Promise<T> {
    const version = await begin(file)
    if (version === null) return replace(undefined, { isInterim: false })
    try {
      const result = await replace(version.kept, { isInterim: false })
      settlement.add(version)
      room.added(version.kept.volume, version.size)
      return result
    } catch (error) {
      await settlement.settleNow(version)
      // Where there is no room for one more folder, or none is allowed, what is to be saved counts more.
      if (!isAppError(error, 'storage-full') && !isAppError(error, 'forbidden')) throw error
      const result = await replace(undefined, { isInterim: false })
      log(`versions: nothing is kept of ${file}: ${String(error)}`)
      return result
    }
  }

  async function beginEmptying(folder: FilePath): Promise<StoredVersion | null> {
    try {
      if ((await settings.read()).versionDays === 0) return null
      const [stat, volume] = [await storage.stat(folder), await storage.keepingVolume(folder)]
      if (stat?.kind !== 'folder' || volume === null) return null
      const { modified, identity } = stat
      const id = Bun.randomUUIDv7()
      const kept: Kept = { area: 'versions', volume, id }
      const version = {
        id,
        file: null,
        kept,
        at: clock().getTime(),
        by: actor.name,
        size: 0,
        modified,
        identity,
        state: 'intended',
      } as const
      await store.begin(version)
      return version
    } catch (error) {
      log(`versions: the emptied folder ${folder} is not kept: ${String(error)}`)
      return null
    }
  }

  async function ifDone(version: StoredVersion | null): Promise<Version | null> {
    return version === null || (version.state !== 'done' && !(await settlement.isDone(version))) ? null : version
  }

  return {
    replacing(file, replace) {
      // What is restored here was not saved here.
      lastSaves.delete(file)
      return replacing(file, replace)
    },

    async policy(file): Promise<VersionPolicy> {
      const { versionDays: days, versionShare: share } = await settings.read()
      const keeping = await keepingOf(file, days)
      return { days, share, keeps: keeping !== null && keeping.stat.size > 0 }
    },

    async list(file): Promise<Version[]> {
      const found: Version[] = []
      for (const version of await store.of(file)) {
        // Empty ones are kept so that they can come back, but nobody looks for them.
        if (version.size > 0 && (version.state === 'done' || (await settlement.isDone(version)))) found.push(version)
      }
      return found
    },

    async find(file, id): Promise<Version | null> {
      return ifDone(await store.find(file, id))
    },

    findAnywhere: async (id) => ifDone(await store.findAnywhere(id)),

    async emptying(folder, remove): Promise<void> {
      const version = await beginEmptying(folder)
      if (version === null) return remove(undefined)
      try {
        await remove(version.kept)
      } finally {
        await settlement.settleNow(version)
      }
    },

    async saving(file, replace): Promise<Stat> {
      const now = clock().getTime()
      const last = lastSaves.get(file)
      const isMine = last !== undefined && last.userId === actor.id && now - last.since < INTERIM_MS
      // What somebody else wrote meanwhile, with whatever program, is not the saver's to lose.
      const isInterim = isMine && contentOf(await storage.stat(file)) === last.content
      const stat = await (isInterim ? replace(undefined, { isInterim }) : replacing(file, replace))
      lastSaves.set(file, { userId: actor.id, since: isInterim ? last.since : now, content: contentOf(stat) })
      return stat
    },

    async restored(version): Promise<void> {
      await store.forget([version.id])
      // A copy may have been restored.
      if ((await storage.statKept(version.kept)) !== null) await storage.dropKept(version.kept)
    },

    async remove(version): Promise<void> {
      if (!(await store.drop({ ids: [version.id] }))) fail('not-found', {})
      await dropper.dropOne(version)
    },
  }
}

function contentOf(stat: Stat | null): string {
  return stat === null ? '' : `${stat.identity} ${stat.size} ${stat.modified}`
}

import { fail, isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Bin, Trashed, TrashedNode } from '../drive/bin.ts'
import type { Actor } from '../drive/operation.ts'
import type { Journal } from '../journal/journal.ts'
import type { JournalEntry, Performer } from '../journal/operation-row.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Kept, Stat } from '../storage/storage.ts'
import type { KeptStorage } from './kept-storage.ts'
import type { Purge } from './purge.ts'

export interface TrashBinDeps {
  readonly storage: KeptStorage
  readonly journal: Journal
  readonly settings: SettingsReader
  readonly purge: Pick<Purge, 'makeRoom' | 'afterRemoval' | 'remove'>
  readonly clock: () => Date
  readonly log: (line: string) => void
}

/** What became of one attempt; `full`: nothing was done, because the disk is full, also without what was in the trash. */
type Attempt = Trashed | 'elsewhere' | 'full'

/** A deletion makes room for its own folder by removing so many others at most. */
const MOST_REMOVED = 10

/** The trash as one person's Drive uses it. */
export function createTrashBin({ storage, journal, settings, purge, clock, log }: TrashBinDeps, actor: Actor): Bin {
  const by: Performer = { id: actor?.id ?? 0, name: actor?.name ?? '', via: actor?.via ?? 'api' }
  const group = actor?.group ?? Bun.randomUUIDv7()

  const entryOf = (
    kept: Kept,
    more: Pick<JournalEntry, 'id' | 'kind' | 'path' | 'identity' | 'folder' | 'size'> & Partial<Pick<JournalEntry, 'version'>>,
  ): JournalEntry => ({
    version: null,
    restored: null,
    ...more,
    group,
    at: clock().getTime(),
    by,
    origin: null,
    modified: null,
    reverts: actor?.reverts ?? null,
    state: 'intended',
    kept: { volume: kept.volume, id: kept.id },
  })

  /** On a full disk, removes the oldest entries to make room for the folder of this one. */
  async function keepSomehow(place: FilePath, kept: Kept): Promise<Stat | null> {
    for (let removed = 0; ; removed++) {
      try {
        return await storage.keep(place, kept)
      } catch (error) {
        if (!isAppError(error, 'storage-full') || removed === MOST_REMOVED || !(await purge.makeRoom(kept.volume))) throw error
      }
    }
  }

  /** What became of a node is what the disk says. If the journal cannot be written now, the next sweep does it. */
  async function settle(entry: JournalEntry, stat: Pick<Stat, 'kind' | 'size'> | null): Promise<void> {
    try {
      const size = stat === null || stat.kind === 'folder' ? null : stat.size
      await journal.change(entry.id, { from: ['intended', 'failed'], to: stat === null ? 'failed' : 'done', size })
    } catch (error) {
      log(`trash: ${entry.id} will be settled later: ${String(error)}`)
    }
  }

  async function keepOnce(place: FilePath, stat: Stat, volume: FilePath): Promise<Attempt> {
    const id = Bun.randomUUIDv7()
    const kept: Kept = { area: 'trash', volume, id }
    const { identity, kind } = stat
    const entry = entryOf(kept, { id, kind: 'delete', path: place, identity, folder: kind === 'folder', size: null })
    try {
      await journal.begin(entry)
    } catch (error) {
      if (isAppError(error, 'storage-full')) return 'full'
      throw error
    }
    try {
      const moved = await keepSomehow(place, kept)
      await settle(entry, moved)
      if (moved === null) return 'elsewhere'
    } catch (error) {
      const found = await storage.statKept(kept).catch(() => undefined)
      if (found !== undefined) await settle(entry, found)
      if (found === null && isAppError(error, 'storage-full')) return 'full'
      throw error
    }
    purge.afterRemoval()
    actor?.onChanged?.()
    return { id }
  }

  return {
    async keep(place, stat) {
      if ((await settings.read()).trashDays === 0) return null
      for (const _attempt of [1, 2]) {
        const volume = await storage.keepingVolume(place)
        // Somebody else may have deleted it meanwhile, perhaps to the trash.
        if (volume === null) return (await storage.stat(place)) === null ? fail('not-found', {}) : null
        const trashed = await keepOnce(place, stat, volume)
        if (typeof trashed === 'object') return trashed
        if (trashed === 'elsewhere') continue
        // A client that knows of the trash may delete for good instead. Other clients cannot, and delete because the disk is full.
        return by.via === 'api' || by.via === 'token' ? null : fail('storage-full', {})
      }
      // Its file system changes at this moment: not to be removed for good when it should have been kept.
      return fail('busy', {})
    },

    async restore(node: TrashedNode, to, options) {
      const id = Bun.randomUUIDv7()
      const { kept } = node
      const stat = await storage.statKept(kept)
      if (stat === null) {
        // Somebody removed it from the disk.
        const lost = await journal.find(node.id)
        if (lost !== null) await purge.remove(lost)
        return fail('not-found', {})
      }
      const folder = stat.kind === 'folder'
      const size = folder ? null : stat.size
      const entry = entryOf(kept, {
        id,
        kind: 'restore',
        path: to,
        identity: stat.identity,
        folder,
        size,
        version: options.keep?.id ?? null,
      })
      if (!(await journal.beginRestore(node.id, entry))) fail('not-found', {})
      let restored = false
      try {
        restored = await storage.restoreKept(kept, to, options)
        if (restored) actor?.onChanged?.()
        else fail('invalid-input', { issues: ['to: on another disk; restore it to where it was, then move it'] })
      } catch (error) {
        // It may be back although the disk failed afterwards.
        restored = (await storage.statKept(kept).catch(() => stat)) === null
        throw error
      } finally {
        await journal
          .endRestore(node.id, { restored })
          .catch((error: unknown) => log(`trash: ${node.id} will be settled later: ${String(error)}`))
      }
    },
  }
}

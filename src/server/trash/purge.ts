import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import { type FilePath, joinPath, ROOT } from '../../shared/file-path.ts'
import { largestFirst } from '../../shared/largest-first.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { Journal } from '../journal/journal.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { type Kept, kindOf } from '../storage/storage.ts'
import type { KeptStorage } from './kept-storage.ts'
import { keptOf } from './kept-of.ts'

/**
 * Removes what is in the trash for good: what is too old, and beyond the trash's share of a disk, or when that is nearly full, the oldest of the person
 * who deleted most.
 */
export type Purge = ReturnType<typeof createPurge>

export interface PurgeDeps {
  readonly storage: KeptStorage
  readonly journal: Journal
  readonly settings: SettingsReader
  /** The bytes that a person may have by their quotas; null for no limit. */
  readonly quotaOf: (userId: number) => Promise<number | null>
  readonly clock: () => Date
  readonly log: (line: string) => void
  /** Called before the entry is settled, and again if the server died meanwhile. */
  readonly onPurged: (entry: JournalEntry) => Promise<void>
}

export const DAY_MS = 24 * 3600_000
/** The sweep keeps deletions of the last hour, unless the disk is nearly full or the person has more of them than their quota allows them to have. */
const SPARED_MS = 3600_000
/** A disk with less free than this, or than one percent, is nearly full: what people write now matters more than what they deleted. */
const LOW_BYTES = 1024 ** 3
/** After a deletion the used space is checked with this delay, once for all deletions in between; checks take at most 1/MIN_PAUSE_FACTOR of the time. */
const AFTER_MS = 2000
const MIN_PAUSE_FACTOR = 20

export function createPurge({ storage, journal, settings, quotaOf, clock, log, onPurged }: PurgeDeps) {
  const oneByOne = createKeyedMutex()
  const stopping = new AbortController()
  let timer: ReturnType<typeof setTimeout> | null = null
  let running: Promise<void> = Promise.resolve()
  let tookMs = 0
  let removals = 0

  /** @returns false if it was restored or removed meanwhile */
  async function removeEntry(entry: JournalEntry, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<boolean> {
    if (!(await journal.change(entry.id, { from: ['done'], to: 'purging' }))) return false
    await finish(entry, signal)
    return true
  }

  /** An entry that is being purged: nobody can restore it any more, and if this is interrupted, the next sweep continues. */
  async function finish(entry: JournalEntry, signal?: AbortSignal): Promise<void> {
    const kept = keptOf(entry)
    if (kept !== null)
      await storage.dropKept(kept, { signal: signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]) })
    await onPurged(entry)
    await journal.change(entry.id, { from: ['purging'], to: 'purged' })
  }

  /** One that cannot be removed is logged, and does not keep the others. @returns false if it is still there */
  async function attempt(entry: JournalEntry): Promise<boolean> {
    stopping.signal.throwIfAborted()
    try {
      return await removeEntry(entry)
    } catch (error) {
      stopping.signal.throwIfAborted()
      log(`trash: ${entry.id} cannot be removed yet: ${String(error)}`)
      return false
    }
  }

  async function removeExpired(): Promise<void> {
    const { trashDays } = await settings.read()
    const until = clock().getTime() - trashDays * DAY_MS
    for await (const entry of journal.inState('done', { until })) await attempt(entry)
  }

  async function countSizes(): Promise<void> {
    for await (const entry of journal.inState('done', { uncounted: true })) {
      stopping.signal.throwIfAborted()
      const kept = keptOf(entry)
      const size = kept === null ? 0 : await sizeOf(kept).catch(() => null)
      if (size !== null) await journal.setSize(entry.id, size)
    }
  }

  async function sizeOf(kept: Kept): Promise<number> {
    const stat = await storage.statKept(kept)
    if (stat === null) return 0
    if (stat.kind !== 'folder') return stat.size
    const pause = periodicYield(stopping.signal)
    let bytes = 0
    const folders: FilePath[] = [ROOT]
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      await pause()
      const { names, sizes, modes } = await storage.listKept(kept, folder)
      for (const index of names.keys()) {
        const kind = kindOf(modes[index] ?? 0)
        if (kind === 'folder') folders.push(joinPath(folder, names.at(index) ?? ''))
        if (kind === 'file') bytes += sizes[index] ?? 0
      }
    }
    return bytes
  }

  async function removeBeyondShare(): Promise<void> {
    const { trashShare } = await settings.read()
    for (const { volume, bytes, holders } of await journal.keptBytes()) {
      const space = await storage.space(volume).catch(() => null)
      if (space === null) continue
      const left = new Map(holders)
      let rest = bytes
      async function removeFrom(userId: number, wanted: number, spared: number): Promise<void> {
        const held = left.get(userId) ?? 0
        const removed = await removeOldest({ volume, userId }, { wanted, held, spared })
        left.set(userId, held - removed)
        rest -= removed
      }
      const missing = Math.min(space.total / 100, LOW_BYTES) - (space.total - space.used)
      for (const [userId, wanted] of largestFirst(left, missing)) await removeFrom(userId, wanted, 0)
      const tooMuch = rest - (space.total * trashShare) / 100
      for (const [userId, wanted] of largestFirst(left, tooMuch)) await removeFrom(userId, wanted, (await quotaOf(userId)) ?? Infinity)
    }
  }

  /**
   * Removes the oldest of one person, until so many bytes have gone. What they deleted in the last hour stays, as far as that is not more than
   * `spared` bytes.
   * @param options.held the bytes that they have
   * @returns the bytes that have gone
   */
  async function removeOldest(
    of: { volume: FilePath; userId: number },
    { wanted, held, spared }: { wanted: number; held: number; spared: number },
  ): Promise<number> {
    const until = clock().getTime() - SPARED_MS
    let removed = 0
    for await (const entry of journal.inState('done', of)) {
      if (removed >= wanted || (entry.at > until && held - removed <= spared)) break
      if (!(await attempt(entry))) continue
      removed += entry.size ?? 0
      removals++
    }
    return removed
  }

  const settleSizes = (): Promise<void> =>
    oneByOne('purge', async () => {
      const [began, before] = [performance.now(), removals]
      await countSizes()
      await removeBeyondShare()
      // Where much is deleted again and again, waiting longer would let it fill the disk.
      tookMs = removals > before ? 0 : performance.now() - began
    })

  return {
    /** Removes one for good. @returns false if it was restored or removed meanwhile */
    remove: removeEntry,

    /** Continues to remove what a server that died, or a job that was cancelled, had begun to remove. */
    async finishStarted(): Promise<void> {
      for await (const entry of journal.inState('purging'))
        await finish(entry).catch((error: unknown) => log(`trash: ${entry.id} cannot be removed yet: ${String(error)}`))
    },

    /** For a disk that is full: removes the oldest entry of the person who has most there, whatever its age. @returns false if there is none */
    async makeRoom(volume: FilePath): Promise<boolean> {
      const kept = (await journal.keptBytes()).find((one) => one.volume === volume)
      const [userId] = [...(kept?.holders ?? [])].toSorted(([, a], [, b]) => b - a)[0] ?? []
      if (userId === undefined) return false
      for await (const oldest of journal.inState('done', { volume, userId })) return removeEntry(oldest)
      return false
    },

    /** Counts what a removal keeps, and removes what that is too much, in the background. */
    afterRemoval(): void {
      timer ??= setTimeout(
        () => {
          timer = null
          running = settleSizes().catch((error: unknown) => void (stopping.signal.aborted || log(`trash: ${String(error)}`)))
        },
        Math.max(AFTER_MS, tookMs * MIN_PAUSE_FACTOR),
      )
    },

    /** Removes what is too old or too much; call it periodically. */
    async sweep(): Promise<void> {
      await oneByOne('purge', removeExpired)
      await settleSizes()
    },

    async stop(): Promise<void> {
      if (timer !== null) clearTimeout(timer)
      stopping.abort()
      await running
    },
  }
}

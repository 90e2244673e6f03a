import { isAppError } from '../../shared/errors.ts'
import { isWithin, pathFrom, placeUnder, ROOT, type FilePath } from '../../shared/file-path.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { Stat, Storage } from '../storage/storage.ts'
import type { Journal } from './journal.ts'
import type { JournalEntry, OperationState } from './operation-row.ts'

/** Updates data that refers to nodes by path. May be called twice for the same move, and for one whose node has moved on since. */
export interface MoveFollower {
  moved(move: MovedNode): Promise<void>
}

export interface MovedNode {
  readonly path: FilePath
  readonly origin: FilePath
  /** Whether it was an empty folder, at whose new path there was another one, which is still there. */
  readonly isMerged: boolean
}

/** What of versions the journal asks for. */
export interface KeptVersions {
  /** Whether the disk keeps what this version is of. */
  holds(version: string): Promise<boolean>
  /** A version that was to be restored as a save, and was not, is as it was. */
  notRestored(restored: NonNullable<JournalEntry['restored']>): Promise<void>
}

export interface JournalRecoveryDeps {
  readonly journal: Journal
  readonly storage: Pick<Storage, 'stat'>
  readonly followers: readonly MoveFollower[]
  readonly versions: KeptVersions
  readonly log: (line: string) => void
}

interface Outcome {
  readonly entry: JournalEntry
  readonly state: OperationState
  /** Null if it is not there any more, or as it was recorded. */
  readonly stat: Stat | null
}

/**
 * Settles changes that a server that died has begun: the disk tells whether they have happened. What refers to a moved node by its path follows it
 * before the move is settled. The trash settles what goes there and comes back.
 * @param options.before changes that began earlier have no running server any more; milliseconds since 1970
 */
export async function settleStale(
  { journal, storage, followers, versions, log }: JournalRecoveryDeps,
  { before, signal }: { before: number; signal: AbortSignal },
): Promise<void> {
  const pause = periodicYield(signal)
  const stale = (await journal.unsettled()).filter(({ at }) => at < before)
  const outcomes: Outcome[] = []
  // The newest first: what was done to a node later shows that it had been there.
  for (const entry of stale.toReversed()) {
    await pause()
    try {
      outcomes.push(await outcomeOf(entry))
    } catch (error) {
      // Its disk does not answer: the next time.
      if (!isAppError(error)) throw error
    }
  }
  for (const { entry, state, stat } of outcomes.toReversed()) {
    await pause()
    const { path, origin, kind, folder } = entry
    try {
      if (kind === 'move' && state === 'done' && origin !== null)
        for (const follower of followers) await follower.moved({ path, origin, isMerged: isMerge(entry) })
      if (state === 'failed' && entry.restored !== null) await versions.notRestored(entry.restored)
      const content = stat === null ? {} : { identity: stat.identity, ...(!folder && { size: stat.size, modified: stat.modified }) }
      await journal.settle([{ ...entry, ...content, state }])
    } catch (error) {
      log(`journal: ${entry.id} will be settled later: ${String(error)}`)
    }
  }

  async function outcomeOf(entry: JournalEntry): Promise<Outcome> {
    const { kind, identity, origin, folder, version } = entry
    if (kind === 'delete') {
      const isThere = (await storage.stat(entry.path))?.identity === identity
      return { entry, state: isThere ? 'failed' : 'purged', stat: null }
    }
    // A folder that was merged, and was empty then: what is at the path is the other one.
    if (isMerge(entry) && version !== null) return { entry, state: (await versions.holds(version)) ? 'done' : 'failed', stat: null }
    const { path, isPast } = await followed(entry)
    if (isPast) return { entry, state: 'done', stat: null }
    const stat = await storage.stat(path)
    if (stat !== null && (identity === '' ? (stat.kind === 'folder') === folder : stat.identity === identity))
      return { entry, state: 'done', stat }
    if (kind !== 'move' || origin === null) return { entry, state: 'failed', stat: null }
    // A move to another disk gives the node another identity, and ends with the removal of the old one.
    const isMoved = stat !== null && (await storage.stat(origin)) === null && !(await wasStillAt(origin, entry))
    return { entry, state: isMoved ? 'done' : 'failed', stat: isMoved ? stat : null }
  }

  /** Where the node is after what happened later; `isPast` if it was removed or replaced. */
  async function followed({ id, path, folder }: JournalEntry): Promise<{ path: FilePath; isPast: boolean }> {
    let now = path
    for (const later of await happenedAfter(id)) {
      // A deletion that has only begun may not have happened; but what it is of was there.
      if (later.kind === 'delete' && isWithin(now, later.path) && !(await isStillThere(later))) return { path: now, isPast: true }
      if (later.kind === 'replace' && later.path === now && !folder) return { path: now, isPast: true }
      if (later.kind === 'move' && later.origin !== null && isWithin(now, later.origin))
        now = placeUnder(later.path, pathFrom(later.origin, now) ?? ROOT)
    }
    return { path: now, isPast: false }
  }

  async function isStillThere({ state, path, identity }: JournalEntry): Promise<boolean> {
    return state === 'intended' && (await storage.stat(path))?.identity === identity
  }

  /** Whether something happened later to what was not moved: a move that finds the name taken is followed by those of what is in the folder. */
  async function wasStillAt(origin: FilePath, { id }: JournalEntry): Promise<boolean> {
    for (const later of await happenedAfter(id)) {
      const { kind, path } = later
      if (later.origin !== null && isWithin(later.origin, origin)) return true
      if ((kind === 'delete' || kind === 'replace') && isWithin(path, origin)) return true
      if (isWithin(origin, path)) return false
    }
    return false
  }

  /** The oldest first; of what only appeared, what was begun. */
  async function happenedAfter(id: string): Promise<JournalEntry[]> {
    const begun = outcomes.filter(({ entry }) => entry.id > id).map(({ entry, state }) => ({ ...entry, state }))
    const all = [...(await journal.after(id)), ...begun].filter(({ state }) => state !== 'failed')
    return all.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }
}

function isMerge({ kind, folder, version }: JournalEntry): boolean {
  return kind === 'move' && folder && version !== null
}

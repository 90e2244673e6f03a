import { isAppError } from '../../shared/errors.ts'
import { isWithin, pathFrom, placeUnder, ROOT, type FilePath } from '../../shared/file-path.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { Stat, Storage } from '../storage/storage.ts'
import type { Journal } from './journal.ts'
import type { JournalEntry, OperationState } from './operation-row.ts'

/** Updates data that refers to nodes by path. May be called twice for the same move, and for one whose node has moved on since. */
export interface MoveFollower {
  moved(move: { readonly path: FilePath; readonly origin: FilePath }): Promise<void>
}

/** What of versions the journal asks for. */
export interface KeptVersions {
  /** Whether the disk keeps what this version is of. */
  holds(version: string): Promise<boolean>
  /** A version that was to be restored as a save, and was not, is as it was. */
  notRestored(restored: NonNullable<JournalEntry['restored']>): Promise<void>
}

export interface JournalRecoveryDeps {
  readonly journal: Pick<Journal, 'unsettled' | 'after' | 'hasAppeared' | 'hasCome' | 'settle'>
  readonly storage: Pick<Storage, 'stat'>
  readonly followers: readonly MoveFollower[]
  readonly versions: KeptVersions
  readonly log: (line: string) => void
}

interface Outcome {
  readonly entry: JournalEntry
  /** Known for good when everything earlier is known, too. */
  state: OperationState
  /** Null if it is not there any more, or as it was recorded. */
  readonly stat: Stat | null
}

/** What happened to a node after an operation. */
interface Followed {
  readonly path: FilePath
  /** It was removed, replaced or merged. */
  readonly isPast: boolean
  /** The identity by which what happened names it; empty if nothing does. */
  readonly seen: string
  /** By which operation it left its first place, and the identity that it had there, as far as that is known; null if it is still there. */
  readonly left: { readonly id: string; readonly identity: string } | null
  /** What was begun while it was there, and would have made the same. */
  readonly late: readonly Outcome[]
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
      if (kind === 'move' && state === 'done' && origin !== null) for (const follower of followers) await follower.moved({ path, origin })
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
    if (isMerge(entry) && version !== null) return { entry, state: (await versions.holds(version)) ? 'done' : 'failed', stat: null }
    const { path, isPast, seen, left, late } = await followed(entry)
    const known = seen || identity
    const stat = isPast ? null : await storage.stat(path)
    const isThere = stat !== null && (known === '' ? (stat.kind === 'folder') === folder : stat.identity === known)
    if (appears(entry) && (isThere || isPast)) {
      // Of several who made a folder, or sent a file of this name, at the same time, one did. If none of them is settled, the first one is taken for that.
      const first = left ?? { id: null, identity: stat?.identity ?? '' }
      if (await journal.hasCome({ ...entry, identity: first.identity }, { until: first.id })) return { entry, state: 'failed', stat: null }
      for (const one of late) one.state = 'failed'
    }
    if (isThere && (kind !== 'move' || known === identity)) return { entry, state: 'done', stat }
    if (kind === 'move' && origin !== null && (await stayed(entry, origin))) return { entry, state: 'failed', stat: null }
    // It may have been moved to another disk, which gave it another identity.
    if (isPast) return { entry: { ...continued(entry), identity: kind === 'move' ? seen : known }, state: 'done', stat: null }
    if (isContinued(entry)) return { entry: continued(entry), state: 'done', stat: null }
    // The same, and it is still there.
    const isMoved = kind === 'move' && stat !== null
    return { entry, state: isMoved ? 'done' : 'failed', stat: isMoved ? stat : null }
  }

  /** Where the node is after what happened later. */
  async function followed({ id, path, folder }: JournalEntry): Promise<Followed> {
    let [now, seen] = [path, '']
    let left: Followed['left'] = null
    const late: Outcome[] = []
    const past = (later: JournalEntry): Followed => ({ path: now, isPast: true, seen, left: left ?? leftBy(later, path), late })
    for (const later of await happenedAfter(id)) {
      if (left === null && later.path === path && later.folder === folder && appears(later))
        late.push(...outcomes.filter(({ entry }) => entry.id === later.id))
      if (later.path === now && later.kind === 'delete') seen = later.identity
      // A deletion that has only begun may not have happened; but what it is of was there.
      if (later.kind === 'delete' && isWithin(now, later.path) && !(await isStillThere(later))) return past(later)
      if (later.path === now && !folder && (await hasReplaced(later))) return past(later)
      if (later.kind === 'move' && later.origin !== null && isWithin(now, later.origin)) {
        // What is at its path is the other folder, and nothing was left in it.
        if (isMerge(later)) return past(later)
        // On another disk it is another one.
        if (later.origin === now) seen = later.identity
        left ??= leftBy(later, path)
        now = placeUnder(later.path, pathFrom(later.origin, now) ?? ROOT)
      }
    }
    return { path: now, isPast: false, seen, left, late }
  }

  /** Whether it took the place of the file that was at its path. */
  async function hasReplaced(later: JournalEntry): Promise<boolean> {
    const { kind, path, version, identity, state } = later
    if (kind === 'replace') return true
    if (version === null || isMerge(later)) return false
    // A restoration from the trash that has only begun.
    return kind === 'move' || (kind === 'restore' && (state !== 'intended' || (await storage.stat(path))?.identity === identity))
  }

  async function isStillThere({ state, path, identity }: JournalEntry): Promise<boolean> {
    return state === 'intended' && (await storage.stat(path))?.identity === identity
  }

  /**
   * Whether what was to be moved was where it had been even later, as the journal or the disk shows: the name was taken. What is at the other path, or was
   * there until it went, is another node then. A folder whose name was taken may be gone by now, because its content was moved.
   */
  async function stayed({ id, identity }: JournalEntry, origin: FilePath): Promise<boolean> {
    let [now, since] = [origin, id]
    for (const later of await happenedAfter(id)) {
      const { kind, path } = later
      const from = kind === 'move' ? later.origin : kind === 'delete' || kind === 'replace' ? path : null
      if (kind === 'delete' && path === now) return later.identity === identity
      if (from !== null && isWithin(from, now)) return !(await journal.hasAppeared(now, { after: since, before: later.id }))
      // Something else came there, so the name was free.
      if (kind !== 'delete' && kind !== 'replace' && isWithin(now, path) && !isMerge(later)) return false
      if (from === null || !isWithin(now, from)) continue
      if (isMerge(later)) return false
      if (kind === 'move') {
        if (await journal.hasAppeared(now, { after: since, before: later.id })) return false
        now = placeUnder(path, pathFrom(from, now) ?? ROOT)
        since = later.id
      } else if (!(await isStillThere(later))) return false
    }
    const stat = await storage.stat(now)
    return stat !== null && (stat.identity === identity || !(await journal.hasAppeared(now, { after: since })))
  }

  /** The oldest first; of what only appeared, what was begun. */
  async function happenedAfter(id: string): Promise<JournalEntry[]> {
    const newer = outcomes.filter(({ entry }) => entry.id > id)
    const begun = newer.map(({ entry, state, stat }) => ({ ...entry, state, identity: stat?.identity ?? entry.identity }))
    const all = [...(await journal.after(id)), ...begun].filter(({ state }) => state !== 'failed')
    return all.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }
}

/** After a move to another disk it has another identity, and a folder above says nothing of it. */
function leftBy({ id, kind, path, identity }: JournalEntry, place: FilePath): { id: string; identity: string } {
  return { id, identity: kind === 'delete' && path === place ? identity : '' }
}

/** Of a node that was nowhere before. */
function appears({ kind, restored }: JournalEntry): boolean {
  return (kind === 'create' || kind === 'copy') && restored === null
}

/** Of a save that belongs to an earlier one, which has happened, whatever became of this one. */
function isContinued({ identity, size }: JournalEntry): boolean {
  return identity === '' && size !== null
}

/** Without what the file was before. */
function continued(entry: JournalEntry): JournalEntry {
  return isContinued(entry) ? { ...entry, size: null, modified: null } : entry
}

/** Of a folder that was merged with another one, and was empty then: what is at the path is the other one. */
function isMerge({ kind, folder, version }: JournalEntry): boolean {
  return kind === 'move' && folder && version !== null
}

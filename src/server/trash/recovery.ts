import { isAppError } from '../../shared/errors.ts'
import { joinPath } from '../../shared/file-path.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { Journal } from '../journal/journal.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import type { Kept, KeptStat } from '../storage/storage.ts'
import type { KeptStorage } from './kept-storage.ts'
import type { TrashFollower } from './follower.ts'
import { keptOf } from './kept-of.ts'

export interface RecoveryDeps {
  readonly storage: KeptStorage
  readonly journal: Journal
  readonly clock: () => Date
  readonly followers: readonly TrashFollower[]
  readonly log: (line: string) => void
}

/**
 * Brings the journal in step with the disk, which knows what became of an operation if the server died in the middle: a node is in the trash or it is
 * not. What is kept and not in the journal gets an entry, so that nothing is lost because a database was.
 * @param options.before operations that began earlier have no running server any more; milliseconds since 1970
 * @param options.lost whether to look for entries whose node has gone as well, because the database is older or newer than the disk: once, at the start
 */
export async function recover(
  deps: RecoveryDeps,
  { before, lost, signal }: { before: number; lost: boolean; signal: AbortSignal },
): Promise<void> {
  const { storage, journal, clock, followers, log } = deps
  const pause = periodicYield(signal)
  const isStale = ({ at }: Pick<JournalEntry, 'at'>): boolean => at < before

  for (const work of [settleKept, settleIntended, settleRestoring, ...(lost ? [settleLost] : [])]) {
    try {
      await work()
    } catch (error) {
      if (signal.aborted) return
      log(`trash: not everything could be checked: ${String(error)}`)
    }
  }

  /** What is on the disks. First these, then the journal: an entry is written before its node is moved. */
  async function settleKept(): Promise<void> {
    await storage.learnVolumes(await journal.volumes())
    const nodes = await storage.keptNodes('trash')
    const known = new Map((await journal.known(nodes.map(({ id }) => id))).map((entry) => [entry.id, entry]))
    for (const kept of nodes) {
      await pause()
      const entry = known.get(kept.id)
      if (entry?.state === 'done' || entry?.state === 'purging' || entry?.state === 'restoring') continue
      try {
        const stat = await storage.statKept(kept)
        if (stat !== null && entry?.state !== 'purged') await list(kept, stat, entry)
        // Left by a removal that did not end, or out of its time because its disk was not there.
        else if (entry?.state !== 'intended' || isStale(entry)) await storage.dropKept(kept)
      } catch (error) {
        if (!isAppError(error, 'storage-busy')) log(`trash: ${kept.id} cannot be checked: ${String(error)}`)
      }
    }
  }

  /** A node that is in the trash is shown there, whatever the journal says. */
  async function list(kept: Kept, stat: KeptStat, entry: JournalEntry | undefined): Promise<void> {
    const folder = stat.kind === 'folder'
    const size = folder ? null : stat.size
    if (entry === undefined) {
      await journal.begin({
        id: kept.id,
        group: Bun.randomUUIDv7(),
        at: clock().getTime(),
        by: { id: 0, name: '', via: 'api' },
        kind: 'delete',
        path: joinPath(kept.volume, stat.name),
        origin: null,
        identity: stat.identity,
        folder,
        size,
        modified: null,
        version: null,
        restored: null,
        reverts: null,
        state: 'done',
        kept,
      })
      log(`trash: ${kept.id} was not in the journal; administrators find it there as ${stat.name}`)
      return
    }
    for (const follower of followers) await follower.lost?.(entry)
    await journal.change(entry.id, { from: ['intended', 'failed', 'undone'], to: 'done', size })
  }

  /** What is in the trash has been settled above; the rest did not happen. */
  async function settleIntended(): Promise<void> {
    for await (const entry of journal.inState('intended')) {
      await pause()
      if (isStale(entry) && (await isGone(entry))) await journal.change(entry.id, { from: ['intended'], to: 'failed' })
    }
  }

  async function settleRestoring(): Promise<void> {
    for await (const entry of journal.inState('restoring')) {
      await pause()
      const attempt = await journal.restoration(entry.id)
      if (await isGone(entry)) {
        if (attempt !== null) for (const follower of followers) await follower.found?.(entry, attempt.path)
        await journal.endRestore(entry.id, { restored: true })
      } else if (attempt === null || isStale(attempt)) await journal.endRestore(entry.id, { restored: false })
    }
  }

  /**
   * What is not in the trash cannot be restored. It may be where it was, or elsewhere, or gone. The entry is not `purged`: if the disk was another one
   * by mistake, the node is shown again when it is back.
   */
  async function settleLost(): Promise<void> {
    const found = new Set((await storage.keptNodes('trash')).map(({ id }) => id))
    let gone = 0
    for await (const entry of journal.inState('done')) {
      await pause()
      if (found.has(entry.id) || !(await isGone(entry))) continue
      const isBack = (await storage.stat(entry.path).catch(() => null))?.identity === entry.identity
      if (!(await journal.change(entry.id, { from: ['done'], to: isBack ? 'undone' : 'failed' }))) continue
      if (isBack) for (const follower of followers) await follower.found?.(entry, entry.path)
      gone++
    }
    if (gone > 0) log(`trash: ${gone} are not there any more; the database is older or newer than the disk`)
  }

  /** False also if its disk does not answer. */
  async function isGone(entry: JournalEntry): Promise<boolean> {
    const kept = keptOf(entry)
    try {
      return kept === null || (await storage.statKept(kept)) === null
    } catch (error) {
      if (isAppError(error)) return false
      throw error
    }
  }
}

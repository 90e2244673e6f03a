import { sql } from 'kysely'
import type { OperationKind, OutsideChange } from '../../shared/contract/operations.ts'
import { nullOn } from '../../shared/errors.ts'
import { type FilePath, isWithin, parentOf, ROOT } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import { toStored } from '../journal/stored-path.ts'
import type { OutsideStore, StoredBurst } from '../outside/store.ts'
import type { HistoryFilter } from './history-rows.ts'
import { isBelow } from './path-conditions.ts'
import type { Place } from './places.ts'

/** The part of the history that is asked for, by ids of the journal. */
export interface Stretch {
  /** Exclusive; null for the end. */
  readonly before: string | null
  /** Inclusive; null for the beginning. */
  readonly from: string | null
}

type Change = OutsideChange['items'][number]['change']

/** So many are looked at for a page. */
const LOOKED_AT = 500
const NONE = { changes: [], until: null }
const KINDS: Readonly<Partial<Record<OperationKind, Change>>> = { create: 'appeared', replace: 'changed', delete: 'gone' }

/**
 * What other programs changed, as far as the viewer may see it now, the newest first.
 * @returns `until`: an id, if it has only been looked up to there
 */
export async function outsideChanges(
  { outside, drive }: { outside: OutsideStore; drive: Drive },
  filter: HistoryFilter,
  stretch: Stretch,
): Promise<{ changes: OutsideChange[]; until: string | null }> {
  const wanted = filter.kind === undefined ? null : KINDS[filter.kind]
  if (filter.by !== undefined || wanted === undefined) return NONE
  const subtree = await nullOn('not-found', drive.subtree(ROOT))
  if (subtree === null) return NONE
  /** What has gone from a folder is told to those who may create there. */
  const seesDeletionsIn = (folder: FilePath): boolean => drive.access.may.admin || subtree.may('create', folder)
  const shown: OutsideChange[] = []
  const bursts = await burstsAt(outside, filter, stretch)
  for (const burst of bursts) {
    const { id, last, path, items } = burst
    if ((filter.from ?? -Infinity) > last || (filter.to ?? Infinity) < last) continue
    const place = filter.places.find(({ from, until }) => (from === null || id >= from) && (until === null || id < until))
    if (place === undefined) continue
    const isWhole = filter.below && isWithin(path, place.path)
    const seen = items.filter(
      (item) =>
        (isWhole || (filter.below ? isWithin(item.path, place.path) : item.path === place.path)) &&
        (wanted === null || item.change === wanted) &&
        isWithin(item.path, subtree.node) &&
        item.path !== subtree.node &&
        subtree.reaches(item.path) &&
        (item.change !== 'gone' || seesDeletionsIn(parentOf(item.path))),
    )
    if (seen.length === 0) continue
    // Everything in the folder may be seen, so its numbers may be told.
    const isOpen = isWhole && wanted === null && isWithin(path, subtree.node) && subtree.shownBelow(path) === 'all'
    const seesAllDeletions = isOpen && seesDeletionsIn(path) && drive.sameRightsBelow(subtree.pathOf(path))
    const { gone, ...others } = countsOf(seen)
    const counts = isOpen ? { ...burst.counts, ...(!seesAllDeletions && { gone }) } : { ...others, gone }
    const told = seen.map((item) => ({ path: subtree.pathOf(item.path), change: item.change, isDir: item.folder }))
    shown.push({ id, at: new Date(last).toISOString(), counts, items: told })
  }
  return { changes: shown, until: bursts.length < LOOKED_AT ? null : (bursts.at(-1)?.id ?? null) }
}

/** Bursts in the folders in question, and those of the folders above, which may name the node. */
async function burstsAt(outside: OutsideStore, { places, below }: HistoryFilter, stretch: Stretch): Promise<StoredBurst[]> {
  const conditions = places.map(({ path }) => {
    const above = sql<boolean>`path in (${sql.join(foldersAbove(path).map(toStored))})`
    return below ? sql<boolean>`(path = ${toStored(path)} or ${isBelow(path)} or ${above})` : above
  })
  return outside.find(sql<boolean>`(${sql.join(conditions, sql` or `)})`, { ...stretch, limit: LOOKED_AT })
}

function foldersAbove(path: Place['path']): FilePath[] {
  const above: FilePath[] = [ROOT]
  for (let at = path; at !== ROOT; at = parentOf(at)) above.push(parentOf(at))
  return [...new Set(above)]
}

function countsOf(items: StoredBurst['items']): OutsideChange['counts'] {
  const count = (change: Change): number => items.filter((item) => item.change === change).length
  return { appeared: count('appeared'), changed: count('changed'), gone: count('gone') }
}

import type { Gesture, GestureItem } from '../../shared/contract/operations.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import type { Rows } from './rows.ts'
import type { Seen } from './seen.ts'

export const ITEMS = 20

/**
 * @param entries of one gesture, the oldest first
 * @param all if the viewer sees all of it and `entries` are the first: how many there are, and the last
 * @returns null if the viewer may see nothing of it
 */
export async function gestureOf(
  { rows, seen }: { rows: Rows; seen: Seen },
  entries: readonly JournalEntry[],
  all?: { readonly count: number; readonly last: JournalEntry },
): Promise<Gesture | null> {
  const items: GestureItem[] = []
  let total = 0
  for (const entry of entries) {
    const item = await itemOf(seen, entry)
    if (item === null) continue
    total++
    if (items.length < ITEMS) items.push(item)
  }
  const last = all?.last ?? entries.at(-1)
  if (last === undefined || total === 0) return null
  const { group, at, by } = last
  const reverted = await Promise.all(
    entries.slice(0, ITEMS).map(async ({ reverts }) => (reverts === null ? null : gestureTakenBack(rows, reverts))),
  )
  const [first = null] = reverted
  // A rewinding takes several gestures back, and is the undoing of none.
  const one = first !== null && reverted.every((each) => each?.group === first.group) ? first : null
  const mine = seen.isMine(last)
  const undoable = mine && entries.some(({ state }) => state === 'done')
  const reverts = one === null ? null : one.group
  const common = { group, at: iso(at), by: by.name, via: by.via, mine, reverts, redo: one?.isUndoing === true, undoable }
  return { ...common, total: all?.count ?? total, items }
}

/** The gesture that an operation belongs to, and whether it took another one back. */
async function gestureTakenBack(rows: Rows, id: string): Promise<{ group: string; isUndoing: boolean } | null> {
  const entry = await rows.find(id)
  return entry && { group: entry.group, isUndoing: entry.reverts !== null }
}

async function itemOf(seen: Seen, entry: JournalEntry): Promise<GestureItem | null> {
  const { kind, folder, state } = entry
  const path = await seen.pathOf(entry)
  const origin = seen.originOf(entry)
  if (path === null && origin === null) return null
  const isGone = state === 'purged' || state === 'purging'
  const size = path === null ? null : seen.sizeOf(entry)
  return { kind, path, origin, isDir: folder, size, state: isGone ? 'gone' : state === 'undone' ? 'undone' : 'done' }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

import type { Gesture, GestureItem } from '../../shared/contract/operations.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import type { Visibility } from '../trash/visible.ts'
import type { Rows } from './rows.ts'

/** Operations of one gesture are counted so far. */
export const MOST_COUNTED = 1000
const ITEMS = 20

/** @param entries of one gesture, the oldest first. @returns null if the viewer may see nothing of it */
export async function gestureOf(
  { rows, visibility, userId }: { rows: Rows; visibility: Visibility; userId: number },
  entries: readonly JournalEntry[],
): Promise<Gesture | null> {
  const items: GestureItem[] = []
  let total = 0
  for (const entry of entries) {
    const item = itemOf(visibility, entry)
    if (item === null) continue
    total++
    if (items.length < ITEMS) items.push(item)
  }
  const last = entries.at(-1)
  if (last === undefined || total === 0) return null
  const { group, at, by } = last
  const reverted = await Promise.all(entries.slice(0, ITEMS).map(async ({ reverts }) => (reverts === null ? null : origin(rows, reverts))))
  const [first = null] = reverted
  // A rewinding takes several gestures back, and is none of their undoings.
  const one = first !== null && reverted.every((each) => each?.group === first.group) ? first : null
  const mine = by.id === userId && userId !== 0
  const undoable = mine && entries.some(({ state }) => state === 'done')
  const reverts = one === null ? null : one.group
  return { group, at: iso(at), by: by.name, via: by.via, mine, reverts, redo: one?.reverts === true, undoable, total, items }
}

/** The gesture that an operation belongs to, and whether it took another one back. */
async function origin(rows: Rows, id: string): Promise<{ group: string; reverts: boolean } | null> {
  const entry = await rows.find(id)
  return entry && { group: entry.group, reverts: entry.reverts !== null }
}

function itemOf(visibility: Visibility, entry: JournalEntry): GestureItem | null {
  const { kind, folder, state } = entry
  const path = visibility.pathOf(entry)
  const origin = entry.origin && visibility.pathOf({ ...entry, path: entry.origin })
  if (path === null && origin === null) return null
  const isGone = state === 'purged' || state === 'purging'
  return {
    kind,
    path,
    origin,
    isDir: folder,
    size: visibility.sizeOf(entry),
    state: isGone ? 'gone' : state === 'undone' ? 'undone' : 'done',
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

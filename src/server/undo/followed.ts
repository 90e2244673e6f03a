import { fail } from '../../shared/errors.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import type { Rows } from './rows.ts'

/** An operation of a gesture, of what took it back, of what took that back, and so on. */
export interface Followed {
  readonly entry: JournalEntry
  /** Even for what does something, odd for what takes it back. */
  readonly depth: number
  /** Whether it was taken back and then done again, by another operation: that one counts. */
  readonly isPast: boolean
  /** The operation of the gesture from which it follows. */
  readonly root: string
}

/** The oldest first. Fails with `not-found` if there is no such gesture, or if it is not this user's. */
export async function follow(rows: Rows, group: string, userId: number): Promise<Followed[]> {
  const layers: JournalEntry[][] = []
  for (let layer = await rows.ofGroup(group); layer.length > 0; layer = await rows.reverting(layer.map(({ id }) => id))) layers.push(layer)
  if (layers[0] === undefined || userId === 0 || layers[0].some(({ by }) => by.id !== userId)) return fail('not-found', {})
  const doneAgain = new Set(layers.flat().flatMap(({ state, reverts }) => (state === 'undone' && reverts !== null ? [reverts] : [])))
  const roots = new Map<string, string>()
  const rootOf = ({ id, reverts }: JournalEntry): string => {
    const root = (reverts === null ? undefined : roots.get(reverts)) ?? id
    roots.set(id, root)
    return root
  }
  const all = layers.flatMap((layer, depth) =>
    layer.map((entry) => ({ entry, depth, isPast: doneAgain.has(entry.id), root: rootOf(entry) })),
  )
  return all.toSorted((a, b) => (a.entry.id < b.entry.id ? -1 : 1))
}

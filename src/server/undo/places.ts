import { type FilePath, parentOf, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import type { Rows } from './rows.ts'

/** Where a node was for some time: from an operation on (inclusive) until another one (exclusive). */
export interface Place {
  readonly path: FilePath
  readonly from: string | null
  readonly until: string | null
}

/** A node that was moved more often than this has no earlier history. */
const MOST_PLACES = 100

/** Where a node was, the newest first: its own moves, and those of the folders above it, are followed back to where it appeared. */
export async function placesOf(rows: Rows, place: FilePath): Promise<Place[]> {
  const places: Place[] = []
  let path = place
  let until: string | null = null
  for (let count = 0; count < MOST_PLACES; count++) {
    const last = await lastArrival(rows, path, until)
    places.push({ path, from: last?.id ?? null, until })
    const before = last === null ? null : await sourceOf(rows, last)
    if (last === null || before === null) return places
    path = placeUnder(before, pathFrom(last.path, path) ?? ROOT)
    until = last.id
  }
  return places
}

/** The last operation by which a node, or a folder above it, came to its path. */
async function lastArrival(rows: Rows, path: FilePath, until: string | null): Promise<JournalEntry | null> {
  let last: JournalEntry | null = null
  for (let at = path; at !== ROOT; at = parentOf(at)) {
    const found = await rows.lastArrivalAt(at, until)
    if (found !== null && (last === null || found.id > last.id)) last = found
  }
  return last
}

/** Null for what was nowhere before. */
async function sourceOf(rows: Rows, { kind, origin, kept }: JournalEntry): Promise<FilePath | null> {
  if (kind === 'move') return origin
  const deletion = kind === 'restore' && kept !== null ? await rows.find(kept.id) : null
  return deletion?.path ?? null
}

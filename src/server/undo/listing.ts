import type { Gesture, OperationKind, OutsideChange } from '../../shared/contract/operations.ts'
import { parseFilePath } from '../../shared/file-path.ts'
import type { Viewer } from '../access/viewer.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import { gestureOf, ITEMS } from './gestures.ts'
import type { HistoryFilter, HistoryRows } from './history-rows.ts'
import type { OutsideStore } from '../outside/store.ts'
import { outsideChanges } from './outside-changes.ts'
import { placesOf } from './places.ts'
import type { Rows } from './rows.ts'
import { type Seen, seenBy } from './seen.ts'

export interface HistoryQuery {
  readonly path: string
  readonly below: boolean
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly by?: string | undefined
  readonly kind?: OperationKind | undefined
  readonly after?: string | undefined
  readonly limit?: string | undefined
}

export interface HistoryDeps {
  readonly rows: Rows
  readonly history: HistoryRows
  readonly outside: OutsideStore
  readonly driveFor: DriveFor
}

const PAGE = 50
/** Of a gesture of which the viewer may not see everything, so many operations are looked at. */
const MOST_LOOKED_AT = 1000
/** A page that takes longer is returned as it is. */
const LONGEST_MS = 150

export interface HistoryPage {
  readonly gestures: Gesture[]
  readonly outside: OutsideChange[]
  readonly next: string | null
}

interface Dated<T> {
  readonly id: string
  readonly entry: T
}

/**
 * Gestures at a node, or below a folder, and what other programs changed there, the newest first. Fails with `not-found` for what the viewer cannot see.
 */
export async function listGestures(
  { rows, history, outside, driveFor }: HistoryDeps,
  { viewer, query, signal }: { viewer: Viewer; query: HistoryQuery; signal: AbortSignal },
): Promise<HistoryPage> {
  const drive = driveFor(viewer.access)
  const place = await drive.place(parseFilePath(query.path), 'keep')
  await rows.settled()
  const seen = await seenBy(drive, viewer.userId)
  const filter = { ...query, places: await placesOf(rows, place), from: timeOf(query.from), to: timeOf(query.to) }
  const { after = null } = query
  const limit = Number(query.limit ?? PAGE)
  const page = await gesturesIn({ rows, history, seen }, filter, { after, limit, signal })
  const others = await outsideChanges({ outside, drive }, filter, { before: after, from: page.next })
  return together(page, { ...others, changes: others.changes.map((entry) => ({ id: entry.id, entry })) }, limit)
}

/** One page of both, by their ids. What does not fit is on the next one. */
function together(
  page: { gestures: readonly Dated<Gesture>[]; next: string | null },
  { changes, until }: { changes: readonly Dated<OutsideChange>[]; until: string | null },
  limit: number,
): HistoryPage {
  const ids = [...page.gestures, ...changes].map(({ id }) => id).toSorted((a, b) => (a < b ? 1 : -1))
  const end = ids.length > limit ? (ids[limit - 1] ?? null) : null
  const next = [page.next, end, until].reduce((last, id) => (last === null || (id !== null && id > last) ? id : last), null)
  const isShown = ({ id }: Dated<unknown>): boolean => next === null || id >= next
  return { gestures: page.gestures.filter(isShown).map(entryOf), outside: changes.filter(isShown).map(entryOf), next }
}

function entryOf<T>({ entry }: Dated<T>): T {
  return entry
}

async function gesturesIn(
  { rows, history, seen }: { rows: Rows; history: HistoryRows; seen: Seen },
  filter: HistoryFilter,
  { after, limit, signal }: { after: string | null; limit: number; signal: AbortSignal },
): Promise<{ gestures: Dated<Gesture>[]; next: string | null }> {
  const pause = periodicYield(signal)
  const began = performance.now()
  const gestures: Dated<Gesture>[] = []
  const known = new Set<string>()
  let lastShown: string | null = null
  for await (const { found, until } of history.candidates(filter, after)) {
    for (const { id, group } of found) {
      if (known.has(group)) continue
      known.add(group)
      await pause()
      const gesture = await visiblePart({ rows, history, seen }, group, { filter, after })
      if (gesture === null) continue
      // A next page only for what it would show: otherwise it would tell that something hidden is there.
      if (gestures.length === limit) return { gestures, next: lastShown }
      gestures.push({ id, entry: gesture })
      lastShown = id
    }
    if (until !== null && performance.now() - began > LONGEST_MS) return { gestures, next: until }
    await pause()
  }
  return { gestures, next: null }
}

interface Showing {
  readonly filter: HistoryFilter
  readonly after: string | null
}

/** Null if nothing of it matches that the viewer may see, or if it was on an earlier page. */
async function visiblePart(
  { rows, history, seen }: { rows: Rows; history: HistoryRows; seen: Seen },
  group: string,
  { filter, after }: Showing,
): Promise<Gesture | null> {
  const [last] = await history.lastOf(group, filter, { limit: 1 })
  if (last === undefined) return null
  if (seen.seesAllOf(last)) {
    if (after !== null && last.id >= after) return null
    const { entries, count } = await history.firstOf(group, filter, { limit: ITEMS })
    return gestureOf({ rows, seen }, entries, { count, last })
  }
  const entries = await history.lastOf(group, filter, { limit: MOST_LOOKED_AT })
  for (const entry of entries.toReversed()) {
    const isShown = (await seen.pathOf(entry)) !== null || seen.originOf(entry) !== null
    if (isShown) return after !== null && entry.id >= after ? null : gestureOf({ rows, seen }, entries)
  }
  return null
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text)
}

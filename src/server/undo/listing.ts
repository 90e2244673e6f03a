import type { Gesture, OperationKind } from '../../shared/contract/operations.ts'
import { type FilePath, isWithin, parseFilePath } from '../../shared/file-path.ts'
import type { Viewer } from '../access/viewer.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import { seenBy } from './seen.ts'
import { gestureOf } from './gestures.ts'
import type { Rows } from './rows.ts'

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

const PAGE = 50
const READ_AT_ONCE = 500

/** Gestures at a node, or below a folder, the newest first. Fails with `not-found` for what the viewer cannot see. */
export async function listGestures(
  { rows, driveFor }: { rows: Rows; driveFor: DriveFor },
  { viewer, query, signal }: { viewer: Viewer; query: HistoryQuery; signal: AbortSignal },
): Promise<{ gestures: Gesture[]; next: string | null }> {
  const drive = driveFor(viewer.access)
  await rows.settled()
  const seen = await seenBy(drive, viewer.userId)
  const place = await drive.place(parseFilePath(query.path), 'keep')
  const limit = Number(query.limit ?? PAGE)
  const pause = periodicYield(signal)
  const isHere = (path: FilePath | null): boolean => path !== null && (path === place || (query.below && isWithin(path, place)))
  const matches = (entry: JournalEntry): boolean =>
    (isHere(entry.path) || (entry.kind === 'move' && isHere(entry.origin))) &&
    (query.kind === undefined || entry.kind === query.kind) &&
    (query.by === undefined || entry.by.name === query.by) &&
    (query.from === undefined || entry.at >= Date.parse(query.from)) &&
    (query.to === undefined || entry.at <= Date.parse(query.to))
  const gestures: Gesture[] = []
  const known = new Set<string>()
  for (let before = query.after ?? null; ;) {
    await pause()
    const page = await rows.page({ before, limit: READ_AT_ONCE })
    for (const entry of page) {
      if (!matches(entry) || known.has(entry.group)) continue
      known.add(entry.group)
      const all = (await rows.ofGroup(entry.group, { limit: 1000 })).filter(matches)
      if (query.after !== undefined && all.some(({ id }) => id >= (query.after ?? ''))) continue
      const gesture = await gestureOf({ rows, seen }, all)
      if (gesture === null) continue
      gestures.push(gesture)
      if (gestures.length === limit) return { gestures, next: entry.id }
    }
    before = page.at(-1)?.id ?? null
    if (page.length < READ_AT_ONCE) return { gestures, next: null }
  }
}

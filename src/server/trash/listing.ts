import type { TrashEntry } from '../../shared/contract/trash.ts'
import { fail } from '../../shared/errors.ts'
import { nameOf, parseFilePath } from '../../shared/file-path.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Drive } from '../drive/drive.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { DeletionFilter, Journal } from '../journal/journal.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import { DAY_MS } from './purge.ts'
import { type Visibility, visibilityOf } from './visible.ts'

export interface TrashQuery {
  readonly path?: string | undefined
  readonly text?: string | undefined
  readonly after?: string | undefined
  readonly limit?: string | undefined
  readonly all: boolean
}

const PAGE = 100
/** Entries are read in such numbers while some are left out. */
const READ_AT_ONCE = 500
/** A page that takes longer is returned as it is. */
const LONGEST_MS = 150

/** The newest first. Fails with `forbidden` for `all` of somebody who is no administrator, and with `not-found` for what is no folder. */
export async function listTrash(
  { journal, trashDays }: { journal: Journal; trashDays: number },
  { drive, viewer, query, signal }: { drive: Drive; viewer: Viewer; query: TrashQuery; signal: AbortSignal },
): Promise<{ entries: TrashEntry[]; next: string | null }> {
  const visibility = await visibilityOf(drive, viewer.userId)
  const filter = await filterOf(query, { drive, viewer })
  const limit = Number(query.limit ?? PAGE)
  const pause = periodicYield(signal)
  const began = performance.now()
  const entries: TrashEntry[] = []
  let hidden = 0
  for (let after = query.after ?? null; ;) {
    const page = await journal.deletions(filter, { after, limit: Math.max(limit + 1, entries.length === 0 ? 0 : READ_AT_ONCE) })
    for (const entry of page.entries) {
      const shown = toWire(entry, { visibility, trashDays })
      // A next page only for what it would show: otherwise it would tell that something hidden is there.
      if (shown !== null && entries.length === limit) return { entries, next: entries.at(-1)?.id ?? null }
      if (shown === null) hidden += 1
      else entries.push(shown)
      after = entry.id
    }
    if (page.next === null) return { entries, next: null }
    after = page.next
    // After a few hidden ones, the end of a page would tell that they match.
    const tells = hidden > 0 && hidden < READ_AT_ONCE
    if (!tells && performance.now() - began > LONGEST_MS) return { entries, next: after }
    await pause()
  }
}

async function filterOf({ path, text, all }: TrashQuery, { drive, viewer }: { drive: Drive; viewer: Viewer }): Promise<DeletionFilter> {
  if (all && !viewer.access.may.admin) fail('forbidden', { right: 'admin' })
  const own = { userId: viewer.userId, text }
  if (path === undefined) return all ? { text } : own
  const folder = parseFilePath(path)
  if ((await drive.stat(folder)).stat.kind !== 'folder') fail('not-found', { path: folder })
  const parent = await drive.place(folder, 'follow')
  return all || drive.may('create', folder) ? { parent, text } : { ...own, parent }
}

function toWire(entry: JournalEntry, { visibility, trashDays }: { visibility: Visibility; trashDays: number }): TrashEntry | null {
  const path = visibility.pathOf(entry)
  if (path === null) return null
  return {
    id: entry.id,
    name: nameOf(path),
    path,
    isDir: entry.folder,
    size: visibility.sizeOf(entry),
    deletedAt: new Date(entry.at).toISOString(),
    deletedBy: entry.by.name,
    via: entry.by.via,
    mine: visibility.isMine(entry),
    expiresAt: trashDays === 0 ? null : new Date(entry.at + trashDays * DAY_MS).toISOString(),
    group: entry.group,
  }
}

import { type FilePath, parentOf, ROOT } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import { visibilityOf } from '../trash/visible.ts'

/** What a viewer may see of the journal now. */
export type Seen = Awaited<ReturnType<typeof seenBy>>

/** @param userId the viewer's */
export async function seenBy(drive: Drive, userId: number) {
  const visibility = await visibilityOf(drive, userId)
  const folders = new Map<FilePath, Promise<boolean>>()
  const { rules, scope, start, may } = drive.access

  /** Whether what others deleted from the same folder may be seen. */
  function seesDeletions(entry: JournalEntry): Promise<boolean> {
    const folder = parentOf(entry.path)
    const known = folders.get(folder) ?? visibility.find(entry).then((path) => path !== null)
    folders.set(folder, known)
    return known
  }

  /** By the viewer's path. Null for what scope, rules or hidden names do not show, and for what others deleted where the viewer may not create. */
  async function pathOf(entry: JournalEntry): Promise<FilePath | null> {
    const path = visibility.pathOf(entry)
    if (path === null || entry.kind !== 'delete' || visibility.isMine(entry) || may.admin) return path
    return (await seesDeletions(entry)) ? path : null
  }

  return {
    userId,
    isMine: visibility.isMine,
    sizeOf: visibility.sizeOf,
    pathOf,
    /** Of where an operation moved or copied its node from. */
    originOf: (entry: JournalEntry): FilePath | null =>
      entry.origin === null ? null : visibility.pathOf({ ...entry, path: entry.origin }),
    /** The same for any path of what the operation changed. */
    at: (entry: JournalEntry, path: FilePath): FilePath | null => visibility.pathOf({ ...entry, path }),
    /** Whether they see everything that one person did. */
    seesAllOf: (entry: JournalEntry): boolean => rules.empty && scope === ROOT && start === ROOT && (may.admin || visibility.isMine(entry)),
  }
}

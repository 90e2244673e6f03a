import { nullOn } from '../../shared/errors.ts'
import { type FilePath, isWithin, parentOf, ROOT } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import type { JournalEntry } from '../journal/operation-row.ts'

/** Which deletions a viewer may see now, and how they see their paths. */
export type Visibility = Awaited<ReturnType<typeof visibilityOf>>

/** @param userId the viewer's */
export async function visibilityOf(drive: Drive, userId: number) {
  const subtree = await nullOn('not-found', drive.subtree(ROOT))
  const isMine = ({ by }: JournalEntry): boolean => by.id === userId && userId !== 0

  /**
   * The path as the viewer sees it; null if scope, rules or hidden names do not show it. What they deleted themselves by its address, below something
   * that is denied (`deny /a`, `allow /a/b`), they can restore in the same way.
   */
  function pathOf(entry: JournalEntry): FilePath | null {
    const { path } = entry
    if (subtree === null || path === subtree.node || !isWithin(path, subtree.node)) return null
    return (isMine(entry) ? subtree.shows(path) : subtree.reaches(path)) ? subtree.pathOf(path) : null
  }

  /** Whether the viewer may see everything that was deleted from a folder: they see the folder, and may create there. */
  async function seesFolder(path: FilePath): Promise<boolean> {
    if (!drive.may('create', path)) return false
    const entry = await nullOn('not-found', drive.stat(path))
    return entry?.stat.kind === 'folder' && entry.target === null
  }

  return {
    isMine,
    pathOf,
    /** Of an entry that they may see; null if it is not counted yet, and of a folder in which a rule may deny a part. */
    sizeOf({ path, folder, size }: Pick<JournalEntry, 'path' | 'folder' | 'size'>): number | null {
      return folder && (subtree === null || subtree.shownBelow(path) === 'unknown') ? null : size
    },
    /** The viewer's path of an entry that they may see by its id; null if they may not. */
    async find(entry: JournalEntry): Promise<FilePath | null> {
      const path = pathOf(entry)
      if (path === null || isMine(entry) || drive.access.may.admin) return path
      return (await seesFolder(parentOf(path))) ? path : null
    },
  }
}

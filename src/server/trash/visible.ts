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

  /** The path as the viewer sees it; null if scope, rules or hidden names do not show it. */
  function pathOf({ path }: Pick<JournalEntry, 'path'>): FilePath | null {
    if (subtree === null || path === subtree.node || !isWithin(path, subtree.node) || !subtree.reaches(path)) return null
    return subtree.pathOf(path)
  }

  /** Whether the viewer may see everything that was deleted from a folder: they see the folder, and may create there. */
  async function seesFolder(path: FilePath): Promise<boolean> {
    if (!drive.may('create')) return false
    const entry = await nullOn('not-found', drive.stat(path))
    return entry?.stat.kind === 'folder' && entry.target === null
  }

  return {
    isMine,
    pathOf,
    /** The viewer's path of an entry that they may see by its id; null if they may not. */
    async find(entry: JournalEntry): Promise<FilePath | null> {
      const path = pathOf(entry)
      if (path === null || isMine(entry) || drive.access.may.admin) return path
      return (await seesFolder(parentOf(path))) ? path : null
    },
  }
}

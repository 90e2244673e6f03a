import { isAppError } from '../../shared/errors.ts'
import { type FilePath, isWithin, ROOT } from '../../shared/file-path.ts'
import type { Drive, Walked } from '../drive/drive.ts'
import type { SubtreeView } from '../drive/subtree-view.ts'

/** Looked at at the same time. */
const CONCURRENT_LOOKUPS = 16

/** Those of some rows whose place holds a file or folder that this person may see today, each with how they see it. Of the others nothing shows. */
export async function reachable<Row extends { readonly storagePath: FilePath }>(
  drive: Drive,
  rows: readonly Row[],
): Promise<{ row: Row; seen: Walked }[]> {
  const subtree = rows.length === 0 ? null : await subtreeOf(drive)
  if (subtree === null) return []
  const found: { row: Row; seen: Walked }[] = []
  for (let at = 0; at < rows.length; at += CONCURRENT_LOOKUPS) {
    const some = rows.slice(at, at + CONCURRENT_LOOKUPS)
    const results = await Promise.all(some.map(({ storagePath }) => lookUp(subtree, storagePath)))
    for (const [index, row] of some.entries()) {
      const seen = results[index] ?? null
      if (seen !== null) found.push({ row, seen })
    }
  }
  return found
}

async function lookUp(subtree: SubtreeView, storagePath: FilePath): Promise<Walked | null> {
  if (storagePath === subtree.node || !isWithin(storagePath, subtree.node)) return null
  try {
    const seen = await subtree.look(storagePath)
    return seen !== null && isFileOrFolder(seen) ? seen : null
  } catch (error) {
    // On the way to it there is something else now.
    if (isAppError(error, 'not-found')) return null
    throw error
  }
}

/** Whether it is a file or a folder, or a link to one within reach. */
export function isFileOrFolder({ stat, target }: Pick<Walked, 'stat' | 'target'>): boolean {
  return (target === null || target === 'inside') && (stat.kind === 'file' || stat.kind === 'folder')
}

/** Null where the folder that a person is to see is not there itself. */
async function subtreeOf(drive: Drive): Promise<SubtreeView | null> {
  try {
    return await drive.subtree(ROOT)
  } catch (error) {
    if (isAppError(error, 'not-found')) return null
    throw error
  }
}

import { isAppError } from '../../shared/errors.ts'
import { type FilePath, isWithin, ROOT } from '../../shared/file-path.ts'
import type { Drive, Walked } from '../drive/drive.ts'
import type { SubtreeView } from '../drive/subtree-view.ts'

/** Looked at at the same time. */
const LOOKS = 16

/** Those of some rows whose place holds a file or folder that this person may see today, each with how they see it. Of the others nothing shows. */
export async function inReach<Row extends { readonly place: FilePath }>(
  drive: Drive,
  rows: readonly Row[],
): Promise<{ row: Row; seen: Walked }[]> {
  const subtree = rows.length === 0 ? null : await subtreeOf(drive)
  if (subtree === null) return []
  const found: { row: Row; seen: Walked }[] = []
  for (let at = 0; at < rows.length; at += LOOKS) {
    const some = rows.slice(at, at + LOOKS)
    const looks = await Promise.all(some.map(({ place }) => lookAt(subtree, place)))
    for (const [index, row] of some.entries()) {
      const seen = looks[index] ?? null
      if (seen !== null) found.push({ row, seen })
    }
  }
  return found
}

async function lookAt(subtree: SubtreeView, place: FilePath): Promise<Walked | null> {
  if (place === subtree.node || !isWithin(place, subtree.node)) return null
  try {
    const seen = await subtree.look(place)
    return seen !== null && isMarkable(seen) ? seen : null
  } catch (error) {
    // On the way to it there is something else now.
    if (isAppError(error, 'not-found')) return null
    throw error
  }
}

/** Whether it is a file or a folder, or a link to one within reach. */
export function isMarkable({ stat, target }: Pick<Walked, 'stat' | 'target'>): boolean {
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

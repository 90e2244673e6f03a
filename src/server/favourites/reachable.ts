import { nullOn } from '../../shared/errors.ts'
import { type FilePath, isWithin, ROOT } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import type { WalkedEntry } from '../drive/entry.ts'
import type { SubtreeView } from '../drive/subtree-view.ts'

/** Concurrent lookups. */
const CONCURRENT_LOOKUPS = 16

/** Of some rows, those whose path is a file or folder that this user may see now, each with how they see it. Nothing is revealed about the others. */
export async function reachable<Row extends { readonly storagePath: FilePath }>(
  drive: Drive,
  rows: readonly Row[],
): Promise<{ row: Row; seen: WalkedEntry }[]> {
  const subtree = rows.length === 0 ? null : await nullOn('not-found', drive.subtree(ROOT))
  if (subtree === null) return []
  const found: { row: Row; seen: WalkedEntry }[] = []
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

async function lookUp(subtree: SubtreeView, storagePath: FilePath): Promise<WalkedEntry | null> {
  if (storagePath === subtree.node || !isWithin(storagePath, subtree.node)) return null
  // `not-found` if a parent folder has been replaced by something else.
  const seen = await nullOn('not-found', subtree.look(storagePath))
  return seen !== null && isFileOrFolder(seen) ? seen : null
}

/** Whether it is a file or folder, or a link to one that the user may see. */
export function isFileOrFolder({ stat, target }: Pick<WalkedEntry, 'stat' | 'target'>): boolean {
  return (target === null || target === 'inside') && (stat.kind === 'file' || stat.kind === 'folder')
}

import type { LargeFile } from '../../shared/contract/sizes.ts'
import { nullOn } from '../../shared/errors.ts'
import type { Drive } from '../drive/drive.ts'
import type { SubtreeView } from '../drive/subtree-view.ts'
import type { IndexedNode, TreeIndex } from '../index/tree-index.ts'
import { visibleBelow } from './visible-below.ts'

const LOOKS_AT_ONCE = 8

/** The largest visible files below a folder, each as it is on the disk now. Null if the index does not know the folder. */
export async function largestBelow(
  index: TreeIndex,
  { drive, subtree, most, signal }: { drive: Drive; subtree: SubtreeView; most: number; signal: AbortSignal },
): Promise<LargeFile[] | null> {
  const nodes = await visibleBelow(index, subtree, { signal })
  if (nodes === null) return null
  const found: LargeFile[] = []
  const candidates = (await greatest(nodes, most)).values()
  const look = async (): Promise<void> => {
    for (const { path } of candidates) {
      signal.throwIfAborted()
      const file = await current(drive, subtree.pathOf(path))
      if (file !== null) found.push(file)
    }
  }
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, look))
  return found.sort(bySize)
}

/** Never holds more than twice as many as requested. */
async function greatest(nodes: AsyncIterable<IndexedNode>, most: number): Promise<IndexedNode[]> {
  let kept: IndexedNode[] = []
  let least = 0
  for await (const known of nodes) {
    if (known.kind !== 'file' || known.size <= least) continue
    kept.push(known)
    if (kept.length < 2 * most) continue
    kept = kept.sort(bySize).slice(0, most)
    least = kept.at(-1)?.size ?? 0
  }
  return kept.sort(bySize).slice(0, most)
}

/** Null if it has gone, or is no longer a file. */
async function current(drive: Drive, path: IndexedNode['path']): Promise<LargeFile | null> {
  const entry = await nullOn('not-found', drive.stat(path))
  if (entry === null || entry.stat.kind !== 'file' || entry.target !== null) return null
  return { path, size: entry.stat.size, modified: entry.stat.modified }
}

/** The largest first, equal ones by path. */
function bySize(a: { size: number; path: string }, b: { size: number; path: string }): number {
  return b.size - a.size || (a.path < b.path ? -1 : 1)
}

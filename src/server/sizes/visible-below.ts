import type { SubtreeView } from '../drive/subtree-view.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { IndexedNode, TreeIndex } from '../index/tree-index.ts'

/**
 * Everything below a folder that its viewer may see, from the index, a folder before its content; hidden folders are not entered, as on a walk.
 * Yields to others meanwhile. Null if the index does not know the folder.
 */
export async function visibleBelow(
  index: TreeIndex,
  subtree: SubtreeView,
  { signal, skips }: { signal: AbortSignal; skips?: (folder: IndexedNode) => boolean },
): Promise<AsyncGenerator<IndexedNode, void> | null> {
  const enters = (folder: IndexedNode): boolean => subtree.shows(folder.path) && skips?.(folder) !== true
  const batches = await index.below(subtree.node, { signal, enters })
  return batches && visibleIn(batches, subtree, signal)
}

async function* visibleIn(
  batches: AsyncIterable<readonly IndexedNode[]>,
  subtree: SubtreeView,
  signal: AbortSignal,
): AsyncGenerator<IndexedNode, void> {
  const turn = periodicYield(signal)
  for await (const batch of batches) {
    await turn()
    await subtree.renew()
    for (const known of batch) if (subtree.shows(known.path)) yield known
  }
}

import type { SubtreeView } from '../drive/subtree-view.ts'
import { inTurns } from '../drive/pause.ts'
import type { IndexedNode, TreeIndex } from '../index/tree-index.ts'

export interface VisibleOptions {
  readonly signal: AbortSignal
  /** Whether to pass over what lies in a visible folder. */
  readonly skips?: (folder: IndexedNode) => boolean
}

/**
 * Everything below a folder that its viewer may see, as the index has it, a folder before its content; what is hidden is not entered, as on a
 * walk. Others have their turn meanwhile. Null where the index does not know the folder.
 */
export async function visibleBelow(
  index: TreeIndex,
  subtree: SubtreeView,
  { signal, skips }: VisibleOptions,
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
  const turn = inTurns(signal)
  for await (const batch of batches) {
    await turn()
    await subtree.renew()
    for (const known of batch) if (subtree.shows(known.path)) yield known
  }
}

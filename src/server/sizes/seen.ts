import type { SubtreeView } from '../drive/subtree-view.ts'
import { inTurns } from '../drive/pause.ts'
import type { Known, TreeIndex } from '../index/tree-index.ts'

export interface SeenOptions {
  readonly signal: AbortSignal
  /** Whether to pass over what lies in a visible folder. */
  readonly skips?: (folder: Known) => boolean
}

/**
 * Everything below a folder that its viewer may see, as the index has it, a folder before its content; what is hidden is not entered, as on a
 * walk. Others have their turn meanwhile. Null where the index does not know the folder.
 */
export async function seenBelow(
  index: TreeIndex,
  subtree: SubtreeView,
  { signal, skips }: SeenOptions,
): Promise<AsyncGenerator<Known, void> | null> {
  const enters = (folder: Known): boolean => subtree.shows(folder.path) && skips?.(folder) !== true
  const batches = await index.below(subtree.node, { signal, enters })
  return batches && visibleIn(batches, subtree, signal)
}

async function* visibleIn(
  batches: AsyncIterable<readonly Known[]>,
  subtree: SubtreeView,
  signal: AbortSignal,
): AsyncGenerator<Known, void> {
  const turn = inTurns(signal)
  for await (const batch of batches) {
    await turn()
    await subtree.renew()
    for (const known of batch) if (subtree.shows(known.path)) yield known
  }
}

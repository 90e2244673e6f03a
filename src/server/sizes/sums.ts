import type { ChildSums, Sizes } from '../../shared/contract/sizes.ts'
import { type FilePath, nameOf, pathFrom } from '../../shared/file-path.ts'
import type { SubtreeView } from '../drive/subtree-view.ts'
import type { Counted, IndexedNode, Sums, TreeIndex } from '../index/tree-index.ts'
import { visibleBelow } from './visible-below.ts'

const UNKNOWN: Sizes = { sums: null, children: null }

/**
 * The totals of a folder, and with `children` of each folder in it, as far as its viewer may see them. Only from the index: what it does not know is
 * returned as unknown, at once. If something below could be hidden, visible nodes are counted one by one.
 */
export async function sizesOf(
  index: TreeIndex,
  subtree: SubtreeView,
  { children, signal }: { children: boolean; signal: AbortSignal },
): Promise<Sizes> {
  const counted = countedBelow(subtree, subtree.node)
  if (counted === null) return countVisible(index, subtree, { children, signal })
  const sums = await index.sums(subtree.node, counted)
  const known = children && sums !== null ? await index.childSums(subtree.node, counted) : null
  if (sums === null || (children && known === null)) return UNKNOWN
  return { sums, children: known && columnsOf(known.map((one) => [nameOf(one.known.path), one.sums])) }
}

interface Tally {
  files: number
  folders: number
  bytes: number
}

async function countVisible(
  index: TreeIndex,
  subtree: SubtreeView,
  { children, signal }: { children: boolean; signal: AbortSignal },
): Promise<Sizes> {
  // Here rules do not matter any more: the index has the totals.
  const skips = ({ path }: IndexedNode): boolean => countedBelow(subtree, path) !== null
  const nodes = await visibleBelow(index, subtree, { signal, skips })
  if (nodes === null) return UNKNOWN
  const total = nothing()
  const byChild = new Map<string, Tally>()
  for await (const known of nodes) {
    const counted = known.kind === 'folder' ? countedBelow(subtree, known.path) : null
    const inside = counted === null ? NOTHING : await index.sums(known.path, counted)
    if (inside === null) return UNKNOWN
    const all = plus(sumOf(known), inside)
    plus(total, all)
    if (!children) continue
    const { child, isDeeper } = wayTo(known, subtree)
    const tally = byChild.get(child)
    if (tally !== undefined && isDeeper) plus(tally, all)
    else if (known.kind === 'folder' && !isDeeper) byChild.set(child, plus(nothing(), inside))
  }
  return { sums: total, children: children ? columnsOf([...byChild]) : null }
}

/** What the index must count to match what its viewer sees; null if each node has to be checked. */
export function countedBelow(subtree: SubtreeView, folder: FilePath): Counted | null {
  const shown = subtree.shownBelow(folder)
  return shown === 'unknown' ? null : { dotfiles: shown === 'all' }
}

function sumOf({ kind, size }: IndexedNode): Tally {
  return kind === 'folder' ? { files: 0, folders: 1, bytes: 0 } : { files: 1, folders: 0, bytes: size }
}

/** The child of the folder that contains a node, or is the node. */
function wayTo({ path }: IndexedNode, { node }: SubtreeView): { child: string; isDeeper: boolean } {
  const inside = pathFrom(node, path) ?? path
  const end = inside.indexOf('/', 1)
  return end < 0 ? { child: inside.slice(1), isDeeper: false } : { child: inside.slice(1, end), isDeeper: true }
}

function columnsOf(rows: readonly (readonly [string, Sums])[]): ChildSums {
  return {
    names: rows.map(([name]) => name),
    bytes: rows.map(([, { bytes }]) => bytes),
    files: rows.map(([, { files }]) => files),
    folders: rows.map(([, { folders }]) => folders),
  }
}

const NOTHING: Sums = { files: 0, folders: 0, bytes: 0 }

function nothing(): Tally {
  return { ...NOTHING }
}

function plus(sum: Tally, { files, folders, bytes }: Sums): Tally {
  sum.files += files
  sum.folders += folders
  sum.bytes += bytes
  return sum
}

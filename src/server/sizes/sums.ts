import type { ChildSums, Sizes } from '../../shared/contract/sizes.ts'
import { nameOf, pathFrom } from '../../shared/file-path.ts'
import type { Outlook } from '../drive/outlook.ts'
import type { Known, Sums, TreeIndex } from '../index/tree-index.ts'
import { seenBelow } from './seen.ts'

const UNKNOWN: Sizes = { sums: null, children: null }

/**
 * What lies in a folder, and with `children` in each folder there, as far as its viewer may see it. Only from the index: what it does not know
 * is told as unknown, at once. Where something below could be hidden, what is visible is counted one by one.
 */
export async function sizesOf(
  index: TreeIndex,
  outlook: Outlook,
  { children, signal }: { children: boolean; signal: AbortSignal },
): Promise<Sizes> {
  if (!outlook.showsAllBelow(outlook.node)) return countVisible(index, outlook, { children, signal })
  const sums = await index.sums(outlook.node)
  const known = children && sums !== null ? await index.childSums(outlook.node) : null
  if (sums === null || (children && known === null)) return UNKNOWN
  return { sums, children: known && columnsOf(known.map((one) => [nameOf(one.known.path), one.sums])) }
}

interface Counted {
  files: number
  folders: number
  bytes: number
}

async function countVisible(
  index: TreeIndex,
  outlook: Outlook,
  { children, signal }: { children: boolean; signal: AbortSignal },
): Promise<Sizes> {
  // Whoever sees these sees all that lies in them: the index has the sum.
  const skips = ({ path }: Known): boolean => outlook.showsAllBelow(path)
  const nodes = await seenBelow(index, outlook, { signal, skips })
  if (nodes === null) return UNKNOWN
  const total = nothing()
  const byChild = new Map<string, Counted>()
  for await (const known of nodes) {
    const inside = known.kind === 'folder' && skips(known) ? await index.sums(known.path) : NOTHING
    if (inside === null) return UNKNOWN
    const all = plus(sumOf(known), inside)
    plus(total, all)
    if (!children) continue
    const { child, isDeeper } = wayTo(known, outlook)
    const counted = byChild.get(child)
    if (counted !== undefined && isDeeper) plus(counted, all)
    else if (known.kind === 'folder' && !isDeeper) byChild.set(child, plus(nothing(), inside))
  }
  return { sums: total, children: children ? columnsOf([...byChild]) : null }
}

/** A node by itself. */
function sumOf({ kind, size }: Known): Counted {
  return kind === 'folder' ? { files: 0, folders: 1, bytes: 0 } : { files: 1, folders: 0, bytes: size }
}

/** Through which child of the folder one comes to a node, or whether it is one. */
function wayTo({ path }: Known, { node }: Outlook): { child: string; isDeeper: boolean } {
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

function nothing(): Counted {
  return { ...NOTHING }
}

/** Adds to the first, and gives it back. */
function plus(sum: Counted, { files, folders, bytes }: Sums): Counted {
  sum.files += files
  sum.folders += folders
  sum.bytes += bytes
  return sum
}

import { type FilePath, parentOf } from '../../shared/file-path.ts'
import { type FoundNode, together } from '../../shared/found-node.ts'

/** By then Satchel has announced what it did, */
const QUIET_MS = 10_000
/** and a program that does not stop gets an entry for each minute. */
const LONGEST_MS = 60_000
/** If more is waiting, the oldest do not wait any longer. */
const MOST = 200_000

/** What the index found and nobody has judged yet, by folder: what happens in a folder without a pause belongs together. */
export function createPending({ most = MOST }: { most?: number } = {}) {
  const folders = new Map<FilePath, { first: number; last: number; nodes: Map<FilePath, FoundNode> }>()
  let count = 0

  function take(folder: FilePath): FoundNode[] {
    const nodes = [...(folders.get(folder)?.nodes.values() ?? [])]
    folders.delete(folder)
    count -= nodes.length
    return nodes
  }

  return {
    isEmpty: (): boolean => folders.size === 0,
    add(found: readonly FoundNode[]): void {
      for (const node of found) {
        const folder = parentOf(node.path)
        const known = folders.get(folder) ?? { first: node.last, last: node.last, nodes: new Map<FilePath, FoundNode>() }
        const before = known.nodes.get(node.path)
        const both = before === undefined ? node : joined(before, node)
        count += (both === null ? 0 : 1) - (before === undefined ? 0 : 1)
        known.last = Math.max(known.last, node.last)
        if (both === null) known.nodes.delete(node.path)
        else known.nodes.set(node.path, both)
        if (known.nodes.size === 0) folders.delete(folder)
        else folders.set(folder, known)
      }
    },
    /** What has waited long enough. @param now milliseconds since 1970; Infinity for all */
    due(now: number): FoundNode[] {
      const taken: FoundNode[] = []
      for (const [folder, { first, last }] of folders)
        if (last <= now - QUIET_MS || first <= now - LONGEST_MS || count > most) taken.push(...take(folder))
      return taken
    },
  }
}

function joined(before: FoundNode, node: FoundNode): FoundNode | null {
  const change = together(before.change, node.change)
  return change && { ...node, change, first: Math.min(before.first, node.first), last: Math.max(before.last, node.last) }
}

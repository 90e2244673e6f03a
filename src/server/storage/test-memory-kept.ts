import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf, parentOf, ROOT, segmentsOf } from '../../shared/file-path.ts'
import { checkStagedId, refusePrivate } from './private-name.ts'
import { columnsOf, mayReplace, type MemoryNode, openBytes, statOf } from './test-memory-node.ts'
import { type Kept, pathOf, type Storage } from './storage.ts'

interface Tree {
  find(path: FilePath): MemoryNode | null
  put(path: FilePath, node: MemoryNode): void
  /** The folder that holds a path. */
  parent(path: FilePath): MemoryNode
}

type MemoryKept = Pick<
  Storage,
  'keepingVolume' | 'keep' | 'statKept' | 'resetKept' | 'listKept' | 'openKept' | 'restoreKept' | 'dropKept' | 'keptNodes'
> & {
  keepOld(node: MemoryNode, name: string, kept: Kept): void
  nodes(): MemoryNode[]
}

/** The methods of a memory storage for kept nodes. */
export function createMemoryKept({ find, put, parent }: Tree): MemoryKept {
  const all = new Map<string, { kept: Kept; name: string; node: MemoryNode }>()

  function keyOf({ area, volume, id }: Kept): string {
    checkStagedId(id)
    if (volume !== ROOT) fail('storage-busy', { retryAfterSeconds: 1 })
    return `${area}/${id}`
  }

  function keepOld(node: MemoryNode, name: string, kept: Kept): void {
    if (kept.volume !== ROOT) return
    if (all.has(keyOf(kept))) fail('already-exists', { path: ROOT })
    all.set(keyOf(kept), { kept, name, node })
  }

  function below(kept: Kept, path: FilePath): MemoryNode {
    refusePrivate(path)
    let node = all.get(keyOf(kept))?.node
    for (const segment of segmentsOf(path)) node = node?.children.get(segment)
    return node ?? fail('not-found', {})
  }

  return {
    keepOld,
    nodes: () => [...all.values()].map(({ node }) => node),
    async keepingVolume(where) {
      const path = pathOf(where)
      return path === ROOT || find(path) === null ? null : ROOT
    },
    async keep(where, kept) {
      const path = pathOf(where)
      checkStagedId(kept.id)
      if (path === ROOT) fail('busy', {})
      const node = find(path) ?? fail('not-found', {})
      if (kept.volume !== ROOT) return null
      keepOld(node, nameOf(path), kept)
      parent(path).children.delete(nameOf(path))
      return statOf(node)
    },
    async statKept(kept) {
      const found = all.get(keyOf(kept))
      return found === undefined ? null : { ...statOf(found.node), name: found.name }
    },
    async resetKept(kept, { mode, modified }) {
      const node = all.get(keyOf(kept))?.node
      if (node?.kind === 'file') Object.assign(node, { mode: (node.mode & ~0o777) | mode, modified })
    },
    async listKept(kept, path) {
      return columnsOf(below(kept, path))
    },
    async openKept(kept, path) {
      return openBytes(below(kept, path))
    },
    async restoreKept(kept, where, { replace, keep, asSave = false }) {
      const to = pathOf(where)
      const key = keyOf(kept)
      const { node } = all.get(key) ?? fail('not-found', {})
      if (to === ROOT) fail('already-exists', { path: to })
      refusePrivate(to)
      if (find(parentOf(to))?.kind !== 'folder') fail('not-found', {})
      const old = find(to)
      if (old !== null && !(replace && mayReplace(node, old))) fail('already-exists', { path: to })
      if (keep !== undefined && old?.kind === 'file') keepOld(old, nameOf(to), keep)
      if (asSave && old !== null) Object.assign(node, { mode: old.mode, modified: Date.now() })
      put(to, node)
      all.delete(key)
      return true
    },
    async dropKept(kept, { signal, onProgress } = {}) {
      signal?.throwIfAborted()
      const found = all.get(keyOf(kept))
      all.delete(keyOf(kept))
      if (found !== undefined) onProgress?.(countOf(found.node))
    },
    async keptNodes(area) {
      return [...all.values()].map(({ kept }) => kept).filter((kept) => kept.area === area)
    },
  }
}

function countOf({ children }: MemoryNode): number {
  let count = 1
  for (const child of children.values()) count += countOf(child)
  return count
}

import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf, ROOT } from '../../shared/file-path.ts'
import { checkStagedId } from './private-name.ts'
import { type MemoryNode, newNode, statOf } from './test-memory-node.ts'
import { type Adopted, type Kept, pathOf, type StagedFile, type Storage } from './storage.ts'
import { chunksOf } from './append.ts'

/** Without setuid and setgid, like the local storage. */
const PERMISSIONS = 0o1777

interface Bytes {
  readonly chunks: Uint8Array[]
  readonly size: number
  readonly changed: number
}

interface Tree {
  find(path: FilePath): MemoryNode | null
  put(path: FilePath, node: MemoryNode): void
  /** Keeps a replaced node. */
  keepOld(node: MemoryNode, name: string, kept: Kept): void
  /** The free bytes, without counting staged ones. */
  room(): number
}

/** The methods of a memory storage for staged files. */
export function createMemoryStaging({ find, put, keepOld, room }: Tree): Pick<Storage, 'stage' | 'staged'> {
  const staged = new Map<string, Bytes>()
  const appending = new Set<string>()

  function grow(id: string, chunk: Uint8Array): void {
    const old: Bytes = staged.get(id) ?? { chunks: [], size: 0, changed: 0 }
    const changed = Date.now()
    const pending = [...staged.values()].reduce((sum, { size }) => sum + size, 0)
    const fits = chunk.slice(0, Math.max(0, room() - pending))
    staged.set(id, { chunks: old.chunks, size: old.size + fits.length, changed })
    old.chunks.push(fits)
    if (fits.length < chunk.length) fail('storage-full', {})
  }

  /** Keeps the first `size` bytes. */
  function cut(id: string, size: number): void {
    const old = staged.get(id)
    if (old === undefined || old.size <= size) return
    staged.set(id, { chunks: [Buffer.concat(old.chunks).subarray(0, size)], size, changed: Date.now() })
  }

  function adopt(id: string, owner: string, size: number): Adopted {
    const others = [...staged.keys()].filter((name) => name !== id && (name === owner || name.startsWith(`${owner}-`)))
    const [former] = others
    const bytes = former && staged.get(former)
    for (const name of others) staged.delete(name)
    if (!bytes) return 'nothing'
    staged.set(id, bytes)
    cut(id, size)
    return 'adopted'
  }

  function stage(id: string): StagedFile {
    checkStagedId(id)
    const sizeNow = (): number => staged.get(id)?.size ?? 0
    return {
      id,
      size: async () => sizeNow(),
      settle: async () => (appending.has(id) ? sizeNow() : null),
      async append(bytes, { signal, limit = Number.POSITIVE_INFINITY, onBytes, at = sizeNow(), onDurable, mayWrite } = {}) {
        signal?.throwIfAborted()
        cut(id, at)
        const end = at + limit
        appending.add(id)
        try {
          for await (const chunk of bytes instanceof Uint8Array ? [bytes] : chunksOf(bytes, signal)) {
            onBytes?.()
            mayWrite?.()
            const space = end - sizeNow()
            grow(id, chunk.subarray(0, Math.min(chunk.length, space)))
            if (chunk.length > space) fail('too-large', { limit })
          }
        } finally {
          appending.delete(id)
          onDurable?.(sizeNow())
        }
        return sizeNow()
      },
      adopt: async (owner, size) => adopt(id, owner, size),
      changed: async () => staged.get(id)?.changed ?? null,
      async copyFrom(where, options) {
        options?.signal?.throwIfAborted()
        const node = find(pathOf(where))
        if (node?.kind !== 'file') fail('not-found', {})
        staged.delete(id)
        grow(id, node.bytes)
      },
      async commit(where, { replace, modified, mode, keep }) {
        const path = pathOf(where)
        const old = find(path)
        if (path === ROOT || (old !== null && (!replace || old.kind === 'folder'))) fail('already-exists', { path })
        const node = newNode('file', (mode ?? (old?.kind === 'file' ? old.mode : 0o640)) & PERMISSIONS)
        node.bytes = Buffer.concat(staged.get(id)?.chunks ?? [])
        node.modified = modified ?? node.modified
        if (keep !== undefined && old?.kind === 'file') keepOld(old, nameOf(path), keep)
        put(path, node)
        staged.delete(id)
        return statOf(node)
      },
      async discard() {
        staged.delete(id)
      },
      // A node is created when it is published.
      identity: async () => null,
    }
  }

  return { stage, staged: async () => [...staged.keys()] }
}

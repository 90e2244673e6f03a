import { fail } from '../../shared/errors.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import { chunksOf } from './chunks.ts'
import { checkStagedId } from './private-name.ts'
import { type MemoryNode, newNode, statOf } from './memory-node.ts'
import type { StagedFile, Storage } from './storage.ts'

interface Tree {
  find(path: FilePath): MemoryNode | null
  put(path: FilePath, node: MemoryNode): void
  /** Bytes that still fit in, staged ones not counted. */
  room(): number
}

/** The part of a memory storage that takes bytes in. */
export function createMemoryStaging({ find, put, room }: Tree): Pick<Storage, 'stage' | 'staged'> {
  const staged = new Map<string, { chunks: Uint8Array[]; size: number }>()

  function grow(id: string, chunk: Uint8Array): void {
    const old = staged.get(id) ?? { chunks: [], size: 0 }
    const pending = [...staged.values()].reduce((sum, { size }) => sum + size, 0)
    const fits = chunk.slice(0, Math.max(0, room() - pending))
    staged.set(id, { chunks: old.chunks, size: old.size + fits.length })
    old.chunks.push(fits)
    if (fits.length < chunk.length) fail('storage-full', {})
  }

  function stage(id: string): StagedFile {
    checkStagedId(id)
    const sizeNow = (): number => staged.get(id)?.size ?? 0
    return {
      id,
      size: async () => sizeNow(),
      async append(bytes, { signal, limit = Number.POSITIVE_INFINITY, onBytes } = {}) {
        signal?.throwIfAborted()
        const end = sizeNow() + limit
        for await (const chunk of bytes instanceof Uint8Array ? [bytes] : chunksOf(bytes, signal)) {
          onBytes?.()
          const space = end - sizeNow()
          grow(id, chunk.subarray(0, Math.min(chunk.length, space)))
          if (chunk.length > space) fail('too-large', { limit })
        }
        return sizeNow()
      },
      async copyFrom(path, options) {
        options?.signal?.throwIfAborted()
        const node = find(path)
        if (node?.kind !== 'file') fail('not-found', {})
        staged.delete(id)
        grow(id, node.bytes)
      },
      async commit(path, { replace, modified, mode }) {
        const old = find(path)
        if (path === ROOT || (old !== null && (!replace || old.kind === 'folder'))) fail('already-exists', { path })
        const node = newNode('file', mode ?? (old?.kind === 'file' ? old.mode & 0o7777 : 0o640))
        node.bytes = Buffer.concat(staged.get(id)?.chunks ?? [])
        node.modified = modified ?? node.modified
        put(path, node)
        staged.delete(id)
        return statOf(node)
      },
      async discard() {
        staged.delete(id)
      },
      // A node is made with its name.
      identity: async () => null,
    }
  }

  return { stage, staged: async () => [...staged.keys()] }
}

import { createHash, type Hash } from 'node:crypto'
import { createLru } from '../../shared/lru.ts'

/** Uploads that are followed at the same time. */
const FOLLOWED = 1000

interface Running {
  /** Bytes that are in it. */
  readonly at: number
  readonly hash: Hash
}

/** Where the bytes of a chunk were stored; null if they had been stored before. */
type Stored = { readonly at: number; readonly size: number } | null

export type ChunkSums = ReturnType<typeof createChunkSums>

/**
 * SHA-256 of uploads in chunks, computed while the chunks arrive, so that nothing is read again in the end. Kept in memory: of an upload that goes on after a
 * restart, or on another server, nothing is known.
 */
export function createChunkSums() {
  const running = createLru<string, Running>(FOLLOWED)
  return {
    /** The body of the next chunk, hashed while it is read. Call `stored` when it has been stored. */
    follow(key: string, body: ReadableStream<Uint8Array> | null) {
      const before = running.get(key) ?? { at: 0, hash: createHash('sha256') }
      const hash = before.hash.copy()
      const hashing = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          hash.update(chunk)
          controller.enqueue(chunk)
        },
      })
      return {
        body: body?.pipeThrough(hashing) ?? null,
        stored(stored: Stored): void {
          if (stored === null) return
          if (stored.at === before.at) running.set(key, { at: stored.at + stored.size, hash })
          else running.delete(key)
        },
      }
    },
    /** The digest of an upload of this size; null if it is not known. */
    digestOf(key: string, size: number): string | null {
      const known = running.get(key)
      return known?.at === size ? known.hash.copy().digest('hex') : null
    },
    forget: (key: string): void => void running.delete(key),
  }
}

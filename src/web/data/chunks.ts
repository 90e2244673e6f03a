import { CHUNK_LOAD_TIMEOUT_MS } from '../../shared/limits.ts'

/** A lazily loaded module did not arrive. */
export class ChunkMissing extends Error {
  override readonly name = 'ChunkMissing'
}

/** Awaits a dynamic import with a timeout, because imports cannot be cancelled. Fails with `ChunkMissing`. */
export async function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkMissing('timed out')), CHUNK_LOAD_TIMEOUT_MS)
  })
  try {
    return await Promise.race([promise, late])
  } catch (cause) {
    throw cause instanceof ChunkMissing ? cause : new ChunkMissing('failed', { cause })
  } finally {
    clearTimeout(timer)
  }
}

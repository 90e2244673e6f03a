import { CHUNK_LOAD_TIMEOUT_MS } from '../../shared/limits.ts'

/** Thrown when a part of the program does not arrive. */
export class ChunkMissing extends Error {
  override readonly name = 'ChunkMissing'
}

/** A part of the program that is fetched when it is first needed; an import cannot be cancelled, so it races a clock. Fails with `ChunkMissing`. */
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

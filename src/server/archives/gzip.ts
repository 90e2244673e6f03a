import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { inBlocks, mapParallel } from './batches.ts'

const deflate = promisify(deflateRaw)
/** RFC 1952: deflate, no flags, no time, fastest, Unix. */
const HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 3)
/** An empty last block (RFC 1951). */
const LAST_BLOCK = Uint8Array.of(3, 0)

/**
 * One gzip member whose blocks were compressed in parallel: each ends at a byte boundary (a sync flush), so that together they form one deflate
 * stream that every reader accepts.
 */
export async function* gzipOf(
  chunks: AsyncIterable<Uint8Array>,
  { parallel, block }: { parallel: number; block: number },
): AsyncGenerator<Uint8Array, void> {
  let crc = 0
  let size = 0
  async function* counted(): AsyncGenerator<Uint8Array, void> {
    for await (const bytes of inBlocks(chunks, block)) {
      crc = crc32(bytes, crc)
      size += bytes.length
      yield bytes
    }
  }
  yield HEAD
  yield* mapParallel(counted(), (bytes) => deflate(bytes, { level: 1, finishFlush: constants.Z_SYNC_FLUSH }), parallel)
  const foot = Buffer.alloc(8)
  foot.writeUInt32LE(crc >>> 0, 0)
  foot.writeUInt32LE(size % 0x100000000, 4)
  yield Buffer.concat([LAST_BLOCK, foot])
}

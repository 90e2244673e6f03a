import { promisify } from 'node:util'
import { constants, createBrotliCompress, zstdCompress } from 'node:zlib'
import { Readable } from 'node:stream'
import type { ArchiveFormat, LaidOutFormat } from '../../shared/archive-format.ts'
import { threadProgram } from '../entries/entries.ts'
import { createThreads } from '../threads/threads.ts'
import { inBlocks, mapParallel } from './batches.ts'
import type { CompressTask } from './compress-worker.ts'
import { gzipOf } from './gzip.ts'

/** Blocks compressed in parallel: as many as a small machine has cores, plus one that waits. */
const PARALLEL_BLOCKS = 2
const MEBIBYTE = 1024 * 1024

export interface Codec {
  readonly mediaType: string
  compress(tar: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

/**
 * How a tar is compressed. Where the format allows concatenation (members, streams, frames), parts are compressed in parallel, in other threads. The
 * levels keep up with a network.
 */
export const CODECS: Record<Exclude<ArchiveFormat, LaidOutFormat>, Codec> = {
  'tar.gz': { mediaType: 'application/gzip', compress: (tar) => gzipOf(tar, { parallel: PARALLEL_BLOCKS, block: MEBIBYTE / 2 }) },
  // The longest block of bzip2, so that each part is one block.
  'tar.bz2': { mediaType: 'application/x-bzip2', compress: (tar) => inParts(tar, 899_000, (block) => compressInThread('bz2', block)) },
  'tar.xz': { mediaType: 'application/x-xz', compress: (tar) => inParts(tar, MEBIBYTE, (block) => compressInThread('xz', block)) },
  'tar.lz4': { mediaType: 'application/x-lz4', compress: (tar) => inParts(tar, 4 * MEBIBYTE, lz4Frame) },
  'tar.sz': {
    mediaType: 'application/x-snappy-framed',
    compress: (tar) => inParts(tar, MEBIBYTE, (block) => compressInThread('sz', block)),
  },
  'tar.zst': { mediaType: 'application/zstd', compress: (tar) => inParts(tar, 2 * MEBIBYTE, zstdFrame) },
  // One stream: the format cannot concatenate parts.
  'tar.br': { mediaType: 'application/x-brotli', compress: brotliOf },
}

function inParts(
  tar: AsyncIterable<Uint8Array>,
  block: number,
  work: (block: Uint8Array) => Promise<Uint8Array>,
): AsyncIterable<Uint8Array> {
  return mapParallel(inBlocks(tar, block), work, PARALLEL_BLOCKS)
}

const threads = createThreads<Uint8Array>(threadProgram('compress-worker'), { most: PARALLEL_BLOCKS, idleMs: 30_000 })

function compressInThread(kind: CompressTask['kind'], bytes: Uint8Array): Promise<Uint8Array> {
  return threads.ask({ kind, bytes } satisfies CompressTask)
}

const zstd = promisify(zstdCompress)

function zstdFrame(block: Uint8Array): Promise<Uint8Array> {
  return zstd(block, { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } })
}

async function lz4Frame(block: Uint8Array): Promise<Uint8Array> {
  const { compressFrame } = await import('lz4-napi')
  return compressFrame(block, { contentChecksum: true })
}

async function* brotliOf(tar: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const encoder = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 22 } })
  const source = Readable.from(tar)
  source.once('error', (error) => encoder.destroy(error))
  source.pipe(encoder)
  try {
    yield* encoder as AsyncIterable<Uint8Array>
  } finally {
    source.destroy()
    encoder.destroy()
  }
}

import { Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib'
import type { Compression } from './detect.ts'
import { lz4Decoded } from './lz4.ts'
import { sevenZipBytes } from './read-seven-zip.ts'
import { type Source, wholeOf } from './source.ts'

type Decoder = (source: Source) => AsyncIterable<Uint8Array>

/** Decompresses a file; if a format allows concatenation, all of its parts. */
export const DECODERS: Record<Compression | 'br', Decoder> = {
  gz: (source) => through(source, createGunzip()),
  zst: (source) => through(source, createZstdDecompress()),
  br: (source) => through(source, createBrotliDecompress()),
  lz4: (source) => lz4Decoded(wholeOf(source)),
  sz: snappyDecoded,
  xz: (source) => sevenZipBytes(source, 'xz'),
  bz2: (source) => sevenZipBytes(source, 'bzip2'),
}

async function* through(source: Source, decoder: Transform): AsyncGenerator<Uint8Array, void> {
  const input = Readable.from(wholeOf(source))
  input.once('error', (error) => decoder.destroy(error))
  input.pipe(decoder)
  try {
    yield* decoder as AsyncIterable<Uint8Array>
  } finally {
    input.destroy()
    decoder.destroy()
  }
}

async function* snappyDecoded(source: Source): AsyncGenerator<Uint8Array, void> {
  const { Decompressor } = await import('snappy')
  const decoder = new Decompressor()
  for await (const chunk of wholeOf(source)) {
    const bytes = decoder.update(chunk)
    if (bytes.length > 0) yield bytes
  }
  const last = await decoder.finish()
  if (last.length > 0) yield last
}

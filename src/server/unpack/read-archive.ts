import { type Compression, type Container, detect, HEAD_BYTES, isTar } from './detect.ts'
import { type RawEntries, refuse } from './raw-entry.ts'
import { readSevenZip, sevenZipBytes } from './read-seven-zip.ts'
import { readTar } from './read-tar.ts'
import { readZip } from './read-zip.ts'
import { peek, type Source, wholeOf } from './source.ts'
import { Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib'
import { lz4Decoded } from './lz4.ts'

const CONTAINERS: Record<Container, (source: Source) => RawEntries> = {
  zip: readZip,
  tar: (source) => readTar(wholeOf(source)),
  '7z': (source) => readSevenZip(source, '7z'),
  rar: (source) => readSevenZip(source, 'rar'),
  rar5: (source) => readSevenZip(source, 'rar5'),
}

/** The entries of a file, by its real type. A compressed file that does not contain a tar is one entry without a name. */
export async function* readArchive(source: Source): RawEntries {
  const found = detect(peek(source, 0, HEAD_BYTES))
  if (found === null) yield* readBrotli(source)
  else if (isContainer(found)) yield* CONTAINERS[found](source)
  else yield* readCompressed(source, found)
}

function isContainer(found: Container | Compression): found is Container {
  return found in CONTAINERS
}

async function* readCompressed(source: Source, compression: Compression): RawEntries {
  const { head, all } = await beginning(DECODERS[compression](source))
  if (isTar(head)) yield* readTar(all)
  else yield { head: { name: '', kind: 'file', size: null, modified: null }, bytes: () => all }
}

/** Brotli has no signature: only if the content is a tar was it brotli. */
async function* readBrotli(source: Source): RawEntries {
  const { head, all } = await beginning(DECODERS.br(source)).catch(() => refuse('unknown'))
  if (!isTar(head)) refuse('unknown')
  yield* readTar(all)
}

async function beginning(bytes: AsyncIterable<Uint8Array>): Promise<{ head: Uint8Array; all: AsyncGenerator<Uint8Array, void> }> {
  const source = bytes[Symbol.asyncIterator]()
  const seen: Uint8Array[] = []
  let length = 0
  let ended = false
  while (length < HEAD_BYTES && !ended) {
    const { value, done } = await source.next()
    ended = done === true
    if (done === true) break
    seen.push(value)
    length += value.length
  }
  const first = Buffer.concat(seen)
  async function* all(): AsyncGenerator<Uint8Array, void> {
    try {
      yield first
      for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value
    } finally {
      await source.return?.()
    }
  }
  return { head: first.subarray(0, HEAD_BYTES), all: all() }
}

type Decoder = (source: Source) => AsyncIterable<Uint8Array>

/** Decompresses a file; if a format allows concatenation, all of its parts. */
const DECODERS: Record<Compression | 'br', Decoder> = {
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

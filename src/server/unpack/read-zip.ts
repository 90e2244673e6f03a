import { crc32 } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, type ZipFile, RandomAccessReader } from 'yauzl'
import type { EntryKind } from './protocol.ts'
import { nothing, type RawEntries, refuse } from './raw-entry.ts'
import { readSevenZip } from './read-seven-zip.ts'
import { type Source, bytesBetween } from './source.ts'
import { read } from 'node:fs'
import { Readable } from 'node:stream'

const STORED = 0
const DEFLATED = 8
const LOCAL_HEADER_BYTES = 30
const UNIX = 3

/**
 * Entries of the central directory. Fails with `encrypted` if any is, and with `overlapping` if two share bytes, as only bombs do; rare methods are
 * left to 7-Zip.
 */
export async function* readZip(source: Source): RawEntries {
  const options = { autoClose: false, decodeStrings: false, lazyEntries: true }
  const zip = await fromRandomAccessReaderPromise(createZipReader(source), source.size, options)
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) entries.push(entry)
  if (entries.some((entry) => entry.isEncrypted())) refuse('encrypted')
  refuseOverlaps(entries)
  if (entries.some(({ compressionMethod }) => compressionMethod !== STORED && compressionMethod !== DEFLATED)) {
    yield* readSevenZip(source, 'zip')
    return
  }
  for (const entry of entries) {
    const name = nameOf(entry)
    const kind = kindOf(entry, name)
    const head = {
      name,
      kind,
      size: kind === 'file' ? entry.uncompressedSize : 0,
      modified: entry.getLastModDate({ timezone: 'UTC' }).getTime(),
    }
    yield { head, bytes: () => (kind === 'file' ? contentOf(zip, entry, source) : nothing()) }
  }
}

/** yauzl checks the length; we check the checksum. */
async function* contentOf(zip: ZipFile, entry: Entry, { progress }: Source): AsyncGenerator<Uint8Array, void> {
  let crc = 0
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) {
    crc = crc32(chunk, crc)
    yield chunk
  }
  if (crc >>> 0 !== entry.crc32) refuse('damaged')
  progress.read += entry.compressedSize
}

function refuseOverlaps(entries: readonly Entry[]): void {
  let end = 0
  for (const entry of entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)) {
    if (entry.relativeOffsetOfLocalHeader < end) refuse('overlapping')
    end = entry.relativeOffsetOfLocalHeader + LOCAL_HEADER_BYTES + entry.fileNameLength + entry.compressedSize
  }
}

/** UTF-8 if the bytes are valid, with or without the flag: many programs do not set it. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fileNameRaw).replaceAll('\\', '/')
  } catch {
    return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
  }
}

function kindOf({ versionMadeBy, externalFileAttributes }: Entry, name: string): EntryKind {
  const type = versionMadeBy >>> 8 === UNIX ? (externalFileAttributes >>> 28) & 0xf : 0
  if (type === 0xa) return 'link'
  if (name.endsWith('/') || type === 0x4) return 'folder'
  return type === 0 || type === 0x8 ? 'file' : 'special'
}

/**
 * The archive's bytes as yauzl requests them. A zip may contain offsets outside of the file; the library's own reader passes them to the system and
 * throws where it cannot be caught.
 */
function createZipReader(source: Source): RandomAccessReader {
  return new ZipReader(source)
}

class ZipReader extends RandomAccessReader {
  readonly #source: Source

  constructor(source: Source) {
    super()
    this.#source = source
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void): void {
    const { descriptor, size } = this.#source
    if (!(position >= 0 && position + length <= size)) {
      setImmediate(() => callback(new Error('beyond the end')))
      return
    }
    read(descriptor, buffer, offset, length, position, (error, bytesRead) =>
      callback(error ?? (bytesRead < length ? new Error('cut off') : null)),
    )
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(bytesBetween(this.#source, start, end), { objectMode: false })
  }
}

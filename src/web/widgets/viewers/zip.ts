import type { ByteSource } from './byte-source.ts'
import { inflate } from './inflate.ts'

/** Not a zip, or one that is not trusted. */
export class ZipBroken extends Error {
  override readonly name = 'ZipBroken'
}

export interface ZipEntry {
  /** Path in the zip; never used as a file system path. */
  readonly name: string
  /** Declared uncompressed size in bytes. */
  readonly size: number
}

export interface Zip {
  readonly entries: ReadonlyMap<string, ZipEntry>
  /** Bytes of an entry, at most `most`. Fails with `ZipBroken` if there are more, or if they differ from the declaration. */
  read(name: string, options: { most: number; signal: AbortSignal }): Promise<Uint8Array<ArrayBuffer>>
}

/** Zip records and their fields (APPNOTE 6.3.10: 4.3.7, 4.3.12, 4.3.16). */
const END = { mark: 0x06054b50, bytes: 22, entries: 10, length: 12, start: 16 }
const CENTRAL = { mark: 0x02014b50, bytes: 46, flags: 8, method: 10, packed: 20, size: 24, name: 28, extra: 30, comment: 32, start: 42 }
const LOCAL = { mark: 0x04034b50, bytes: 30, name: 26, extra: 28 }
const [STORED, DEFLATED] = [0, 8]
const ENCRYPTED = 1
const MOST_COMMENT_BYTES = 0xffff
const MOST_ENTRIES = 20_000
const MOST_DIRECTORY_BYTES = 8 * 1024 * 1024
/** Compression ratio limit, against zip bombs. */
const MOST_RATIO = 200
const SMALL_BYTES = 1024 * 1024

interface Place extends ZipEntry {
  readonly start: number
  readonly packed: number
  readonly method: number
  readonly isEncrypted: boolean
}

/** Reads the central directory of a zip. Fails with `ZipBroken`. */
export async function openZip(source: ByteSource, { signal }: { signal: AbortSignal }): Promise<Zip> {
  const tailStart = Math.max(0, source.size - END.bytes - MOST_COMMENT_BYTES)
  const tail = view(await source.read(tailStart, source.size, { signal }))
  const end = findEnd(tail)
  const count = tail.getUint16(end + END.entries, true)
  const length = tail.getUint32(end + END.length, true)
  const start = tail.getUint32(end + END.start, true)
  if (count > MOST_ENTRIES || length > MOST_DIRECTORY_BYTES) throw new ZipBroken('too many entries')
  if (start + length > source.size) throw new ZipBroken('cut off')
  const entries = readDirectory(view(await source.read(start, start + length, { signal })), count)
  return { entries, read: async (name, options) => readEntry(source, entries.get(name), options) }
}

function findEnd(tail: DataView): number {
  for (let at = tail.byteLength - END.bytes; at >= 0; at--) if (tail.getUint32(at, true) === END.mark) return at
  throw new ZipBroken('no zip')
}

function readDirectory(directory: DataView, count: number): Map<string, Place> {
  const entries = new Map<string, Place>()
  for (let at = 0, n = 0; n < count; n++) {
    if (at + CENTRAL.bytes > directory.byteLength || directory.getUint32(at, true) !== CENTRAL.mark) throw new ZipBroken('no directory')
    const nameLength = directory.getUint16(at + CENTRAL.name, true)
    const next =
      at + CENTRAL.bytes + nameLength + directory.getUint16(at + CENTRAL.extra, true) + directory.getUint16(at + CENTRAL.comment, true)
    if (next > directory.byteLength) throw new ZipBroken('no directory')
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, directory.byteOffset + at + CENTRAL.bytes, nameLength))
    const place: Place = {
      name,
      size: directory.getUint32(at + CENTRAL.size, true),
      packed: directory.getUint32(at + CENTRAL.packed, true),
      start: directory.getUint32(at + CENTRAL.start, true),
      method: directory.getUint16(at + CENTRAL.method, true),
      isEncrypted: (directory.getUint16(at + CENTRAL.flags, true) & ENCRYPTED) !== 0,
    }
    // Of duplicate names the first counts.
    if (!entries.has(name)) entries.set(name, place)
    at = next
  }
  return entries
}

async function readEntry(
  source: ByteSource,
  entry: Place | undefined,
  { most, signal }: { most: number; signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer>> {
  if (entry === undefined) throw new ZipBroken('not there')
  const { start, packed, size, method, isEncrypted } = entry
  if (isEncrypted || (method !== STORED && method !== DEFLATED)) throw new ZipBroken('cannot be unpacked')
  if (size > most || packed > most) throw new ZipBroken('too large')
  if (size > SMALL_BYTES && size > packed * MOST_RATIO) throw new ZipBroken('a bomb')
  if (start + LOCAL.bytes > source.size) throw new ZipBroken('cut off')
  const head = view(await source.read(start, start + LOCAL.bytes, { signal }))
  if (head.getUint32(0, true) !== LOCAL.mark) throw new ZipBroken('no entry')
  const first = start + LOCAL.bytes + head.getUint16(LOCAL.name, true) + head.getUint16(LOCAL.extra, true)
  if (first + packed > source.size) throw new ZipBroken('cut off')
  const stored = await source.read(first, first + packed, { signal })
  const bytes = method === STORED ? stored : await inflate(stored, { format: 'deflate-raw', most: size }).catch(asBroken)
  if (bytes.length !== size) throw new ZipBroken('another length')
  return bytes
}

function asBroken(cause: unknown): never {
  throw new ZipBroken('cannot be unpacked', { cause })
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

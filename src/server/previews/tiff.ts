/** One field of a TIFF directory (TIFF 6.0, section 2). */
export interface Field {
  /** Of its values, as in TIFF 6.0: 2 is text, 5 and 10 are fractions. */
  readonly type: number
  readonly count: number
  /** The number in the field: a value, or the position of its values. */
  readonly at: number
  /** Where its values are, if they need not be more than four bytes. */
  readonly inPlace: number
  /** For integer types: the first few values. */
  readonly values: readonly number[]
}

const MOST_DIRECTORIES = 32
const MOST_FIELDS = 512
const MOST_VALUES = 16
const SUB_DIRECTORIES = 0x14a
/** Bytes per value by field type; 0 for types that are not integers. */
const WIDTH = [0, 1, 0, 2, 4, 0, 0, 1, 0, 0, 0, 0, 0, 4]
/** TIFF itself, and camera makers with their own number (Olympus, Panasonic). */
const MAGIC = new Set([42, 0x4f52, 0x5352, 0x55])

/** Every directory of a TIFF, including sub-directories, each once and up to a limit; null if it is not a TIFF. */
export async function readTiffDirectories(peek: Peek, size: number): Promise<AsyncIterable<ReadonlyMap<number, Field>> | null> {
  const tiff = await openTiff(peek, size)
  return tiff && directoriesOf(peek, tiff)
}

export interface Tiff {
  readonly size: number
  readonly little: boolean
  /** The position of the first directory. */
  readonly first: number
}

/** The head of a TIFF; null if it is none. */
export async function openTiff(peek: Peek, size: number): Promise<Tiff | null> {
  const head = view(await peek(0, 8))
  if (head.byteLength < 8) return null
  const order = head.getUint16(0)
  if (order !== 0x4949 && order !== 0x4d4d) return null
  const little = order === 0x4949
  if (!MAGIC.has(head.getUint16(2, little))) return null
  return { size, little, first: head.getUint32(4, little) }
}

async function* directoriesOf(peek: Peek, tiff: Tiff): AsyncGenerator<ReadonlyMap<number, Field>> {
  const places = [tiff.first]
  const seen = new Set<number>()
  for (const place of places) {
    if (place < 8 || place >= tiff.size || seen.has(place)) continue
    if (seen.size === MOST_DIRECTORIES) return
    seen.add(place)
    const { fields, next } = await readDirectory(peek, place, tiff)
    yield fields
    places.push(...(fields.get(SUB_DIRECTORIES)?.values ?? []), next)
  }
}

/** The fields of the directory at `place`, and the position of the next one; 0 for none. */
export async function readDirectory(
  peek: Peek,
  place: number,
  { little }: Tiff,
): Promise<{ fields: ReadonlyMap<number, Field>; next: number }> {
  const counted = view(await peek(place, 2))
  const count = counted.byteLength < 2 ? 0 : Math.min(MOST_FIELDS, counted.getUint16(0, little))
  const table = view(await peek(place + 2, count * 12 + 4))
  const fields = new Map<number, Field>()
  for (let at = 0; at + 12 <= table.byteLength && at < count * 12; at += 12) {
    const type = table.getUint16(at + 2, little)
    const width = WIDTH[type] ?? 0
    const values = table.getUint32(at + 4, little)
    const inPlace = width * values <= 4
    const offset = table.getUint32(at + 8, little)
    const bytes = inPlace ? view(new Uint8Array(table.buffer, table.byteOffset + at + 8, 4)) : null
    const stored = width === 0 ? null : (bytes ?? view(await peek(offset, width * Math.min(values, MOST_VALUES))))
    fields.set(table.getUint16(at, little), {
      type,
      count: values,
      at: offset,
      inPlace: place + 2 + at + 8,
      values: stored === null ? [] : numbers(stored, { width, values, little }),
    })
  }
  const after = count * 12
  return { fields, next: table.byteLength >= after + 4 ? table.getUint32(after, little) : 0 }
}

function numbers(stored: DataView, { width, values, little }: { width: number; values: number; little: boolean }): number[] {
  const found: number[] = []
  for (let at = 0; at + width <= stored.byteLength && found.length < Math.min(values, MOST_VALUES); at += width) {
    found.push(width === 4 ? stored.getUint32(at, little) : width === 2 ? stored.getUint16(at, little) : stored.getUint8(at))
  }
  return found
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Reads bytes at an offset; fewer at the end of the file. */
export type Peek = (start: number, length: number) => Promise<Uint8Array>

import { readTiffDirectories, type Field, type Peek } from './tiff.ts'

export interface Embedded {
  readonly start: number
  readonly end: number
  /** EXIF orientation of the photo, 1 to 8. */
  readonly orientation: number
}

const ORIENTATION = 0x112
const COMPRESSION = 0x103
const STRIP_OFFSETS = 0x111
const STRIP_LENGTHS = 0x117
const JPEG_OFFSET = 0x201
const JPEG_LENGTH = 0x202
/** Panasonic's full-size JPEG. */
const JPEG_FROM_RAW = 0x2e
const OLD_JPEG = 6
const JPEG = 7

/**
 * The JPEG preview in a RAW file (DNG, CR2, NEF and other TIFFs): the smallest with at least `pixels` on its longer side, otherwise the largest. Null
 * if there is none. Raw sensor data, which some cameras also store as a kind of JPEG, do not count.
 */
export async function findEmbedded(peek: Peek, size: number, { pixels }: { pixels: number }): Promise<Embedded | null> {
  const directories = await readTiffDirectories(peek, size)
  if (directories === null) return null
  const candidates: { start: number; end: number; longer: number }[] = []
  let orientation = 1
  for await (const fields of directories) {
    const one = (tag: number): number | null => first(fields.get(tag))
    const turned = one(ORIENTATION)
    if (orientation === 1 && turned !== null && turned >= 1 && turned <= 8) orientation = turned
    for (const [start, length] of spansOf(fields)) {
      if (start <= 0 || length < 4 || start + length > size) continue
      const dimensions = await dimensionsOf(peek, start, start + length)
      if (dimensions !== null) candidates.push({ start, end: start + length, longer: Math.max(...dimensions) })
    }
  }
  const best = candidates.toSorted((a, b) => a.longer - b.longer).find(({ longer }) => longer >= pixels)
  const chosen = best ?? candidates.toSorted((a, b) => b.longer - a.longer)[0]
  return chosen === undefined ? null : { start: chosen.start, end: chosen.end, orientation }
}

function spansOf(fields: ReadonlyMap<number, Field>): [start: number, length: number][] {
  const spans: [number, number][] = []
  const add = (start: number | null, length: number | null): void => {
    if (start !== null && length !== null) spans.push([start, length])
  }
  add(first(fields.get(JPEG_OFFSET)), first(fields.get(JPEG_LENGTH)))
  const compression = first(fields.get(COMPRESSION))
  const strips = fields.get(STRIP_OFFSETS)
  if ((compression === OLD_JPEG || compression === JPEG) && strips?.count === 1) add(first(strips), first(fields.get(STRIP_LENGTHS)))
  const whole = fields.get(JPEG_FROM_RAW)
  if (whole !== undefined) add(whole.at, whole.count)
  return spans
}

function first(field: Field | undefined): number | null {
  return field?.values[0] ?? null
}

const MOST_SEGMENTS = 64
/** Baseline, extended and progressive: what browsers and decoders can show. Raw sensor data are lossless (0xc3). */
const SHOWN = new Set([0xc0, 0xc1, 0xc2])

/** Width and height of the JPEG that begins at `start`; null if it is not one, or of a kind that cannot be shown (ITU T.81, annex B). */
export async function dimensionsOf(peek: Peek, start: number, end: number): Promise<[width: number, height: number] | null> {
  const [ff, soi] = await peek(start, 2)
  if (ff !== 0xff || soi !== 0xd8) return null
  for (let at = start + 2, segments = 0; at + 9 <= end && segments < MOST_SEGMENTS; segments++) {
    const bytes = await peek(at, 9)
    const [mark, kind = 0, high = 0, low = 0, , height1 = 0, height0 = 0, width1 = 0, width0 = 0] = bytes
    if (bytes.length < 9 || mark !== 0xff) return null
    if (SHOWN.has(kind)) return [width1 * 256 + width0, height1 * 256 + height0]
    const isFrame = kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc
    if (isFrame || kind === 0xda || kind === 0xd9) return null
    at += kind === 0xff ? 1 : 2 + high * 256 + low
  }
  return null
}

import { type Peek, readTiffDirectories } from '../previews/tiff.ts'
import { boxesIn } from './boxes.ts'
import { locateInJpeg, locateInPng, locateInWebp } from './containers.ts'
import { type ExifFound, readExif } from './exif.ts'
import { readFilm } from './film.ts'
import { both, type FoundFacts, NOTHING_FOUND } from './found-facts.ts'
import { locateInHeif } from './heif.ts'
import { iptcWithin, readIptc } from './iptc.ts'
import { ascii, limitedPeek, peekWithin, type Span, viewAt } from './limited-peek.ts'
import { type Located, NOWHERE } from './located.ts'
import { readXmp } from './xmp.ts'

const MOST_XMP_BYTES = 256 * 1024
const MOST_IPTC_BYTES = 256 * 1024
const WIDTH = 0x100
const HEIGHT = 0x101

/**
 * What a photo or film says about itself, by ranges of it: EXIF first, then IPTC and XMP. Files are hostile: all reading is limited, and what is
 * damaged or goes beyond the limits has no facts (decision 099). Fails only as `peek` does.
 */
export async function readFacts(peek: Peek, size: number): Promise<FoundFacts> {
  const limited = limitedPeek(peek, size)
  try {
    return { ...NOTHING_FOUND, ...(await factsOf(limited, size)) }
  } catch (error) {
    // A number or a text beyond the end of a part, or a limit.
    if (error instanceof RangeError) return NOTHING_FOUND
    throw error
  }
}

async function factsOf(peek: Peek, size: number): Promise<Partial<FoundFacts>> {
  const head = await viewAt(peek, 0, 16)
  if (head.byteLength < 16) return {}
  if (head.getUint16(0) === 0xffd8) return factsAt(peek, await locateInJpeg(peek, size))
  if (head.getUint32(0) === 0x89504e47) return factsAt(peek, await locateInPng(peek, size))
  if (ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 4) === 'WEBP') return factsAt(peek, await locateInWebp(peek, size))
  if (/^(ftyp|moov|mdat|wide|free)$/.test(ascii(head, 4, 4))) return factsOfBoxes(peek, size)
  return factsAt(peek, { ...NOWHERE, ...(await tiffSize(peek, size)), exif: { start: 0, end: size } })
}

async function factsOfBoxes(peek: Peek, size: number): Promise<Partial<FoundFacts>> {
  for await (const box of boxesIn(peek, { start: 0, end: size })) {
    if (box.kind === 'meta') return factsAt(peek, await locateInHeif(peek, box))
    if (box.kind === 'moov') return readFilm(peek, box)
  }
  return {}
}

async function factsAt(peek: Peek, { width, height, exif, xmp, iptc, isUpright }: Located): Promise<Partial<FoundFacts>> {
  const found: ExifFound =
    exif === null ? { facts: {}, xmp: null, iptc: null } : await partly(readExif(peekWithin(peek, exif), exif.end - exif.start), NO_EXIF)
  const records = iptc ?? (found.iptc && { ...found.iptc, isPacked: false })
  const fromIptc = records === null ? {} : await partly(iptcAt(peek, records), {})
  const packet = xmp ?? found.xmp
  const fromXmp = packet === null ? {} : await partly(xmpAt(peek, packet), {})
  const facts = both(found.facts, both(fromIptc, fromXmp))
  return { ...facts, width, height, orientation: isUpright ? null : (facts.orientation ?? null) }
}

const NO_EXIF: ExifFound = { facts: {}, xmp: null, iptc: null }

/** A damaged part does not take the others with it. */
async function partly<T>(part: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await part
  } catch (error) {
    if (error instanceof RangeError) return otherwise
    throw error
  }
}

async function xmpAt(peek: Peek, { start, end }: Span): Promise<Partial<FoundFacts>> {
  return end - start > MOST_XMP_BYTES ? {} : readXmp(new TextDecoder().decode(await peek(start, end - start)))
}

async function iptcAt(peek: Peek, { start, end, isPacked }: NonNullable<Located['iptc']>): Promise<Partial<FoundFacts>> {
  const view = await viewAt(peek, start, Math.min(end - start, MOST_IPTC_BYTES))
  const records = isPacked ? iptcWithin(view) : view
  return records === null ? {} : readIptc(records)
}

/** Of the largest directory: in RAW files the first is a thumbnail. */
async function tiffSize(peek: Peek, size: number): Promise<{ width: number | null; height: number | null }> {
  let [width, height] = [0, 0]
  for await (const fields of (await readTiffDirectories(peek, size)) ?? []) {
    const [w = 0, h = 0] = [fields.get(WIDTH)?.values[0], fields.get(HEIGHT)?.values[0]]
    if (w * h > width * height) [width, height] = [w, h]
  }
  return width === 0 ? { width: null, height: null } : { width, height }
}

import type { Peek } from '../previews/tiff.ts'
import { type Box, boxesIn, boxIn, inside } from './boxes.ts'
import { ascii, type Span, viewAt } from './limited-peek.ts'
import { type Located, NOWHERE } from './located.ts'

const MOST_ITEMS = 4096

/** HEIC and AVIF (ISO/IEC 23008-12): metadata are items, which a table locates. */
export async function locateInHeif(peek: Peek, meta: Box): Promise<Located> {
  const parts = new Map<string, Box>()
  for await (const box of boxesIn(peek, { start: meta.start + 4, end: meta.end })) parts.set(box.kind, box)
  const items = await itemsIn(peek, parts.get('iinf') ?? null)
  const places = await placesIn(peek, parts.get('iloc') ?? null)
  const exif = places.get(items.exif ?? -1)
  const xmp = places.get(items.xmp ?? -1) ?? null
  return {
    ...NOWHERE,
    ...(await sizeIn(peek, parts.get('iprp') ?? null)),
    exif: exif ? await tiffIn(peek, exif) : null,
    xmp,
    isUpright: true,
  }
}

/** The number of bytes before the TIFF comes first. */
async function tiffIn(peek: Peek, { start, end }: Span): Promise<Span> {
  return { start: start + 4 + (await viewAt(peek, start, 4)).getUint32(0), end }
}

async function itemsIn(peek: Peek, iinf: Box | null): Promise<{ exif: number | null; xmp: number | null }> {
  const found: { exif: number | null; xmp: number | null } = { exif: null, xmp: null }
  if (iinf === null) return found
  const isShort = (await viewAt(peek, iinf.start, 1)).getUint8(0) === 0
  for await (const entry of boxesIn(peek, { start: iinf.start + (isShort ? 6 : 8), end: iinf.end })) {
    if (entry.kind !== 'infe') continue
    const view = await viewAt(peek, entry.start, Math.min(64, entry.end - entry.start))
    const version = view.getUint8(0)
    if (version < 2) continue
    const wide = version === 2 ? 0 : 2
    const id = wide === 0 ? view.getUint16(4) : view.getUint32(4)
    const kind = ascii(view, 8 + wide, 4)
    if (kind === 'Exif') found.exif ??= id
    if (kind === 'mime' && ascii(view, 12 + wide, view.byteLength - 12 - wide).includes('application/rdf+xml')) found.xmp ??= id
  }
  return found
}

/** Where items of one piece are; one in several pieces is left out, and so is one within the table itself. */
async function placesIn(peek: Peek, iloc: Box | null): Promise<Map<number, Span>> {
  const found = new Map<number, Span>()
  if (iloc === null) return found
  const view = await viewAt(peek, iloc.start, iloc.end - iloc.start)
  const version = view.getUint8(0)
  const sizes = view.getUint16(4)
  const [offsetBytes, lengthBytes, baseBytes, indexBytes] = [
    sizes >> 12,
    (sizes >> 8) & 15,
    (sizes >> 4) & 15,
    version === 0 ? 0 : sizes & 15,
  ]
  let at = 6
  const take = (bytes: number): number => {
    const value = bytes === 8 ? Number(view.getBigUint64(at)) : bytes === 4 ? view.getUint32(at) : bytes === 2 ? view.getUint16(at) : 0
    at += bytes
    return value
  }
  const items = take(version < 2 ? 2 : 4)
  for (let item = 0; item < Math.min(items, MOST_ITEMS); item++) {
    const id = take(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : take(2) & 15
    take(2)
    const base = take(baseBytes)
    const extents = take(2)
    for (let extent = 0; extent < extents; extent++) {
      take(indexBytes)
      const start = base + take(offsetBytes)
      const end = start + take(lengthBytes)
      if (method === 0 && extents === 1) found.set(id, { start, end })
    }
  }
  return found
}

/** The largest picture, of which the others are tiles and thumbnails; turned if all are turned. */
async function sizeIn(peek: Peek, iprp: Box | null): Promise<{ width: number | null; height: number | null }> {
  const properties = inside(await boxIn(peek, iprp, 'ipco'), 0)
  let [width, height, isTurned] = [0, 0, false]
  if (properties === null) return { width: null, height: null }
  for await (const one of boxesIn(peek, properties)) {
    if (one.kind === 'irot') isTurned = ((await viewAt(peek, one.start, 1)).getUint8(0) & 1) === 1
    if (one.kind !== 'ispe') continue
    const view = await viewAt(peek, one.start, 12)
    const [w, h] = [view.getUint32(4), view.getUint32(8)]
    if (w * h > width * height) [width, height] = [w, h]
  }
  if (width === 0) return { width: null, height: null }
  return isTurned ? { width: height, height: width } : { width, height }
}

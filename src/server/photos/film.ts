import type { Peek } from '../previews/tiff.ts'
import { type Box, boxesIn, boxIn, inside } from './boxes.ts'
import { cleanText, type FoundFacts, placeAt, type Taken } from './found-facts.ts'
import { cameraOf } from './exif.ts'
import { type Span, viewAt } from './limited-peek.ts'
import { parseTaken } from './times.ts'

/** 1904-01-01, from which QuickTime counts seconds. */
const EPOCH_MS = Date.UTC(1904, 0, 1)
const MOST_TEXT_BYTES = 1024

/** MP4 and MOV: when and where it was taken, and how large it is. `moov` may stand behind the pictures. */
export async function readFilm(peek: Peek, moov: Box): Promise<Partial<FoundFacts>> {
  const told = await toldIn(peek, moov)
  const text = (name: string): string | null => told.get(`com.apple.quicktime.${name}`) ?? null
  const place = text('location.ISO6709') ?? (await placeText(peek, await boxIn(peek, moov, 'udta')))
  return {
    ...(await sizeOf(peek, moov)),
    taken: parseTaken(text('creationdate') ?? '') ?? (await createdOf(peek, await boxIn(peek, moov, 'mvhd'))),
    camera: cameraOf(text('make'), text('model')),
    title: text('title'),
    caption: text('description'),
    place: place === null ? null : parsePlace(place),
  }
}

/** By definition UTC; zero if its writer had no clock. */
async function createdOf(peek: Peek, mvhd: Box | null): Promise<Taken | null> {
  if (mvhd === null) return null
  const view = await viewAt(peek, mvhd.start, 12)
  const seconds = view.getUint8(0) === 1 ? Number(view.getBigUint64(4)) : view.getUint32(4)
  const local = EPOCH_MS + seconds * 1000
  // Before films could be taken so, it is no date.
  return local > 0 && local < 8.64e15 ? { local, offset: 0 } : null
}

/** Of the largest track, turned as its matrix says. */
async function sizeOf(peek: Peek, moov: Span): Promise<{ width: number | null; height: number | null }> {
  let [width, height] = [0, 0]
  for await (const track of boxesIn(peek, moov)) {
    const head = track.kind === 'trak' ? await boxIn(peek, track, 'tkhd') : null
    if (head === null) continue
    const long = (await viewAt(peek, head.start, 1)).getUint8(0) === 1
    const view = await viewAt(peek, head.start + (long ? 52 : 40), 44)
    const [a, b, w, h] = [view.getInt32(0), view.getInt32(4), view.getUint32(36) >>> 16, view.getUint32(40) >>> 16]
    if (w * h > width * height) [width, height] = a === 0 && b !== 0 ? [h, w] : [w, h]
  }
  return width === 0 ? { width: null, height: null } : { width, height }
}

/** The metadata of QuickTime: keys, and values by the number of their key. */
async function toldIn(peek: Peek, moov: Span): Promise<ReadonlyMap<string, string>> {
  const told = new Map<string, string>()
  const meta = await boxIn(peek, moov, 'meta')
  if (meta === null) return told
  // Apple's has no version and flags, that of ISO has.
  const isPlain = (await viewAt(peek, meta.start, 4)).getUint32(0) !== 0
  const span = inside(meta, isPlain ? 0 : 4)
  const names: string[] = []
  const keys = inside(await boxIn(peek, span, 'keys'), 8)
  if (keys !== null) for await (const key of boxesIn(peek, keys)) names.push(await textAt(peek, key))
  const list = inside(await boxIn(peek, span, 'ilst'), 0)
  if (list === null) return told
  for await (const item of boxesIn(peek, list)) {
    const number = (await viewAt(peek, item.start - 4, 4)).getUint32(0)
    const name = names[number - 1]
    const data = inside(await boxIn(peek, item, 'data'), 8)
    const value = name === undefined || data === null ? null : cleanText(await textAt(peek, data))
    if (name !== undefined && value !== null) told.set(name, value)
  }
  return told
}

/** Android writes the place so: length, language, text. */
async function placeText(peek: Peek, udta: Box | null): Promise<string | null> {
  const box = await boxIn(peek, udta, '\xa9xyz')
  return box && textAt(peek, { start: box.start + 4, end: box.end })
}

async function textAt(peek: Peek, { start, end }: Span): Promise<string> {
  return new TextDecoder().decode(await peek(start, Math.min(end - start, MOST_TEXT_BYTES)))
}

/** `+52.5200+013.4050+034.000/` (ISO 6709). */
function parsePlace(text: string): FoundFacts['place'] {
  const found = /^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)/.exec(text)
  return found === null ? null : placeAt(Number(found[1]), Number(found[2]))
}

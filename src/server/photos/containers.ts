import type { Peek } from '../previews/tiff.ts'
import { ascii, type Span, viewAt } from './limited-peek.ts'
import { type Located, NOWHERE } from './located.ts'

const MOST_PARTS = 256

const EXIF_HEAD = 'Exif\0\0'
const XMP_HEAD = 'http://ns.adobe.com/xap/1.0/\0'
const PHOTOSHOP_HEAD = 'Photoshop 3.0\0'

/** The segments of a JPEG up to its frame (ITU T.81, annex B). Metadata stand before it. */
export async function locateInJpeg(peek: Peek, size: number): Promise<Located> {
  let found = NOWHERE
  for (let at = 2, parts = 0; at + 4 <= size && parts < MOST_PARTS; parts++) {
    const head = await viewAt(peek, at, 4)
    if (head.getUint8(0) !== 0xff) break
    const marker = head.getUint8(1)
    // Filling bytes may stand before a marker.
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === 0xda || marker === 0xd9) break
    const start = at + 4
    const end = at + 2 + head.getUint16(2)
    if (end < start) break
    if (marker === 0xe1) found = { ...found, ...(await appOne(peek, start, end, found)) }
    if (marker === 0xed && found.iptc === null && (await startsWith(peek, start, PHOTOSHOP_HEAD)))
      found = { ...found, iptc: { start: start + PHOTOSHOP_HEAD.length, end, isPacked: true } }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) {
      const frame = await viewAt(peek, start, 5)
      return { ...found, height: frame.getUint16(1), width: frame.getUint16(3) }
    }
    at = end
  }
  return found
}

async function appOne(peek: Peek, start: number, end: number, found: Located): Promise<Partial<Located>> {
  if (found.exif === null && (await startsWith(peek, start, EXIF_HEAD))) return { exif: { start: start + EXIF_HEAD.length, end } }
  if (found.xmp === null && (await startsWith(peek, start, XMP_HEAD))) return { xmp: { start: start + XMP_HEAD.length, end } }
  return {}
}

async function startsWith(peek: Peek, at: number, text: string): Promise<boolean> {
  const view = await viewAt(peek, at, text.length)
  return view.byteLength === text.length && ascii(view, 0, text.length) === text
}

const PNG_XMP = 'XML:com.adobe.xmp\0\0\0\0\0'

/** The chunks of a PNG (W3C, third edition). Uncompressed XMP only: that is what everybody writes. */
export async function locateInPng(peek: Peek, size: number): Promise<Located> {
  const head = await viewAt(peek, 16, 8)
  let found: Located = { ...NOWHERE, width: head.getUint32(0), height: head.getUint32(4) }
  for (let at = 8, parts = 0; at + 12 <= size && parts < MOST_PARTS; parts++) {
    const chunk = await viewAt(peek, at, 8)
    const kind = ascii(chunk, 4, 4)
    const start = at + 8
    const end = start + chunk.getUint32(0)
    // What stands behind a large picture is not worth the reading.
    if (kind === 'IEND' || (kind === 'IDAT' && found.exif !== null)) break
    if (kind === 'eXIf') found = { ...found, exif: { start, end } }
    if (kind === 'iTXt' && (await startsWith(peek, start, PNG_XMP))) found = { ...found, xmp: { start: start + PNG_XMP.length, end } }
    at = end + 4
  }
  return found
}

/** The chunks of a WebP (RFC 9649). */
export async function locateInWebp(peek: Peek, size: number): Promise<Located> {
  let found = NOWHERE
  for (let at = 12, parts = 0; at + 8 <= size && parts < MOST_PARTS; parts++) {
    const chunk = await viewAt(peek, at, 8)
    const kind = ascii(chunk, 0, 4)
    const length = chunk.getUint32(4, true)
    const start = at + 8
    const end = start + length
    if (kind === 'EXIF') {
      // Some programs write the head of a JPEG segment too.
      const skipped = (await startsWith(peek, start, EXIF_HEAD)) ? EXIF_HEAD.length : 0
      found = { ...found, exif: { start: start + skipped, end } }
    } else if (kind === 'XMP ') found = { ...found, xmp: { start, end } }
    else if (found.width === null) found = { ...found, ...(await webpSize(peek, kind, { start, end })) }
    at = end + (length % 2)
  }
  return found
}

async function webpSize(peek: Peek, kind: string, { start }: Span): Promise<Partial<Located>> {
  if (kind !== 'VP8X' && kind !== 'VP8 ' && kind !== 'VP8L') return {}
  const view = await viewAt(peek, start, 10)
  if (kind === 'VP8X') return { width: 1 + uint24(view, 4), height: 1 + uint24(view, 7) }
  if (kind === 'VP8 ') return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff }
  const size = view.getUint32(1, true)
  return { width: (size & 0x3fff) + 1, height: ((size >>> 14) & 0x3fff) + 1 }
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
}

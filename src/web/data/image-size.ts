import { raw } from '../../shared/contract/raw.ts'
import { href } from '../../shared/contract/endpoint.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { send } from './client.ts'

export interface PixelSize {
  readonly width: number
  readonly height: number
}

/** Large enough for the metadata that cameras write before the dimensions. */
const HEAD_BYTES = 256 * 1024

/** The dimensions of an image from its first bytes; null if they do not contain them. Needs the download permission. */
export async function readImageSize(path: FilePath, { signal }: { signal: AbortSignal }): Promise<PixelSize | null> {
  const headers = { range: `bytes=0-${HEAD_BYTES - 1}` }
  const response = await send(href(raw.get, { params: { path } }), { headers, signal })
  // Without range support the response is too large.
  if (response.status !== 206) {
    await response.body?.cancel()
    return null
  }
  return imageSize(new DataView(await response.arrayBuffer()))
}

/** Supports PNG, GIF, WebP, BMP and JPEG; applies the EXIF rotation. */
export function imageSize(head: DataView): PixelSize | null {
  try {
    const magic = head.getUint32(0)
    if (magic === 0x89504e47) return { width: head.getUint32(16), height: head.getUint32(20) }
    if (magic === 0x47494638) return { width: head.getUint16(6, true), height: head.getUint16(8, true) }
    if (magic === 0x52494646 && head.getUint32(8) === 0x57454250) return webpSize(head)
    if (magic >>> 16 === 0x424d) return { width: Math.abs(head.getInt32(18, true)), height: Math.abs(head.getInt32(22, true)) }
    if (magic >>> 16 === 0xffd8) return jpegSize(head)
    return null
  } catch (error) {
    // The dimensions are beyond the part that was read.
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Lossy, lossless and extended (RFC 9649). */
function webpSize(head: DataView): PixelSize | null {
  switch (head.getUint32(12)) {
    case 0x56503820:
      return { width: head.getUint16(26, true) & 0x3fff, height: head.getUint16(28, true) & 0x3fff }
    case 0x5650384c: {
      const bits = head.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 0x56503858:
      return { width: 1 + uint24(head, 24), height: 1 + uint24(head, 27) }
    default:
      return null
  }
}

/** The first frame header (ITU-T T.81 B.2.2), and the EXIF rotation. */
function jpegSize(head: DataView): PixelSize | null {
  let turned = false
  for (let at = 2; head.getUint8(at) === 0xff; at += 2 + head.getUint16(at + 2)) {
    const marker = head.getUint8(at + 1)
    if (marker === 0xe1) turned = isTurned(head, at + 4)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (!isFrame) continue
    const [height, width] = [head.getUint16(at + 5), head.getUint16(at + 7)]
    return turned ? { width: height, height: width } : { width, height }
  }
  return null
}

/** EXIF orientation, tag 0x0112 of the first IFD: 5 to 8 are rotated by 90°. */
function isTurned(head: DataView, at: number): boolean {
  if (head.getUint32(at) !== 0x45786966) return false
  const tiff = at + 6
  const little = head.getUint16(tiff) === 0x4949
  const directory = tiff + head.getUint32(tiff + 4, little)
  const entries = head.getUint16(directory, little)
  for (let entry = directory + 2; entry < directory + 2 + entries * 12; entry += 12)
    if (head.getUint16(entry, little) === 0x0112) return head.getUint16(entry + 8, little) >= 5
  return false
}

function uint24(head: DataView, at: number): number {
  return head.getUint16(at, true) | (head.getUint8(at + 2) << 16)
}

import { findEmbedded, dimensionsOf } from '../../../src/server/previews/raw-photo.ts'
import { must, type Target } from '../target.ts'

const JPEG = [0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 64, 0, 64, 3, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xd9]
/** Of the walk and of every picture in it; each is a small read of a file. */
const MOST_PEEKS = 32 * 600 + 32 * 3 * 70

/** RAW photos as cameras write them: the picture in it lies in it, and is looked for with so many reads and no more. */
export const target: Target = {
  seeds: [raw('little'), raw('big'), Uint8Array.from(JPEG)],
  words: ['II*\0', 'MM\0*', 'IIRO', 'IIU\0'],
  async holds(bytes) {
    let peeks = 0
    const peek = async (start: number, length: number): Promise<Uint8Array> => {
      must(start >= 0 && length >= 0 && length < 1024 * 1024, 'a read begins before the file, or is long')
      peeks++
      return bytes.slice(start, start + length)
    }
    for (const pixels of [1, 1000]) {
      const found = await findEmbedded(peek, bytes.length, { pixels })
      if (found === null) continue
      const { start, end, orientation } = found
      must(start > 0 && start < end && end <= bytes.length, 'a picture lies outside of its photo')
      must(bytes[start] === 0xff && bytes[start + 1] === 0xd8, 'a picture is no JPEG')
      must(orientation >= 1 && orientation <= 8, 'a picture is turned some other way')
    }
    must(peeks <= 2 * MOST_PEEKS, 'a photo is read again and again')
    const size = await dimensionsOf(peek, 0, bytes.length)
    must(size === null || size.every((side) => side >= 0 && side < 65_536), 'a picture has no size')
  },
}

/** A directory that names a JPEG and a second directory, which has it as its strip. */
function raw(order: 'little' | 'big'): Uint8Array {
  const little = order === 'little'
  const out = new DataView(new ArrayBuffer(160))
  const u16 = (at: number, value: number) => out.setUint16(at, value, little)
  const u32 = (at: number, value: number) => out.setUint32(at, value, little)
  function directory(at: number, fields: readonly [tag: number, type: number, value: number][], next: number): void {
    u16(at, fields.length)
    for (const [i, [tag, type, value]] of fields.entries()) {
      u16(at + 2 + i * 12, tag)
      u16(at + 4 + i * 12, type)
      u32(at + 6 + i * 12, 1)
      if (type === 3) u16(at + 10 + i * 12, value)
      else u32(at + 10 + i * 12, value)
    }
    u32(at + 2 + fields.length * 12, next)
  }
  out.setUint16(0, little ? 0x4949 : 0x4d4d)
  u16(2, 42)
  u32(4, 8)
  directory(
    8,
    [
      [0x112, 3, 6],
      [0x14a, 4, 74],
      [0x201, 4, 130],
      [0x202, 4, JPEG.length],
    ],
    0,
  )
  directory(
    74,
    [
      [0x103, 3, 7],
      [0x111, 4, 130],
      [0x117, 4, JPEG.length],
    ],
    8,
  )
  for (const [i, byte] of JPEG.entries()) out.setUint8(130 + i, byte)
  return new Uint8Array(out.buffer)
}

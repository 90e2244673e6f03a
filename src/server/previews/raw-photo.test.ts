import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { findEmbedded } from './raw-photo.ts'

const SMALL = { pixels: 256 }

describe('the JPEG inside a RAW photo', () => {
  it('is the smallest one that is large enough, else the largest', async () => {
    const file = tiff([
      { tags: [...jpegAt(200, 30), [0x14a, 4, 2, 100]] },
      { at: 120, tags: [...jpegAt(300, 30)] },
      { at: 160, tags: [...jpegAt(400, 30)] },
    ])
    file.writeUInt32LE(120, 100)
    file.writeUInt32LE(160, 104)
    file.set(jpeg(160, 120), 200)
    file.set(jpeg(6000, 4000), 300)
    file.set(jpeg(1600, 1200), 400)
    expect(await find(file, { pixels: 256 })).toMatchObject({ start: 400 })
    expect(await find(file, { pixels: 1080 })).toMatchObject({ start: 400 })
    expect(await find(file, { pixels: 2000 })).toMatchObject({ start: 300 })
    expect(await find(file, { pixels: 9000 })).toMatchObject({ start: 300, end: 330, orientation: 1 })
  })

  it('has the orientation of the photo, in either byte order', async () => {
    const big = tiff([{ tags: [[0x112, 3, 1, 6], ...jpegAt(200, 30)] }], { little: false })
    big.set(jpeg(300, 200), 200)
    expect(await find(big, SMALL)).toEqual({ start: 200, end: 230, orientation: 6 })
  })

  it('is null if there are only raw data, or if its position is outside of the file', async () => {
    const file = tiff([{ tags: [...jpegAt(200, 30)] }])
    file.set(jpeg(300, 200, { frame: 0xc3 }), 200)
    expect(await find(file, SMALL)).toBeNull()
    const outside = tiff([{ tags: [...jpegAt(4_000_000_000, 4_000_000_000)] }])
    expect(await find(outside, SMALL)).toBeNull()
    expect(await find(Buffer.from('no TIFF at all'), SMALL)).toBeNull()
    expect(await find(Buffer.alloc(0), SMALL)).toBeNull()
  })

  it('is searched for once in directories that refer to each other', async () => {
    const file = tiff([{ tags: [...jpegAt(200, 30), [0x14a, 4, 1, 8]], next: 8 }])
    file.set(jpeg(300, 200), 200)
    let reads = 0
    const peek = async (start: number, length: number) => {
      reads++
      return file.subarray(start, start + length)
    }
    expect(await findEmbedded(peek, file.length, SMALL)).toMatchObject({ start: 200 })
    expect(reads).toBeLessThan(20)
  })

  it('is searched for in limited time, whatever the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 8, maxLength: 600 }), fc.boolean(), async (bytes, little) => {
        bytes.set(little ? [0x49, 0x49, 42, 0, 8, 0, 0, 0] : [0x4d, 0x4d, 0, 42, 0, 0, 0, 8])
        const found = await find(Buffer.from(bytes), SMALL)
        expect(found === null || (found.start >= 0 && found.end <= bytes.length)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

type Tag = readonly [tag: number, type: number, count: number, value: number]

interface Directory {
  /** Right after the head by default. */
  readonly at?: number
  readonly tags: readonly Tag[]
  readonly next?: number
}

/** A TIFF of 512 bytes with these directories. */
function tiff(directories: readonly Directory[], { little = true } = {}): Buffer {
  const file = Buffer.alloc(512)
  const view = new DataView(file.buffer, file.byteOffset, file.length)
  file.write(little ? 'II' : 'MM')
  view.setUint16(2, 42, little)
  view.setUint32(4, 8, little)
  for (const { at = 8, tags, next = 0 } of directories) {
    view.setUint16(at, tags.length, little)
    for (const [i, [tag, type, count, value]] of tags.entries()) {
      const place = at + 2 + i * 12
      view.setUint16(place, tag, little)
      view.setUint16(place + 2, type, little)
      view.setUint32(place + 4, count, little)
      if (type === 3) view.setUint16(place + 8, value, little)
      else view.setUint32(place + 8, value, little)
    }
    view.setUint32(at + 2 + tags.length * 12, next, little)
  }
  return file
}

function jpegAt(start: number, length: number): [Tag, Tag] {
  return [
    [0x201, 4, 1, start],
    [0x202, 4, 1, length],
  ]
}

/** The beginning of a JPEG: as much as says its size. */
function jpeg(width: number, height: number, { frame = 0xc0 } = {}): Buffer {
  return Buffer.from([
    0xff,
    0xd8,
    0xff,
    0xe0,
    0,
    4,
    0,
    0,
    0xff,
    frame,
    0,
    11,
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    1,
    0,
    0,
  ])
}

function find(file: Buffer, wanted: { pixels: number }) {
  return findEmbedded(async (start, length) => file.subarray(start, start + length), file.length, wanted)
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

/** A photo-like image: noise, so that it is not smaller than photos are. */
export function jpeg(width: number, height: number): Promise<Buffer> {
  return noise(width, height).jpeg().toBuffer()
}

export function png(width: number, height: number, { alpha = 1 } = {}): Promise<Buffer> {
  const channels = alpha === 1 ? 3 : 4
  return sharp({ create: { width, height, channels, background: { r: 200, g: 80, b: 20, alpha } } })
    .png()
    .toBuffer()
}

/** 96 by 64 pixels, written by `heif-enc -q 30` of libheif 1.15 with x265. */
export function heic(): Promise<Buffer> {
  return readFile(join(import.meta.dir, 'samples/small.heic'))
}

/** A tenth of a second of silence with a cover of 64 by 64 pixels: an ID3 tag (version 2.3) and frames of nothing. */
export async function silentMp3WithCover(): Promise<Buffer> {
  const cover = await png(64, 64)
  const body = Buffer.concat([Buffer.from('\0image/png\0\x03\0', 'latin1'), cover])
  const frame = Buffer.alloc(10)
  frame.write('APIC')
  frame.writeUInt32BE(body.length, 4)
  const size = frame.length + body.length
  const head = Buffer.from([
    'I'.charCodeAt(0),
    'D'.charCodeAt(0),
    '3'.charCodeAt(0),
    3,
    0,
    0,
    (size >> 21) & 127,
    (size >> 14) & 127,
    (size >> 7) & 127,
    size & 127,
  ])
  const silence = Buffer.alloc(417)
  silence.set([0xff, 0xfb, 0x90, 0x00])
  return Buffer.concat([head, frame, body, ...Array.from({ length: 8 }, () => silence)])
}

/**
 * A RAW photo as cameras lay it out: the main directory with a small JPEG, a sub-directory with a large one, and one with the sensor's own data,
 * which begin like a JPEG but are of a kind that nobody shows.
 */
export function photoWithin({ small, large, orientation }: { small: Buffer; large: Buffer; orientation: number }): Buffer {
  const sensor = Buffer.from([
    0xff,
    0xd8,
    0xff,
    0xc3,
    0,
    11,
    14,
    0xff,
    0xff,
    0xff,
    0xff,
    1,
    0,
    0x11,
    0,
    ...Array.from({ length: 64 }, () => 7),
  ])
  const blobs = [small, large, sensor]
  const starts: number[] = []
  let end = 1024
  for (const blob of blobs) {
    starts.push(end)
    end += blob.length
  }
  const file = Buffer.alloc(end)
  for (const [i, blob] of blobs.entries()) blob.copy(file, starts[i])
  file.write('II')
  file.writeUInt16LE(42, 2)
  file.writeUInt32LE(8, 4)
  directory(file, 8, [
    [0x112, 3, 1, orientation],
    [0x14a, 4, 2, 600],
    [0x201, 4, 1, starts[0] ?? 0],
    [0x202, 4, 1, small.length],
  ])
  file.writeUInt32LE(300, 600)
  file.writeUInt32LE(400, 604)
  directory(file, 300, [
    [0x201, 4, 1, starts[1] ?? 0],
    [0x202, 4, 1, large.length],
  ])
  directory(file, 400, [
    [0x103, 3, 1, 7],
    [0x111, 4, 1, starts[2] ?? 0],
    [0x117, 4, 1, sensor.length],
  ])
  return file
}

function directory(file: Buffer, at: number, fields: readonly [tag: number, type: number, count: number, value: number][]): void {
  file.writeUInt16LE(fields.length, at)
  for (const [i, [tag, type, count, value]] of fields.entries()) {
    const place = at + 2 + i * 12
    file.writeUInt16LE(tag, place)
    file.writeUInt16LE(type, place + 2)
    file.writeUInt32LE(count, place + 4)
    file.writeUInt32LE(value, place + 8)
  }
}

function noise(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: 'gray', noise: { type: 'gaussian', mean: 120, sigma: 40 } } })
}

import { expect, it } from 'bun:test'
import sharp from 'sharp'
import { imageSize } from './image-size.ts'

const picture = () => sharp({ create: { width: 70, height: 30, channels: 3, background: 'teal' } })

function sizeIn(bytes: Uint8Array) {
  return imageSize(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

it('reads the size of a picture of each kind from its head', async () => {
  const kinds = {
    png: await picture().png().toBuffer(),
    gif: await picture().gif().toBuffer(),
    jpeg: await picture().jpeg().toBuffer(),
    progressive: await picture().jpeg({ progressive: true }).toBuffer(),
    lossy: await picture().webp().toBuffer(),
    lossless: await picture().webp({ lossless: true }).toBuffer(),
    extended: await picture()
      .webp()
      .withExif({ IFD0: { Artist: 'nobody' } })
      .toBuffer(),
  }
  for (const [kind, bytes] of Object.entries(kinds)) expect({ kind, ...sizeIn(bytes) }).toEqual({ kind, width: 70, height: 30 })
})

it('returns the displayed size of a rotated photo', async () => {
  expect(sizeIn(await picture().jpeg().withMetadata({ orientation: 6 }).toBuffer())).toEqual({ width: 30, height: 70 })
})

it('returns null for other and truncated files', async () => {
  const png = await picture().png().toBuffer()
  for (const bytes of [new Uint8Array(), new Uint8Array(64), png.subarray(0, 18), new TextEncoder().encode('hello, this is no picture')])
    expect(sizeIn(bytes)).toBeNull()
})

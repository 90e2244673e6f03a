import { describe, expect, it } from 'bun:test'
import sharp from 'sharp'
import type { FoundFacts } from './found-facts.ts'
import { readFacts } from './read-facts.ts'

const EXIF = {
  IFD0: { Make: 'Fujifilm', Model: 'X-T5', ImageDescription: 'The harbour in fog' },
  IFD2: {
    DateTimeOriginal: '2024:07:19 12:03:00',
    OffsetTimeOriginal: '+05:30',
    SubSecTimeOriginal: '25',
    ExposureTime: '1/250',
    FNumber: '28/10',
    ISOSpeedRatings: '400',
    FocalLength: '35/1',
    FocalLengthIn35mmFilm: '53',
    LensModel: 'XF35mmF1.4 R',
  },
  IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '33/1 51/1 2520/100', GPSLongitudeRef: 'E', GPSLongitude: '151/1 12/1 5400/100' },
}
const FACTS: Partial<FoundFacts> = {
  taken: { local: Date.UTC(2024, 6, 19, 12, 3, 0, 250), offset: 330 },
  camera: 'Fujifilm X-T5',
  lens: 'XF35mmF1.4 R',
  focalLength: 35,
  focalLength35: 53,
  aperture: 2.8,
  exposure: 1 / 250,
  iso: 400,
  place: { latitude: -33.857, longitude: 151.215 },
  caption: 'The harbour in fog',
}

const picture = () => sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
const factsOf = (bytes: Uint8Array) =>
  readFacts(async (at, length) => bytes.subarray(at, Math.min(bytes.length, at + length)), bytes.length)

describe('the facts of a photo', () => {
  const formats: Record<string, () => Promise<Buffer>> = {
    JPEG: () => picture().jpeg().withExif(EXIF).toBuffer(),
    PNG: () => picture().png().withExif(EXIF).toBuffer(),
    WebP: () => picture().webp().withExif(EXIF).toBuffer(),
    AVIF: () => picture().avif().withExif(EXIF).toBuffer(),
  }
  for (const [format, make] of Object.entries(formats)) {
    it(`are read from the EXIF of a ${format}`, async () => {
      expect(await factsOf(await make())).toMatchObject({ ...FACTS, width: 60, height: 40 })
    })
  }

  it('are read from a TIFF, whose directories may be anywhere', async () => {
    const { exif } = await sharp(await picture().jpeg().withExif(EXIF).toBuffer()).metadata()
    expect(await factsOf(exif?.subarray(6) ?? new Uint8Array())).toMatchObject(FACTS)
    expect(await factsOf(await picture().tiff().toBuffer())).toMatchObject({ width: 60, height: 40 })
  })

  it('are read from XMP where EXIF says nothing: properties as attributes, elements and lists', async () => {
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/" xmp:Rating="4" exif:GPSLatitude="52,31.2N" exif:GPSLongitude="13,24,18W">
        <exif:DateTimeOriginal>2019-08-07T06:05:04+02:00</exif:DateTimeOriginal>
        <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Tor &amp; Turm</rdf:li><rdf:li xml:lang="en">Gate</rdf:li></rdf:Alt></dc:title>
      </rdf:Description></rdf:RDF></x:xmpmeta>`
    const expected = {
      taken: { local: Date.UTC(2019, 7, 7, 6, 5, 4), offset: 120 },
      title: 'Tor & Turm',
      rating: 4,
      place: { latitude: 52.52, longitude: -13.405 },
    }
    for (const format of ['jpeg', 'webp', 'avif'] as const)
      expect(await factsOf(await picture().toFormat(format).withXmp(xmp).toBuffer())).toMatchObject(expected)
    const text = Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${xmp}`)
    const png = await picture().png().toBuffer()
    const chunk = Buffer.concat([uint32(text.length), Buffer.from('iTXt'), text, uint32(0)])
    expect(await factsOf(Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]))).toMatchObject(expected)
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaa">]>${xmp}`
    expect(await factsOf(await picture().jpeg().withXmp(bomb).toBuffer())).toMatchObject({ title: null, rating: null, width: 60 })
  })

  it('are read from IPTC', async () => {
    const records = Buffer.concat([record(5, 'Harbour'), record(120, 'Ships at night'), record(55, '20180203'), record(60, '040506+0100')])
    const resource = Buffer.concat([Buffer.from('8BIM\x04\x04\0\0', 'latin1'), uint32(records.length), records])
    const body = Buffer.concat([Buffer.from('Photoshop 3.0\0', 'latin1'), resource])
    const segment = Buffer.concat([Buffer.from([0xff, 0xed]), uint32(body.length + 2).subarray(2), body])
    const jpeg = await picture().jpeg().toBuffer()
    expect(await factsOf(Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]))).toMatchObject({
      title: 'Harbour',
      caption: 'Ships at night',
      taken: { local: Date.UTC(2018, 1, 3, 4, 5, 6), offset: 60 },
      width: 60,
    })
  })

  it('of a film are its creation in UTC, or what a phone tells more exactly, and its size as held', async () => {
    const seconds = (Date.UTC(2022, 4, 6, 7, 8, 9) - Date.UTC(1904, 0, 1)) / 1000
    const mvhd = box('mvhd', Buffer.alloc(4), uint32(seconds), Buffer.alloc(92))
    const turned = Buffer.concat([uint32(0), uint32(65536), Buffer.alloc(28), uint32(1920 << 16), uint32(1080 << 16)])
    const trak = box('trak', box('tkhd', Buffer.alloc(40), turned))
    const plain = Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0')), box('mdat', Buffer.alloc(100_000)), box('moov', mvhd, trak)])
    expect(await factsOf(plain)).toMatchObject({ taken: { local: Date.UTC(2022, 4, 6, 7, 8, 9), offset: 0 }, width: 1080, height: 1920 })
    const told = { creationdate: '2022-05-06T09:08:09+0200', 'location.ISO6709': '+52.5200+013.4050+034.000/', model: 'iPhone 15' }
    const keys = Object.keys(told).map((key) => box('mdta', Buffer.from(`com.apple.quicktime.${key}`)))
    const items = Object.values(told).map((value, at) =>
      box(uint32(at + 1).toString('latin1'), box('data', Buffer.alloc(8), Buffer.from(value))),
    )
    const meta = box('meta', box('hdlr', Buffer.alloc(24)), box('keys', Buffer.alloc(8), ...keys), box('ilst', ...items))
    expect(await factsOf(Buffer.concat([box('ftyp', Buffer.from('qt  \0\0\0\0')), box('moov', mvhd, trak, meta)]))).toMatchObject({
      taken: { local: Date.UTC(2022, 4, 6, 9, 8, 9), offset: 120 },
      camera: 'iPhone 15',
      place: { latitude: 52.52, longitude: 13.405 },
    })
  })
})

describe('a hostile file', () => {
  it('has no facts, or some, but never fails or takes long: cut off or changed anywhere', async () => {
    const files = await Promise.all([
      picture().jpeg().withExif(EXIF).toBuffer(),
      picture().png().withExif(EXIF).toBuffer(),
      picture().webp().withExif(EXIF).toBuffer(),
      picture().avif().withExif(EXIF).toBuffer(),
    ])
    const before = performance.now()
    let count = 0
    for (const file of files)
      for (let at = 0; at < Math.min(file.length, 900); at += 3) {
        await factsOf(file.subarray(0, at))
        const changed = Buffer.from(file)
        changed.fill(0xff, at, Math.min(file.length, at + 4))
        await factsOf(changed)
        count += 2
      }
    expect((performance.now() - before) / count).toBeLessThan(20)
  })

  it('is read only so far: not in thousands of places, nor megabytes of it', async () => {
    let reads = 0
    let bytes = 0
    // A film of ever more boxes, each of which says that the next one is far away.
    const peek = async (_at: number, length: number): Promise<Uint8Array> => {
      reads++
      bytes += length
      const window = Buffer.alloc(length)
      window.write('\0\0\x40\0free', 0, 'latin1')
      return window
    }
    expect((await readFacts(peek, 2 ** 40)).taken).toBeNull()
    expect(reads).toBeLessThanOrEqual(64)
    expect(bytes).toBeLessThanOrEqual(2 * 1024 ** 2)
  })

  it('cannot send numbers that are none, nor places outside the world', async () => {
    const odd = { IFD2: { ExposureTime: '1/0', FNumber: '0/0' }, IFD3: { ...EXIF.IFD3, GPSLatitude: '95/1 0/1 0/1' } }
    expect(await factsOf(await picture().jpeg().withExif(odd).toBuffer())).toMatchObject({ exposure: null, aperture: null, place: null })
  })
})

function record(dataset: number, text: string): Buffer {
  return Buffer.concat([Buffer.from([0x1c, 2, dataset, 0, text.length]), Buffer.from(text)])
}

function box(kind: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([uint32(body.length + 8), Buffer.from(kind, 'latin1'), body])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

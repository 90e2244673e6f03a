import { describe, expect, it } from 'bun:test'
import sharp from 'sharp'
import type { FoundFacts } from './found-facts.ts'
import { readFacts } from './read-facts.ts'

const EXIF = {
  IFD0: { Make: 'Fujifilm', Model: 'X-T5', ImageDescription: 'The harbour in fog', Orientation: '6' },
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
})

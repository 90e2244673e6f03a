import sharp, { type Sharp } from 'sharp'

/** EXIF of a photo taken in Sydney, in the form of sharp. */
export const SYDNEY = {
  IFD0: { Make: 'Fujifilm', Model: 'X-T5', ImageDescription: 'The harbour in fog' },
  IFD2: {
    DateTimeOriginal: '2024:07:19 12:03:00',
    OffsetTimeOriginal: '+10:00',
    ExposureTime: '1/250',
    FNumber: '28/10',
    ISOSpeedRatings: '400',
    FocalLength: '35/1',
    LensModel: 'XF35mmF1.4 R',
  },
  IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '33/1 51/1 2520/100', GPSLongitudeRef: 'E', GPSLongitude: '151/1 12/1 5400/100' },
}

/** A JPEG with EXIF; held upright if it says so. */
export function photo(exif: NonNullable<Parameters<Sharp['withExif']>[0]> = SYDNEY, { orientation = 1 } = {}): Promise<Buffer> {
  return sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
    .jpeg()
    .withExif(exif)
    .withMetadata({ orientation })
    .toBuffer()
}

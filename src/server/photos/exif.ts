import { openTiff, readDirectory, type Field, type Peek, type Tiff } from '../previews/tiff.ts'
import { cleanText, type FoundFacts, placeAt, type Taken } from './found-facts.ts'
import { viewAt, type Span } from './limited-peek.ts'
import { parseOffset, parseTaken } from './times.ts'

/** Tags of TIFF 6.0 and EXIF 3.0, section 4.6. */
const DESCRIPTION = 0x10e
const MAKE = 0x10f
const MODEL = 0x110
const ORIENTATION = 0x112
const XMP = 0x2bc
const RATING = 0x4746
const EXPOSURE_TIME = 0x829a
const F_NUMBER = 0x829d
const IPTC = 0x83bb
const EXIF_DIRECTORY = 0x8769
const GPS_DIRECTORY = 0x8825
const SENSITIVITY = 0x8827
const TIME_ORIGINAL = 0x9003
const TIME_DIGITIZED = 0x9004
const OFFSET_ORIGINAL = 0x9011
const OFFSET_DIGITIZED = 0x9012
const FRACTION_ORIGINAL = 0x9291
const FOCAL_LENGTH = 0x920a
const FOCAL_LENGTH_35 = 0xa405
const LENS_MODEL = 0xa434
const LATITUDE_REF = 1
const LATITUDE = 2
const LONGITUDE_REF = 3
const LONGITUDE = 4

const ASCII = 2
const RATIONAL = 5
const SIGNED_RATIONAL = 10
const MOST_TEXT_BYTES = 4096

type Fields = ReadonlyMap<number, Field>

export interface ExifFound {
  readonly facts: Partial<FoundFacts>
  /** Where a TIFF holds other metadata. */
  readonly xmp: Span | null
  readonly iptc: Span | null
}

/** What the EXIF of a photo tells: a TIFF, whose positions count from its own beginning. */
export async function readExif(peek: Peek, size: number): Promise<ExifFound> {
  const tiff = await openTiff(peek, size)
  if (tiff === null) return { facts: {}, xmp: null, iptc: null }
  const main = (await readDirectory(peek, tiff.first, tiff)).fields
  const values = valuesOf(peek, tiff)
  const directory = async (tag: number): Promise<Fields> => {
    const place = main.get(tag)?.values[0]
    return place === undefined || place < 8 || place >= size ? new Map() : (await readDirectory(peek, place, tiff)).fields
  }
  const exif = await directory(EXIF_DIRECTORY)
  const facts: Partial<FoundFacts> = {
    taken: await takenOf(values, exif, main),
    orientation: orientationOf(main.get(ORIENTATION)),
    camera: cameraOf(await values.text(main.get(MAKE)), await values.text(main.get(MODEL))),
    lens: await values.text(exif.get(LENS_MODEL)),
    focalLength: await values.positive(exif.get(FOCAL_LENGTH)),
    focalLength35: await values.positive(exif.get(FOCAL_LENGTH_35)),
    aperture: await values.positive(exif.get(F_NUMBER)),
    exposure: await values.positive(exif.get(EXPOSURE_TIME)),
    iso: await values.positive(exif.get(SENSITIVITY)),
    caption: await values.text(main.get(DESCRIPTION)),
    rating: ratingOf(main.get(RATING)?.values[0]),
    place: await placeOf(values, await directory(GPS_DIRECTORY)),
  }
  return { facts, xmp: spanOf(main.get(XMP)), iptc: spanOf(main.get(IPTC)) }
}

/** Null for what is no rating. */
export function ratingOf(value: number | undefined): number | null {
  return value !== undefined && Number.isInteger(value) && value >= -1 && value <= 5 ? value : null
}

/** Makers whose models begin with their own name are not named twice. */
export function cameraOf(make: string | null, model: string | null): string | null {
  if (make === null || model === null) return model ?? make
  const [first = make] = make.split(/\s/)
  return model.toLowerCase().startsWith(first.toLowerCase()) ? model : `${make} ${model}`
}

function orientationOf(field: Field | undefined): number | null {
  const [value = 0] = field?.values ?? []
  return value >= 1 && value <= 8 ? value : null
}

async function takenOf(values: Values, exif: Fields, main: Fields): Promise<Taken | null> {
  const times = [
    // Some RAW files have it in the main directory (TIFF/EP).
    { time: exif.get(TIME_ORIGINAL) ?? main.get(TIME_ORIGINAL), offset: exif.get(OFFSET_ORIGINAL), fraction: exif.get(FRACTION_ORIGINAL) },
    { time: exif.get(TIME_DIGITIZED), offset: exif.get(OFFSET_DIGITIZED), fraction: undefined },
  ]
  for (const { time, offset, fraction } of times) {
    const taken = parseTaken((await values.text(time)) ?? '')
    if (taken === null) continue
    const part = /^\d{1,9}$/.exec((await values.text(fraction)) ?? '')
    const ms = part === null ? 0 : Math.trunc(Number(`0.${part[0]}`) * 1000)
    return { local: taken.local + ms, offset: taken.offset ?? parseOffset((await values.text(offset)) ?? '') }
  }
  return null
}

async function placeOf(values: Values, gps: Fields): Promise<FoundFacts['place']> {
  const latitude = await degreesOf(values, gps.get(LATITUDE), (await values.text(gps.get(LATITUDE_REF))) === 'S')
  const longitude = await degreesOf(values, gps.get(LONGITUDE), (await values.text(gps.get(LONGITUDE_REF))) === 'W')
  return latitude === null || longitude === null ? null : placeAt(latitude, longitude)
}

async function degreesOf(values: Values, field: Field | undefined, isNegative: boolean): Promise<number | null> {
  const [degrees, minutes = 0, seconds = 0] = await values.numbers(field)
  if (degrees === undefined) return null
  const all = degrees + minutes / 60 + seconds / 3600
  return Number.isFinite(all) ? (isNegative ? -all : all) : null
}

type Values = ReturnType<typeof valuesOf>

function valuesOf(peek: Peek, { little }: Tiff) {
  async function numbers(field: Field | undefined): Promise<readonly number[]> {
    if (field === undefined) return []
    if (field.type !== RATIONAL && field.type !== SIGNED_RATIONAL) return field.values
    const view = await viewAt(peek, field.at, 8 * Math.min(3, field.count))
    const read = (at: number): number => (field.type === RATIONAL ? view.getUint32(at, little) : view.getInt32(at, little))
    const found: number[] = []
    for (let at = 0; at + 8 <= view.byteLength; at += 8) found.push(read(at) / read(at + 4))
    return found
  }
  return {
    numbers,
    /** Null if there is none, or it is infinite, zero or negative. */
    async positive(field: Field | undefined): Promise<number | null> {
      const [value] = await numbers(field)
      return value !== undefined && Number.isFinite(value) && value > 0 ? value : null
    },
    /** UTF-8, although EXIF says ASCII: phones write it. */
    async text(field: Field | undefined): Promise<string | null> {
      if (field?.type !== ASCII) return null
      const bytes = await peek(field.count <= 4 ? field.inPlace : field.at, Math.min(field.count, MOST_TEXT_BYTES))
      return cleanText(new TextDecoder().decode(bytes))
    },
  }
}

function spanOf(field: Field | undefined): Span | null {
  return field === undefined || field.count <= 4 ? null : { start: field.at, end: field.at + field.count * (field.type === 4 ? 4 : 1) }
}

import { SaxesParser } from 'saxes'
import { cameraOf, ratingOf } from './exif.ts'
import { cleanText, type FoundFacts, placeAt } from './found-facts.ts'
import { parseTaken } from './times.ts'

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const PREFIXES: Readonly<Record<string, string>> = {
  'http://ns.adobe.com/exif/1.0/': 'exif',
  'http://cipa.jp/exif/1.0/': 'exifEX',
  'http://ns.adobe.com/exif/1.0/aux/': 'aux',
  'http://ns.adobe.com/photoshop/1.0/': 'photoshop',
  'http://ns.adobe.com/xap/1.0/': 'xmp',
  'http://ns.adobe.com/tiff/1.0/': 'tiff',
  'http://purl.org/dc/elements/1.1/': 'dc',
}
const MOST_VALUE_CHARS = 4096
const MOST_DEPTH = 32

/** What XMP (ISO 16684-1) tells; nothing if it is not well-formed. */
export function readXmp(text: string): Partial<FoundFacts> {
  const values = propertiesOf(text)
  const value = (name: string): string | null => values.get(name) ?? null
  const taken = ['exif:DateTimeOriginal', 'photoshop:DateCreated', 'exif:DateTimeDigitized', 'xmp:CreateDate']
    .map((name) => parseTaken(value(name) ?? ''))
    .find((one) => one !== null)
  const latitude = degreesOf(value('exif:GPSLatitude'), 'S')
  const longitude = degreesOf(value('exif:GPSLongitude'), 'W')
  return {
    taken: taken ?? null,
    camera: cameraOf(value('tiff:Make'), value('tiff:Model')),
    lens: value('exifEX:LensModel') ?? value('aux:Lens'),
    title: value('dc:title'),
    caption: value('dc:description'),
    rating: ratingOf(value('xmp:Rating') === null ? undefined : Number(value('xmp:Rating'))),
    place: latitude === null || longitude === null ? null : placeAt(latitude, longitude),
  }
}

/** The first text of each known property, which is an attribute, an element, or the first item of a list in it. */
function propertiesOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const parser = new SaxesParser({ xmlns: true, fragment: true })
  const path: (string | null)[] = []
  let chars = ''
  const keep = (name: string | null, value: string): void => {
    const clean = cleanText(value)
    if (name !== null && clean !== null && !found.has(name)) found.set(name, clean)
  }
  // Saxes goes on after an error unless its handler throws.
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Error('a document type')
  })
  parser.on('opentag', ({ uri, local, attributes }) => {
    if (path.length >= MOST_DEPTH) throw new Error('too deep')
    chars = ''
    // A list within a property has its name.
    path.push(uri === RDF ? (path.at(-1) ?? null) : nameOf(uri, local))
    for (const one of Object.values(attributes)) keep(nameOf(one.uri, one.local), one.value)
  })
  parser.on('text', (part) => {
    if (chars.length < MOST_VALUE_CHARS) chars += part
  })
  parser.on('closetag', () => {
    keep(path.pop() ?? null, chars)
    chars = ''
  })
  try {
    parser.write(text).close()
  } catch {
    // What was found before the mistake is as good as nothing: half of it may be missing.
    return new Map()
  }
  return found
}

function nameOf(uri: string, local: string): string | null {
  const prefix = PREFIXES[uri]
  return prefix === undefined ? null : `${prefix}:${local}`
}

/** `52,31.2N` or `52,31,12N`. */
function degreesOf(text: string | null, negative: 'S' | 'W'): number | null {
  const found = /^(\d{1,3})(?:,(\d{1,2}(?:\.\d+)?))?(?:,(\d{1,2}(?:\.\d+)?))?([NSEW])$/.exec(text ?? '')
  if (found === null) return null
  const [, degrees, minutes = '0', seconds = '0', side] = found
  const all = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600
  return side === negative ? -all : all
}

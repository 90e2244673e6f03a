/** When something was taken, by the clock of the camera. */
export interface Taken {
  /** Milliseconds since 1970 as if the camera's clock showed UTC. */
  readonly local: number
  /** Minutes by which that clock is ahead of UTC; null if the file does not tell. */
  readonly offset: number | null
}

/** What a file says about itself, each fact null if it does not tell. */
export interface FoundFacts {
  readonly taken: Taken | null
  /** Pixels, as stored: not yet turned. */
  readonly width: number | null
  readonly height: number | null
  /** EXIF orientation, 1 to 8. */
  readonly orientation: number | null
  readonly camera: string | null
  readonly lens: string | null
  /** Millimetres, and those of a lens with the same view for 35 mm film. */
  readonly focalLength: number | null
  readonly focalLength35: number | null
  /** The f-number. */
  readonly aperture: number | null
  /** Seconds. */
  readonly exposure: number | null
  readonly iso: number | null
  /** Degrees; north and east are positive. */
  readonly place: { readonly latitude: number; readonly longitude: number } | null
  readonly title: string | null
  readonly caption: string | null
  /** Stars, 0 to 5; -1 for rejected. */
  readonly rating: number | null
}

export const NOTHING_FOUND: FoundFacts = {
  taken: null,
  width: null,
  height: null,
  orientation: null,
  camera: null,
  lens: null,
  focalLength: null,
  focalLength35: null,
  aperture: null,
  exposure: null,
  iso: null,
  place: null,
  title: null,
  caption: null,
  rating: null,
}

const MOST_CHARS = 2000

/** Text of a file as one may show it; null if nothing is left. */
export function cleanText(text: string): string | null {
  const clean = text
    .replace(/\0[^]*$/, '')
    .replace(/[\0-\x08\x0b-\x1f\x7f]/g, ' ')
    .trim()
  return clean === '' ? null : clean.slice(0, MOST_CHARS)
}

/** The second fills in what the first does not tell. */
export function both(first: Partial<FoundFacts>, second: Partial<FoundFacts>): Partial<FoundFacts> {
  const told = Object.entries(first).filter(([, value]) => value !== null && value !== undefined)
  return { ...second, ...Object.fromEntries(told) }
}

/** Null if it is nowhere on earth, or exactly at 0, 0, which programs write for "unknown". */
export function placeAt(latitude: number, longitude: number): FoundFacts['place'] {
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  return isOnEarth && (latitude !== 0 || longitude !== 0) ? { latitude: rounded(latitude), longitude: rounded(longitude) } : null
}

/** To about ten centimetres. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}

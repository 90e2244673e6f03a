import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Degrees; north and east are positive. */
const Place = z.object({ latitude: z.number(), longitude: z.number() })

/** What a photo or film says about itself; each fact null if it does not tell. */
export const PhotoFacts = z.object({
  /** By the clock of the camera: milliseconds since 1970 as if that clock showed UTC. */
  taken: z.number(),
  /** Minutes by which that clock was ahead of UTC; null if nobody knows. */
  offset: z.nullable(z.number()),
  /** From the metadata of the file, its name, or its mtime, which is a time in UTC. */
  takenFrom: z.enum(['file', 'name', 'modified']),
  /** Pixels, as shown: turned as the camera was held. */
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  camera: z.nullable(z.string()),
  lens: z.nullable(z.string()),
  /** Millimetres, and those of a lens with the same view for 35 mm film. */
  focalLength: z.nullable(z.number()),
  focalLength35: z.nullable(z.number()),
  /** The f-number. */
  aperture: z.nullable(z.number()),
  /** Seconds. */
  exposure: z.nullable(z.number()),
  iso: z.nullable(z.number()),
  place: z.nullable(Place),
  title: z.nullable(z.string()),
  caption: z.nullable(z.string()),
  /** Stars, 0 to 5; -1 for rejected. */
  rating: z.nullable(z.number()),
})
export type PhotoFacts = z.infer<typeof PhotoFacts>

/** Why a list ended early. */
export const PhotosCut = z.enum(['files', 'time'])
export type PhotosCut = z.infer<typeof PhotosCut>

/**
 * Lines of a list: photos and films of one folder as columns; or that all are listed, with the number of those whose metadata were not read yet: lines
 * after it repeat these as they are read; or it is empty (a sign of life); the last one says that it is the last.
 */
export const PhotosLine = z.union([
  z.object({
    /** The viewer's path of the folder. */
    folder: z.string(),
    names: z.array(z.string()),
    /** As in `PhotoFacts`. */
    taken: z.array(z.number()),
    offsets: z.array(z.nullable(z.number())),
    /** A letter for each: `f` from the file, `n` from its name, `m` its mtime. */
    from: z.string(),
    /** 0 if nobody knows. */
    widths: z.array(z.number()),
    heights: z.array(z.number()),
    /** Only if asked for. */
    latitudes: z.optional(z.array(z.nullable(z.number()))),
    longitudes: z.optional(z.array(z.nullable(z.number()))),
  }),
  z.object({ unread: z.number() }),
  z.object({ end: z.literal(true), cut: z.nullable(PhotosCut) }),
])
export type PhotosLine = z.infer<typeof PhotosLine>

const flag = z.optional(z.enum(['true', 'false']))

export const photos = {
  /**
   * The photos and films in a folder, with `recursive` everything below it, as lines of JSON (NDJSON). Metadata are read once and kept. With
   * `read=false` those not read yet are left at their names and mtimes.
   */
  list: endpoint('user', 'GET /api/photos/*path', {
    needs: ['download'],
    query: z.object({ recursive: flag, places: flag, read: flag }),
  }),
  /** What a photo or film says about itself. */
  facts: endpoint('user', 'GET /api/photo-facts/*path', { needs: ['download'], result: PhotoFacts }),
}

import * as z from 'zod/mini'
import type { LeftOut } from '../archive-format.ts'
import { endpoint } from './endpoint.ts'

/** Why an entry of an archive is left out; of a newer server, perhaps for another reason. */
export const LeftOutReason = z.custom<LeftOut>((value) => typeof value === 'string')

/** The content of an archive. Names are relative, safe and unique, as they would be extracted. */
export const ArchiveListing = z.object({
  entries: z.array(
    z.object({
      /** The position in the archive; with the path it identifies the entry. */
      index: z.number(),
      path: z.string(),
      isDir: z.boolean(),
      size: z.nullable(z.number()),
      /** Milliseconds since 1970. */
      modified: z.nullable(z.number()),
    }),
  ),
  /** Entries that are not extracted, by their own names, and why. */
  leftOut: z.array(z.object({ name: z.string(), reason: LeftOutReason })),
  /** All entries; a listing ends after 50,000. */
  count: z.number(),
})
export type ArchiveListing = z.infer<typeof ArchiveListing>

export const unpack = {
  list: endpoint('user', 'GET /api/archive/list/*path', { needs: ['download'], result: ArchiveListing }),
  /** One file of an archive, for saving: `inside` is its path, `index` its position, as in the listing. */
  entry: endpoint('user', 'GET /api/archive/entry/*path', {
    needs: ['download'],
    query: z.object({ index: z.coerce.number().check(z.int(), z.minimum(0)), inside: z.string() }),
  }),
}

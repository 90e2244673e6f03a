import * as z from 'zod/mini'

/*
 * A backup is a gzipped tar: first `satchel-backup.json` (this manifest), then `satchel.db` (a SQLite database in one file), then the files of the
 * branding folder below `branding/`. Files that the manifest does not name are not part of it.
 */

export const MANIFEST = 'satchel-backup.json'
export const DATABASE = 'satchel.db'
export const BRANDING = 'branding/'

const Part = z.object({ name: z.string(), bytes: z.int().check(z.nonnegative()), sha256: z.string() })
export type Part = z.infer<typeof Part>

export const Manifest = z.object({
  /** Version of this layout. */
  format: z.literal(1),
  /** Version of the program that made it. */
  version: z.string(),
  made: z.string(),
  parts: z.array(Part),
})
export type Manifest = z.infer<typeof Manifest>

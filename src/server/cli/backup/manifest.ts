import * as z from 'zod/mini'

/*
 * A backup is a tar, gzipped: first `satchel-backup.json`, which is this manifest, then `satchel.db`, a SQLite database of one file, then the
 * files of the branding folder below `branding/`. What is not named in the manifest does not belong to it.
 */

export const MANIFEST = 'satchel-backup.json'
export const DATABASE = 'satchel.db'
export const BRANDING = 'branding/'

const Part = z.object({ name: z.string(), bytes: z.number(), sha256: z.string() })
export type Part = z.infer<typeof Part>

export const Manifest = z.object({
  /** Of this layout. */
  format: z.literal(1),
  /** Of the program that made it. */
  version: z.string(),
  made: z.string(),
  parts: z.array(Part),
})
export type Manifest = z.infer<typeof Manifest>

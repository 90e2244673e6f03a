import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Recursive totals of a folder, without the folder itself, as far as its viewer may see them. */
export const Sums = z.object({
  files: z.number(),
  folders: z.number(),
  /** Of files and of links themselves; each hard link counts. */
  bytes: z.number(),
})
export type Sums = z.infer<typeof Sums>

/** The folders in a folder as columns; links to folders are not included. */
export const ChildSums = z.object({
  names: z.array(z.string()),
  bytes: z.array(z.number()),
  files: z.array(z.number()),
  folders: z.array(z.number()),
})
export type ChildSums = z.infer<typeof ChildSums>

/** Null if the index does not know the folder: nothing was counted, which is not zero. */
export const Sizes = z.object({ sums: z.nullable(Sums), children: z.nullable(ChildSums) })
export type Sizes = z.infer<typeof Sizes>

export const LargeFile = z.object({
  path: z.string(),
  /** Bytes. */
  size: z.number(),
  /** Milliseconds since 1970. */
  modified: z.number(),
})
export type LargeFile = z.infer<typeof LargeFile>

/** Why a search for duplicates ended early; `unknown` if the index does not know the tree. */
export const DuplicatesCut = z.enum(['files', 'time', 'unknown'])
export type DuplicatesCut = z.infer<typeof DuplicatesCut>

/**
 * A line lists files of the same content, with the size of each in bytes and their mtimes in milliseconds since 1970; or the number of files
 * compared; or it is empty (a sign of life); the last one says that it is the last.
 */
export const DuplicatesLine = z.union([
  z.object({ size: z.number(), paths: z.array(z.string()), modified: z.array(z.number()) }),
  z.object({ compared: z.number(), of: z.number() }),
  z.object({ end: z.literal(true), cut: z.nullable(DuplicatesCut) }),
])
export type DuplicatesLine = z.infer<typeof DuplicatesLine>

export const sizes = {
  folder: endpoint('user', 'GET /api/sizes/*path', { query: z.object({ children: z.optional(z.enum(['true', 'false'])) }), result: Sizes }),
  /** The largest first; null if the index does not know the tree. */
  largest: endpoint('user', 'GET /api/largest/*path', { result: z.object({ files: z.nullable(z.array(LargeFile)) }) }),
  /** Lines of JSON (NDJSON). */
  duplicates: endpoint('user', 'GET /api/duplicates/*path', { needs: ['download'] }),
}

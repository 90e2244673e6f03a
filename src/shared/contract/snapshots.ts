import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Job, transferItems } from './jobs.ts'

/** A moment at which the operator's file system kept everything. */
export const FolderSnapshot = z.object({
  id: z.string(),
  /** As the operator's tools named it. */
  name: z.string(),
  /** ISO 8601. */
  at: z.string(),
})
export type FolderSnapshot = z.infer<typeof FolderSnapshot>

/** Compared with what has the name now: by size and time of files; a folder is the `same` as any folder. */
export const PAST_STATES = ['same', 'different', 'missing'] as const
export type PastState = (typeof PAST_STATES)[number]

export const PastEntry = z.object({
  name: z.string(),
  isDir: z.boolean(),
  /** Bytes; 0 for folders. */
  size: z.number(),
  /** ISO 8601. */
  modified: z.string(),
  now: z.enum(PAST_STATES),
})
export type PastEntry = z.infer<typeof PastEntry>

/**
 * Folders as the operator's snapshots have them, read-only, by scope, rules and hidden names of now. Paths are those of now: a folder that was renamed
 * since has its snapshots at its old path. The folder itself may be missing now. Without snapshots on the server, lists are empty. An `id` of a
 * snapshot that is gone is `not-found`.
 */
export const snapshots = {
  /** A file as bytes, or a folder or several `files` below it as an archive, as `raw.get`. */
  raw: endpoint('user', 'GET /api/snapshots/*path', {
    withQuery: 'raw',
    needs: ['download'],
    query: z.object({
      id: z.string(),
      raw: z.string(),
      inline: z.optional(z.string()),
      algo: z.optional(z.string()),
      files: z.optional(z.union([z.string(), z.array(z.string())])),
    }),
  }),
  /** The folder then. `left`: entries that are not listed because there are too many; those that are missing or different come first. */
  entries: endpoint('user', 'GET /api/snapshots/*path', {
    withQuery: 'id',
    needs: ['download'],
    query: z.object({ id: z.string() }),
    result: z.object({ entries: z.array(PastEntry), left: z.number() }),
  }),
  /** Snapshots that have this folder, the newest first. `unknown`: as `unknownSnapshots` of `versions.list`. */
  list: endpoint('user', 'GET /api/snapshots/*path', {
    needs: ['download'],
    result: z.object({ snapshots: z.array(FolderSnapshot), unknown: z.number() }),
  }),
  /** Copies files and folders from a snapshot, as a job of the kind `restore-snapshot`: `from` is a path then, `to` a path now. Needs `download` too. */
  restore: endpoint('user', 'POST /api/snapshots', {
    needs: ['create'],
    body: z.object({ id: z.string(), items: transferItems }),
    result: z.object({ job: Job }),
  }),
}

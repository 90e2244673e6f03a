import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { OperationHeaders } from './operation.ts'

/** Content that a file had before it was replaced, or has in a snapshot. */
export const FileVersion = z.object({
  id: z.string(),
  /** When it was replaced, or the snapshot was taken; ISO 8601. */
  at: z.string(),
  /** The name, at that time, of the user who replaced it; of a link's owner if a visitor did it; empty if unknown. */
  by: z.string(),
  /** Bytes. */
  size: z.number(),
  /** When this content was written, ISO 8601. */
  modified: z.string(),
  /** The name of the snapshot that has it, for the newest that has this size and time. It cannot be removed. */
  snapshot: z.optional(z.string()),
})
export type FileVersion = z.infer<typeof FileVersion>

/** For how long replaced content is kept, and how much of it. */
export const VersionPolicy = z.object({
  /** 0 if no versions are kept. */
  days: z.number(),
  /** Percent of the disk that versions may take; beyond that the oldest are removed. */
  share: z.number(),
  /** Whether the present content would become a version if it were replaced now: not with 0 days, nor where the file system cannot keep it. */
  keeps: z.boolean(),
})
export type VersionPolicy = z.infer<typeof VersionPolicy>

/**
 * Earlier contents of a file, for those who may see it now. They follow renames and moves, go to the trash with the file and come back with it. Links have
 * none for their visitors. `id` is one of this file's; any other is `not-found`. What snapshots have is found by the path that the file has now; reading
 * and restoring it needs `download`, because it is copied.
 */
export const versions = {
  /** One version as bytes, as `raw.get` sends a file: ranges, conditions and HEAD as in RFC 9110. */
  content: endpoint('user', 'GET /api/versions/*path', {
    withQuery: 'id',
    needs: ['download'],
    query: z.object({ id: z.string(), inline: z.optional(z.string()) }),
  }),
  /** Of a regular file, the newest first. */
  list: endpoint('user', 'GET /api/versions/*path', {
    result: z.object({
      current: z.object({ size: z.number(), modified: z.string() }),
      versions: z.array(FileVersion),
      policy: VersionPolicy,
      /** Snapshots that were not looked at, because their disk was too slow; asking again may help. Absent if none. */
      unknownSnapshots: z.optional(z.number()),
    }),
  }),
  /** Makes a version the present content, and the present content a version. Like a save; the response has the new `ETag`. */
  restore: endpoint('user', 'POST /api/versions/*path', {
    needs: ['modify'],
    query: z.object({ id: z.string() }),
    headers: OperationHeaders,
  }),
  /** Removes a version for good. */
  remove: endpoint('user', 'DELETE /api/versions/*path', {
    needs: ['modify', 'delete'],
    query: z.object({ id: z.string() }),
    result: 'empty',
  }),
}

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Job } from './jobs.ts'
import { flag, OperationHeaders } from './operation.ts'

/** The way by which something was done. */
export const OPERATION_WAYS = ['web', 'api', 'token', 'link', 'job', 'hook', 'terminal', 'cli', 'dav'] as const
export type OperationWay = (typeof OPERATION_WAYS)[number]

const MAX_TRASH_PAGE = 500

export const TrashEntry = z.object({
  id: z.string(),
  name: z.string(),
  /** Where it was, by the viewer's path. */
  path: z.string(),
  isDir: z.boolean(),
  /** Bytes, of a folder with everything below it; null while that is being counted, and of a folder in which a rule may deny the viewer a part. */
  size: z.nullable(z.number()),
  /** ISO 8601. */
  deletedAt: z.string(),
  /** Name of the user at that time; of a link's owner if a visitor did it; empty for the server. */
  deletedBy: z.string(),
  via: z.enum(OPERATION_WAYS),
  /** Whether the viewer deleted it, or a visitor of one of their links. */
  mine: z.boolean(),
  /** ISO 8601. Removed for good then, or earlier if the trash takes more than its share of the disk, or the disk is nearly full. */
  expiresAt: z.nullable(z.string()),
  /** The gesture that it belongs to, for `operations.undo`. */
  group: z.string(),
})
export type TrashEntry = z.infer<typeof TrashEntry>

/** What was deleted and can be restored. An entry is visible if the viewer may see its path now. */
export const trash = {
  /**
   * The newest first: what the viewer deleted; with `path`, what was in this folder, by whomever if the viewer may create there; for administrators
   * with `all`, everybody's. A page may have fewer entries than `limit`, even none, although there are more: `next` says where to continue.
   */
  list: endpoint('user', 'GET /api/trash', {
    query: z.object({
      path: z.optional(z.string()),
      /** Part of the name, case-insensitive. */
      text: z.optional(z.string().check(z.maxLength(200))),
      /** `next` of the page before. */
      after: z.optional(z.string().check(z.regex(/^[0-9a-f-]{36}$/))),
      limit: z.optional(
        z.string().check(
          z.regex(/^\d{1,6}$/),
          z.refine((text) => Number(text) >= 1 && Number(text) <= MAX_TRASH_PAGE),
        ),
      ),
      all: flag,
    }),
    result: z.object({ entries: z.array(TrashEntry), next: z.nullable(z.string()) }),
  }),
  /** How long a deletion of these nodes can be undone. `path` may be repeated; `restorable` is false if one of them would be gone for good. */
  policy: endpoint('user', 'GET /api/trash/policy', {
    query: z.object({ path: z.union([z.string(), z.array(z.string())]) }),
    /** `share`: percent of the disk. */
    result: z.object({ days: z.number(), share: z.number(), restorable: z.boolean() }),
  }),
  /**
   * To where it was, or to the path `to`. Missing parents are created. A taken name is `already-exists`, unless it is a file and `replace` is given, or
   * with `rename` a number is added. An id that is not in the trash, or not visible, is `not-found`.
   */
  restore: endpoint('user', 'POST /api/trash/:id/restore', {
    needs: ['create'],
    headers: OperationHeaders,
    body: z.strictObject({ replace: z._default(z.boolean(), false), rename: z._default(z.boolean(), false), to: z.optional(z.string()) }),
    result: z.object({ path: z.string() }),
  }),
  /** Removes one for good: the viewer's own; for administrators also others'. */
  remove: endpoint('user', 'DELETE /api/trash/:id', { needs: ['delete'], result: 'empty' }),
  /** Removes the viewer's own for good; for administrators with `all`, everybody's that they can see. A job of the kind `empty-trash`. */
  empty: endpoint('user', 'DELETE /api/trash', { needs: ['delete'], query: z.object({ all: flag }), result: z.object({ job: Job }) }),
}

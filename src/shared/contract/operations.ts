import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Job } from './jobs.ts'
import { flag } from './operation.ts'
import { OPERATION_WAYS } from './trash.ts'

/**
 * What was done to one node and everything below it. `create`: it appeared, by an upload or as a new folder. `copy`: the same, as the copy of another.
 * `replace`: a file has another content. `move`: it has another path. `delete`: it went to the trash, or is gone for good. `restore`: it came back from there.
 */
export const OPERATION_KINDS = ['create', 'copy', 'replace', 'move', 'delete', 'restore'] as const
export type OperationKind = (typeof OPERATION_KINDS)[number]

const MAX_PAGE = 200
/** ISO 8601 with a time zone. */
const moment = z.string().check(
  z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/),
  z.refine((text) => !Number.isNaN(Date.parse(text))),
)
const group = z.string()

/**
 * Whether one change of a node was taken back. `done`: it was (also if it had been before). `conflict`: the name is taken. `changed`: the node is not as it
 * was left. `gone`: what would be needed was removed for good. `refused`: not allowed (any more). Only `done` has changed anything.
 */
export const UNDO_OUTCOMES = ['done', 'conflict', 'changed', 'gone', 'refused'] as const
export type UndoOutcome = (typeof UNDO_OUTCOMES)[number]

export const GestureItem = z.object({
  kind: z.enum(OPERATION_KINDS),
  /** Where the node was afterwards, of a deletion before; by the viewer's path. Null if they may not see it: then `origin` is shown. */
  path: z.nullable(z.string()),
  /** Of moves and copies; null for other kinds, and if the viewer may not see it. */
  origin: z.nullable(z.string()),
  isDir: z.boolean(),
  size: z.nullable(z.number()),
  /** `undone`: it was taken back since. `gone`: a deletion that cannot be taken back. */
  state: z.enum(['done', 'undone', 'gone']),
})
export type GestureItem = z.infer<typeof GestureItem>

/** What one person did at once. */
export const Gesture = z.object({
  group,
  /** Of its last operation, ISO 8601. */
  at: z.string(),
  /** Name of the user at that time; of a link's owner if a visitor did it; empty for the server. */
  by: z.string(),
  via: z.enum(OPERATION_WAYS),
  mine: z.boolean(),
  /** The gesture that this one took back; null for most. */
  reverts: z.nullable(group),
  /** Whether it was itself a redoing. */
  redo: z.boolean(),
  /** Whether the viewer can take it back now, as far as is known without asking the disk. */
  undoable: z.boolean(),
  /** Visible operations; `items` has the first of them. */
  total: z.number(),
  items: z.array(GestureItem),
})
export type Gesture = z.infer<typeof Gesture>

const Undone = z.object({
  /** One for each change, in the order in which they were made; empty if it is a job. `path` is null if the viewer may not see it any more. */
  items: z.array(z.object({ kind: z.enum(OPERATION_KINDS), path: z.nullable(z.string()), outcome: z.enum(UNDO_OUTCOMES) })),
  /** The gesture that took it back; null if nothing was changed. */
  group: z.nullable(group),
  /** Of the kind `undo`, if there are many changes. */
  job: z.nullable(Job),
})
export type Undone = z.infer<typeof Undone>

export const operations = {
  /**
   * What was done to a node, the newest first; with `below`, to everything below a folder. Only what the viewer may see now. A page may have fewer gestures
   * than `limit` although there are more: `next` says where to continue.
   */
  list: endpoint('user', 'GET /api/operations', {
    query: z.object({
      path: z.string(),
      below: flag,
      from: z.optional(moment),
      to: z.optional(moment),
      /** Name of a user. */
      by: z.optional(z.string()),
      kind: z.optional(z.enum(OPERATION_KINDS)),
      /** `next` of the page before. */
      after: z.optional(z.string().check(z.regex(/^[0-9a-f-]{36}$/))),
      limit: z.optional(
        z.string().check(
          z.regex(/^\d{1,3}$/),
          z.refine((text) => Number(text) >= 1 && Number(text) <= MAX_PAGE),
        ),
      ),
    }),
    result: z.object({ gestures: z.array(Gesture), next: z.nullable(z.string()) }),
  }),
  /** What the viewer did last in the web and can take back, and what they took back last and can do again. */
  latest: endpoint('user', 'GET /api/operations/latest', {
    result: z.object({ undo: z.nullable(Gesture), redo: z.nullable(Gesture) }),
  }),
  /**
   * Takes a gesture of the viewer back, the last change first, as far as everything is still as it was left. Can be repeated: what was taken back stays so.
   * `not-found` for a gesture that is not known, or somebody else's. Each change needs the rights of its opposite.
   */
  undo: endpoint('user', 'POST /api/operations/:group/undo', { result: Undone }),
  /** Does again what was taken back of a gesture. */
  redo: endpoint('user', 'POST /api/operations/:group/redo', { result: Undone }),
}

export const RewindChange = z.object({
  /** What would be done. `remove`: to the trash. `content`: a file gets its earlier content. */
  change: z.enum(['remove', 'restore', 'move', 'content']),
  /** Where it is now; of `restore`, where it is going to be. */
  path: z.string(),
  /** Of `move`: where it is going to be. */
  to: z.nullable(z.string()),
  isDir: z.boolean(),
  /** Why it cannot be done; null if it can, as far as is known. */
  problem: z.nullable(z.enum(UNDO_OUTCOMES)),
})
export type RewindChange = z.infer<typeof RewindChange>

const ofRewind = { path: z.string(), to: moment, by: z.optional(z.string()) }

/** Brings everything below a folder to where it was at a moment, as far as it was changed through Satchel; with `by`, only what one user changed. */
export const rewind = {
  /** What would be changed: the first of it, and how much there is of each kind. */
  preview: endpoint('user', 'GET /api/rewind', {
    query: z.object(ofRewind),
    result: z.object({
      changes: z.array(RewindChange),
      counts: z.object({ remove: z.number(), restore: z.number(), move: z.number(), content: z.number(), problems: z.number() }),
      /** ISO 8601: what was done before is not known any more. */
      knownSince: z.string(),
    }),
  }),
  /** Does it, as a job of the kind `rewind` and one gesture, which can be taken back. */
  apply: endpoint('user', 'POST /api/rewind', {
    body: z.strictObject(ofRewind),
    result: z.object({ job: Job, group }),
  }),
}

import * as z from 'zod/mini'
import { ARCHIVE_FORMATS } from '../archive-format.ts'
import type { ErrorCode } from '../errors.ts'
import { endpoint } from './endpoint.ts'
import { OperationHeaders } from './operation.ts'
import { LeftOutReason } from './unpack.ts'

const MOST_ITEMS = 10_000
const path = z.string().check(z.minLength(1))
const paths = z.array(path).check(z.minLength(1), z.maxLength(MOST_ITEMS))

/** What to do if a name is taken: refuse the job, replace the existing node, number the new one, or skip it. */
export const CONFLICT_ACTIONS = ['refuse', 'replace', 'rename', 'skip'] as const
export type ConflictAction = (typeof CONFLICT_ACTIONS)[number]
const taken = z._default(z.enum(CONFLICT_ACTIONS), 'refuse')

/** What to copy or move, and where to; each as the single call does. */
export const transferItems = z
  .array(z.object({ from: path, to: path, replace: z._default(z.boolean(), false), rename: z._default(z.boolean(), false) }))
  .check(z.minLength(1), z.maxLength(MOST_ITEMS))
const transfer = { items: transferItems }

export const JobRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('extract'),
    path,
    /** The folder for the archive's content; created if missing. */
    destination: path,
    /** Into one folder: with the archive's name, numbered if necessary, unless all of it is in one already. */
    own: z._default(z.boolean(), false),
    /** The folder of the archive to extract from. */
    inside: z._default(z.string(), ''),
    /** Names in that folder; all by default. */
    names: z.optional(z.array(z.string()).check(z.maxLength(MOST_ITEMS))),
    taken,
    /** Decisions for single names at the top of the extracted content. */
    answers: z._default(z.record(z.string(), z.enum(CONFLICT_ACTIONS)), {}),
  }),
  z.object({ kind: z.literal('pack'), paths, destination: path, format: z.enum(ARCHIVE_FORMATS), taken }),
  z.object({ kind: z.literal('copy'), ...transfer }),
  z.object({ kind: z.literal('move'), ...transfer }),
])
export type JobRequest = z.infer<typeof JobRequest>

/**
 * `empty-trash` is started by `trash.empty`, `restore-snapshot` by `snapshots.restore`, `undo` by `operations.undo` and `operations.redo`, `rewind` by
 * `rewind.apply`.
 */
export const JOB_KINDS = ['extract', 'pack', 'copy', 'move', 'empty-trash', 'restore-snapshot', 'undo', 'rewind'] as const
export type JobKind = (typeof JOB_KINDS)[number]

/** `interrupted`: the server stopped while it ran. */
export const JOB_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled', 'interrupted'] as const
export type JobState = (typeof JOB_STATES)[number]

export const JobErrorCode = z.custom<ErrorCode>((value) => typeof value === 'string')
export const JobError = z.object({ code: JobErrorCode, detail: z.unknown() })
export type JobError = z.infer<typeof JobError>

export const Job = z.object({
  id: z.string(),
  kind: z.enum(JOB_KINDS),
  state: z.enum(JOB_STATES),
  /** What it is about: the archive, or the first copied item; empty for `empty-trash`, `undo` and `rewind`. */
  name: z.string(),
  /** Where the result is, or is going to be: a folder, for `pack` the archive. */
  destination: z.string(),
  /** Bytes read so far; for `empty-trash`, bytes removed; for `undo` and `rewind`, changes that were looked at. */
  done: z.number(),
  /** Total bytes, or changes, as soon as that is known. */
  total: z.nullable(z.number()),
  /** Recent bytes per second. */
  speed: z.number(),
  /** Finished files and folders. */
  items: z.number(),
  /** For `extract`: entries left out, the first of them by name. */
  leftOut: z.object({
    count: z.number(),
    first: z.array(z.object({ name: z.string(), reason: LeftOutReason })),
  }),
  /** Of all but `extract` and `pack`: failed items, the first of them by their old paths. The others succeeded; the job is `failed`. */
  failed: z.object({ count: z.number(), first: z.array(z.object({ path: z.string(), error: JobError })) }),
  /** Of a failed job. */
  error: z.nullable(JobError),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  endedAt: z.nullable(z.number()),
})
export type Job = z.infer<typeof Job>

/** Long operations that continue when the page is closed. Permissions are checked for each file, as for every operation. */
export const jobs = {
  start: endpoint('user', 'POST /api/jobs', { headers: OperationHeaders, body: JobRequest, result: Job }),
  /** The user's own, the newest first: running jobs, and those that ended recently. */
  list: endpoint('user', 'GET /api/jobs', { result: z.array(Job) }),
  /** Cancels a running job; removes an ended one. */
  remove: endpoint('user', 'DELETE /api/jobs/:id', { result: 'empty' }),
}

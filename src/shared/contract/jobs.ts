import * as z from 'zod/mini'
import { ARCHIVE_FORMATS, type LeftOut } from '../archive-format.ts'
import type { ErrorCode } from '../errors.ts'
import { endpoint } from './endpoint.ts'

const MOST_ITEMS = 10_000
const path = z.string().check(z.minLength(1))
const paths = z.array(path).check(z.minLength(1), z.maxLength(MOST_ITEMS))

/** What becomes of a name that is taken: the job is refused, the old one replaced, the new one numbered or left where it is. */
export const CONFLICT_ACTIONS = ['refuse', 'replace', 'rename', 'skip'] as const
export type ConflictAction = (typeof CONFLICT_ACTIONS)[number]
const taken = z._default(z.enum(CONFLICT_ACTIONS), 'refuse')

const transfer = {
  items: z
    .array(z.object({ from: path, to: path, replace: z._default(z.boolean(), false), rename: z._default(z.boolean(), false) }))
    .check(z.minLength(1), z.maxLength(MOST_ITEMS)),
}

export const JobRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('extract'),
    /** The archive. */
    path,
    /** The folder that gets what the archive holds; made where it is missing. */
    destination: path,
    /** Into what lies together: a folder of the archive's name, with a number if need be, unless all of it is in one already. */
    own: z._default(z.boolean(), false),
    /** The folder of the archive from which names are taken. */
    inside: z._default(z.string(), ''),
    /** What of that folder; all of it when not said. */
    names: z.optional(z.array(z.string()).check(z.maxLength(MOST_ITEMS))),
    taken,
    /** What is decided for single names, at the top of what is unpacked. */
    answers: z._default(z.record(z.string(), z.enum(CONFLICT_ACTIONS)), {}),
  }),
  z.object({ kind: z.literal('pack'), paths, destination: path, format: z.enum(ARCHIVE_FORMATS), taken }),
  z.object({ kind: z.literal('copy'), ...transfer }),
  z.object({ kind: z.literal('move'), ...transfer }),
])
export type JobRequest = z.infer<typeof JobRequest>
export type JobKind = JobRequest['kind']

/** `interrupted`: the server stopped while it ran. */
export const JOB_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled', 'interrupted'] as const
export type JobState = (typeof JOB_STATES)[number]

/** Why something could not be done. */
export const JobError = z.object({ code: z.custom<ErrorCode>((value) => typeof value === 'string'), detail: z.unknown() })
export type JobError = z.infer<typeof JobError>

export const Job = z.object({
  id: z.string(),
  kind: z.enum(['extract', 'pack', 'copy', 'move']),
  state: z.enum(JOB_STATES),
  /** What it is about: the archive, or the first of what is copied. */
  name: z.string(),
  /** Where the result is, or is going to be: a folder, for `pack` the archive. */
  destination: z.string(),
  /** Bytes read so far. */
  done: z.number(),
  /** Bytes to read in all, as soon as that is known. */
  total: z.nullable(z.number()),
  /** Bytes a second, of late. */
  speed: z.number(),
  /** Files and folders that are at their places. */
  items: z.number(),
  /** Of `extract`: entries left out, the first of them by name. */
  leftOut: z.object({
    count: z.number(),
    first: z.array(z.object({ name: z.string(), reason: z.custom<LeftOut>((value) => typeof value === 'string') })),
  }),
  /** Of `copy` and `move`: what was not, the first of it by its old path. The others went; such a job has `failed`. */
  failed: z.object({ count: z.number(), first: z.array(z.object({ path: z.string(), error: JobError })) }),
  /** Of what failed. */
  error: z.nullable(JobError),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  endedAt: z.nullable(z.number()),
})
export type Job = z.infer<typeof Job>

/** Deeds that take their time: they go on when the page is closed. What they may do is decided as for every deed, at each file. */
export const jobs = {
  start: endpoint({ by: 'user', needs: [], method: 'POST', path: '/api/jobs', body: JobRequest, result: Job }),
  /** One's own, the newest first: what runs, and what ended of late. */
  list: endpoint({ by: 'user', needs: [], method: 'GET', path: '/api/jobs', result: z.array(Job) }),
  /** Cancels what runs; forgets what has ended. */
  remove: endpoint({ by: 'user', needs: [], method: 'DELETE', path: '/api/jobs/:id', result: 'empty' }),
}

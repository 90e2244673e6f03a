import { type Job, JOB_KINDS, type JobError, type JobKind, type JobRequest, type JobState } from '../../shared/contract/jobs.ts'
import { AppError, fail, isAppError } from '../../shared/errors.ts'
import { createSemaphore } from '../../shared/semaphore.ts'
import { clientKeyOf, type Viewer } from '../access/viewer.ts'
import type { Archives } from '../archives/respond.ts'
import type { Drive } from '../drive/drive.ts'
import { type UserJob, type UserJobStore, RENEW_MS } from '../jobs/user-job-store.ts'
import type { Unpacker } from '../unpack/unpacker.ts'
import type { PreparedJob } from './prepared-job.ts'
import { prepareExtract } from './extract.ts'
import { preparePack } from './pack.ts'
import { createProgress, type Progress, parseReport, type Report } from './progress.ts'
import { prepareTransfer } from './transfer.ts'

export interface UserJobRunnerDeps {
  readonly store: UserJobStore
  readonly unpacker: Unpacker
  readonly archives: Archives
  /** Opens the Drive of one job, with access rechecked at every step. It fails with `access-changed` when that has ended. */
  readonly driveOf: (viewer: Viewer) => Promise<Drive>
  readonly log: (line: string) => void
}

/** Runs user jobs, even after the user has left, until the server stops. */
export type UserJobRunner = ReturnType<typeof createUserJobRunner>

const AT_ONCE = 4
const AT_ONCE_EACH = 2
const MOST_OPEN_EACH = 20
const RETRY_AFTER_SECONDS = 30
const MOST_SHOWN = 50

interface RunningJob {
  readonly userId: number
  readonly progress: Progress
  readonly abort: AbortController
  readonly ended: Promise<void>
  readonly drive: Drive
  state: JobState
}

const CANCELLED = 'cancelled'
const INTERRUPTED = 'interrupted'

export function createUserJobRunner({ store, unpacker, archives, driveOf, log }: UserJobRunnerDeps) {
  const open = new Map<string, RunningJob>()
  const slots = createSemaphore({ slots: AT_ONCE, each: AT_ONCE_EACH })
  let stopped = false

  function prepareRequest(order: JobRequest, drive: Drive): Promise<PreparedJob> {
    if (order.kind === 'extract') return prepareExtract(order, { drive, unpacker })
    return order.kind === 'pack' ? preparePack(order, { drive, archives }) : prepareTransfer(order, { drive })
  }

  function needRoom(userId: number): void {
    const count = [...open.values()].filter((one) => one.userId === userId).length
    if (stopped || count >= MOST_OPEN_EACH) fail('too-many-requests', { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }

  async function run(
    id: string,
    viewer: Viewer,
    prepared: PreparedJob,
    own: Pick<RunningJob, 'progress' | 'abort' | 'drive'>,
  ): Promise<void> {
    const { signal } = own.abort
    const clientKey = clientKeyOf(viewer)
    let state: 'done' | 'failed' | 'cancelled' | 'interrupted' = 'done'
    let error: Report['error'] = null
    const renewal = setInterval(() => void store.renew(id).catch((failure: unknown) => log(`job ${id}: ${String(failure)}`)), RENEW_MS)
    try {
      const work = async (): Promise<void> => {
        const one = open.get(id)
        if (one !== undefined) one.state = 'running'
        await store.begin(id)
        await prepared.run({ drive: own.drive, clientKey, signal, progress: own.progress })
      }
      await slots.run(clientKey, work, { signal })
    } catch (failure) {
      state = signal.aborted ? (signal.reason === CANCELLED ? 'cancelled' : 'interrupted') : 'failed'
      error = state === 'failed' ? jobErrorOf(failure, log) : null
    } finally {
      clearInterval(renewal)
    }
    await store.end(id, state, JSON.stringify({ ...own.progress.now(), error, about: aboutOf(prepared) } satisfies Report))
  }

  function shown(job: UserJob): Job {
    const one = open.get(job.id)
    const { about, ...report } = parseReport(job.report === '' ? job.task : job.report)
    const now = one?.progress.now() ?? report
    return {
      id: job.id,
      kind: kindOf(job.kind),
      state: one?.state ?? job.state,
      ...about,
      ...now,
      speed: one?.progress.speed() ?? 0,
      error: report.error,
      createdAt: job.createdAt,
      endedAt: job.endedAt,
    }
  }

  async function launch(viewer: Viewer, { kind, prepare }: { kind: JobKind; prepare: () => Promise<PreparedJob> }): Promise<Job> {
    const { userId } = viewer
    needRoom(userId)
    const prepared = await prepare()
    const drive = await driveOf(viewer)
    // From here on nothing is awaited until it is counted, so that the count is right.
    needRoom(userId)
    const id = Bun.randomUUIDv7()
    const progress = createProgress((failure) => jobErrorOf(failure, log))
    const task = JSON.stringify({ ...progress.now(), error: null, about: aboutOf(prepared) } satisfies Report)
    const abort = new AbortController()
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    open.set(id, { userId, progress, abort, ended, drive, state: 'waiting' })
    const job = await store.add({ id, userId, kind, task }).catch((error: unknown) => {
      open.delete(id)
      resolve()
      throw error
    })
    const answer = shown(job)
    // What it changes belongs to the gesture of the request.
    if (viewer.gesture !== undefined) viewer.gesture.hasChanged = true
    void run(id, viewer, prepared, { progress, abort, drive })
      .catch((error: unknown) => log(`job ${id}: ${String(error)}`))
      .finally(() => {
        open.delete(id)
        resolve()
      })
    return answer
  }

  return {
    /** Fails early if it is already known that the job would fail. */
    start: (viewer: Viewer, asked: Drive, order: JobRequest): Promise<Job> =>
      launch(viewer, { kind: order.kind, prepare: () => prepareRequest(order, asked) }),

    /** The same for a job that another area prepares. */
    launch,

    async of(userId: number): Promise<Job[]> {
      const jobs = await store.of(userId, MOST_SHOWN)
      // Started by a server that is dead.
      for (const { id, state, abandoned } of jobs) if (isOpen(state) && abandoned && !open.has(id)) await store.end(id, 'interrupted', '')
      return (await store.of(userId, MOST_SHOWN)).map(shown)
    },

    /** Cancels a running job, removes an ended one; `not-found` for a job of another user. */
    async remove(userId: number, id: string): Promise<void> {
      const one = open.get(id)
      if (one?.userId === userId) {
        one.abort.abort(CANCELLED)
        return one.ended
      }
      if (!(await store.forget(userId, id))) fail('not-found', {})
    },

    /** Interrupts running jobs, whose state says so afterwards. */
    async stop(): Promise<void> {
      stopped = true
      for (const { abort } of open.values()) abort.abort(INTERRUPTED)
      await Promise.all([...open.values()].map(({ ended }) => ended))
    },
  }
}

function isOpen(state: JobState): boolean {
  return state === 'waiting' || state === 'running'
}

function aboutOf({ name, destination }: PreparedJob): Report['about'] {
  return { name, destination }
}

function kindOf(kind: string): Job['kind'] {
  return JOB_KINDS.find((one) => one === kind) ?? 'move'
}

/** Our errors as they are; any other becomes an incident in the log. */
function jobErrorOf(error: unknown, log: (line: string) => void): JobError {
  if (isAppError(error)) return { code: error.code, detail: error.detail }
  const incident = crypto.randomUUID().slice(0, 8)
  log(`incident ${incident}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  const { code, detail } = new AppError('unexpected', { incident })
  return { code, detail }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, JOB_KINDS, type JobError, type JobKind, type JobRequest, type JobState } from '../../shared/contract/jobs.ts'
import { AppError, fail, isAppError } from '../../shared/errors.ts'
import { createSemaphore } from '../../shared/semaphore.ts'
import { clientKeyOf, type Viewer } from '../access/viewer.ts'
import type { Archives } from '../archives/respond.ts'
import type { Bus } from '../bus/bus.ts'
import type { Drive } from '../drive/drive.ts'
import type { UserJob, UserJobStore } from '../jobs/user-job-store.ts'
import type { Unpacker } from '../unpack/unpacker.ts'
import type { PreparedJob } from './prepared-job.ts'
import { prepareExtract } from './extract.ts'
import { type JobOwner, readRequest, writeRequest } from './job-request.ts'
import { holdJob } from './lease.ts'
import { preparePack } from './pack.ts'
import { createProgress, type Progress, parseReport, type Report } from './progress.ts'
import { prepareTransfer } from './transfer.ts'

export interface UserJobRunnerDeps {
  readonly store: UserJobStore
  readonly bus: Bus
  readonly unpacker: Unpacker
  readonly archives: Archives
  /** Opens the Drive of one job, with access rechecked at every step. It fails with `access-changed` when that has ended. */
  readonly driveOf: (owner: JobOwner) => Promise<Drive>
  readonly log: (line: string) => void
}

/** Runs user jobs, even after the user has left, until the server stops; then those that have changed nothing yet go on elsewhere. */
export type UserJobRunner = ReturnType<typeof createUserJobRunner>

const AT_ONCE = 4
const AT_ONCE_EACH = 2
const MOST_OPEN_EACH = 20
const RETRY_AFTER_SECONDS = 30
const MOST_SHOWN = 50
/** How often jobs of servers that died are looked for, and a job that waits for others of its user on other servers looks again. */
const LOOK_MS = 5000
const AGAIN_MS = 1000
/** A job that runs elsewhere has as long to end after it was cancelled, before the answer is given. */
const CANCEL_MS = 5000
const CANCEL_LOOK_MS = 100

interface RunningJob {
  readonly userId: number
  readonly progress: Progress
  readonly abort: AbortController
  readonly ended: Promise<void>
  state: JobState
}

interface NewJob {
  readonly id: string
  readonly owner: JobOwner
  readonly prepared: PreparedJob
  readonly drive: Drive
}

const CANCELLED = 'cancelled'
const INTERRUPTED = 'interrupted'

export function createUserJobRunner({ store, bus, unpacker, archives, driveOf, log }: UserJobRunnerDeps) {
  const open = new Map<string, RunningJob>()
  const slots = createSemaphore({ slots: AT_ONCE, each: AT_ONCE_EACH })
  const say = (id: string) => (error: unknown) => log(`job ${id}: ${String(error)}`)
  let stopped = false

  function prepareRequest(order: JobRequest, drive: Drive): Promise<PreparedJob> {
    if (order.kind === 'extract') return prepareExtract(order, { drive, unpacker })
    return order.kind === 'pack' ? preparePack(order, { drive, archives }) : prepareTransfer(order, { drive })
  }

  function needRoom(userId: number): void {
    const count = [...open.values()].filter((one) => one.userId === userId).length
    if (stopped || count >= MOST_OPEN_EACH) fail('too-many-requests', { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }

  /** Runs `work` when the user has a turn, on all servers. */
  async function inTurn({ id, owner }: NewJob, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    for (;;) {
      const release = await slots.acquire(clientKeyOf(owner), { signal })
      try {
        const answer = await store.begin({ id, userId: owner.userId }, { each: AT_ONCE_EACH })
        if (answer === 'lost') open.get(id)?.abort.abort(INTERRUPTED)
        signal.throwIfAborted()
        if (answer === 'begun') return await work()
      } finally {
        release()
      }
      await sleep(AGAIN_MS, undefined, { signal })
    }
  }

  async function run(job: NewJob, { progress, abort }: Pick<RunningJob, 'progress' | 'abort'>): Promise<void> {
    const { id, owner, prepared, drive } = job
    const { signal } = abort
    let state: 'done' | 'failed' | 'cancelled' | 'interrupted' = 'done'
    let error: Report['error'] = null
    const report = (): string => JSON.stringify({ ...progress.now(), error, about: aboutOf(prepared) } satisfies Report)
    try {
      using _ = holdJob(id, {
        store,
        report,
        onCancelled: () => abort.abort(CANCELLED),
        onLost: () => abort.abort(INTERRUPTED),
        log,
      })
      await inTurn(job, signal, async () => {
        const one = open.get(id)
        if (one !== undefined) one.state = 'running'
        const changing = async (): Promise<void> => {
          if (!(await store.settle(id))) abort.abort(INTERRUPTED)
          signal.throwIfAborted()
        }
        await prepared.run({ drive, clientKey: clientKeyOf(owner), signal, progress, changing })
      })
    } catch (failure) {
      state = signal.aborted ? (signal.reason === CANCELLED ? 'cancelled' : 'interrupted') : 'failed'
      error = state === 'failed' ? jobErrorOf(failure, log) : null
    }
    if (state === 'interrupted' && (await store.release(id))) return
    await store.end(id, state, report())
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

  /** From now on it counts. @returns how it is started, and how it leaves without that */
  function enter(job: NewJob, progress: Progress): { go: () => void; leave: () => void } {
    const { id, owner } = job
    const abort = new AbortController()
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    open.set(id, { userId: owner.userId, progress, abort, ended, state: 'waiting' })
    const leave = (): void => {
      open.delete(id)
      resolve()
    }
    return { leave, go: () => void run(job, { progress, abort }).catch(say(id)).finally(leave) }
  }

  const progressOf = (): Progress => createProgress((failure) => jobErrorOf(failure, log))

  async function launch(
    viewer: Viewer,
    { kind, prepare, request }: { kind: JobKind; prepare: () => Promise<PreparedJob>; request?: string },
  ): Promise<Job> {
    const { userId } = viewer
    needRoom(userId)
    const prepared = await prepare()
    const drive = await driveOf(viewer)
    // From here on nothing is awaited until it is counted, so that the count is right.
    needRoom(userId)
    const id = Bun.randomUUIDv7()
    const progress = progressOf()
    const entered = enter({ id, owner: viewer, prepared, drive }, progress)
    const task = JSON.stringify({ ...progress.now(), error: null, about: aboutOf(prepared) } satisfies Report)
    const added = await store
      .add({ id, userId, kind, task, ...(request && { request }) }, { most: MOST_OPEN_EACH })
      .catch((error: unknown) => {
        entered.leave()
        throw error
      })
    if (added === null) {
      entered.leave()
      return fail('too-many-requests', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
    const answer = shown(added)
    // What it changes belongs to the gesture of the request.
    if (viewer.gesture !== undefined) viewer.gesture.hasChanged = true
    entered.go()
    return answer
  }

  /** Starts a job anew that its server has left before it changed anything. */
  async function resume({ id, request }: UserJob): Promise<void> {
    const { order, owner } = readRequest(request)
    const drive = await driveOf(owner)
    enter({ id, owner, drive, prepared: await prepareRequest(order, drive) }, progressOf()).go()
  }

  const next = async (): Promise<UserJob | null> => (stopped || open.size >= AT_ONCE ? null : store.claim())

  async function resumeAll(): Promise<void> {
    await store.bury()
    for (let job = await next(); job !== null; job = await next()) {
      const { id, task } = job
      await resume(job).catch(async (failure: unknown) => {
        const report: Report = { ...parseReport(task), error: jobErrorOf(failure, log) }
        await store.end(id, 'failed', JSON.stringify(report))
      })
    }
  }

  const looking = store.shared ? setInterval(() => void resumeAll().catch(say('of others')), LOOK_MS) : undefined
  bus.on('job.cancelled', ({ id }) => open.get(id)?.abort.abort(CANCELLED))

  /** Has the server that runs it cancel it, and waits for that for a moment. @returns false if there is nothing to cancel */
  async function cancelElsewhere(userId: number, id: string): Promise<boolean> {
    if (!store.shared || !(await store.cancel(userId, id))) return false
    bus.announce('job.cancelled', { id })
    const end = performance.now() + CANCEL_MS
    while (performance.now() < end && (await store.isOpen(id))) await Bun.sleep(CANCEL_LOOK_MS)
    return true
  }

  return {
    /** Fails early if it is already known that the job would fail. */
    start: (viewer: Viewer, asked: Drive, order: JobRequest): Promise<Job> =>
      launch(viewer, { kind: order.kind, prepare: () => prepareRequest(order, asked), request: writeRequest(order, viewer) }),

    /** The same for a job that another area prepares, and that is not started anew elsewhere. */
    launch,

    async of(userId: number): Promise<Job[]> {
      const jobs = await store.of(userId, MOST_SHOWN)
      if (jobs.every(({ id, state }) => !isOpen(state) || open.has(id))) return jobs.map(shown)
      // Perhaps of a server that is dead.
      await store.bury()
      return (await store.of(userId, MOST_SHOWN)).map(shown)
    },

    /** Cancels a running job, removes an ended one; `not-found` for a job of another user. */
    async remove(userId: number, id: string): Promise<void> {
      const one = open.get(id)
      if (one?.userId === userId) {
        one.abort.abort(CANCELLED)
        return one.ended
      }
      if (!(await cancelElsewhere(userId, id)) && !(await store.forget(userId, id))) fail('not-found', {})
    },

    /** Interrupts running jobs, whose state says so afterwards, unless another server can start them anew. */
    async stop(): Promise<void> {
      stopped = true
      clearInterval(looking)
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

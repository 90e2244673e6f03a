import type { Job } from '../../shared/contract/jobs.ts'
import type { UndoOutcome, Undone } from '../../shared/contract/operations.ts'
import { AppError } from '../../shared/errors.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import type { Access } from '../access/access.ts'
import type { Viewer } from '../access/viewer.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import { type Actor, actorOf } from '../drive/operation.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import type { JobContext, PreparedJob } from '../user-jobs/prepared-job.ts'
import type { UserJobRunner } from '../user-jobs/runner.ts'
import { follow } from './followed.ts'
import { planOf } from './plan.ts'
import type { Step } from './step.ts'
import type { Rows } from './rows.ts'
import { seenBy } from './seen.ts'
import { type Outcomes, takeBack, type TakeBackDeps, type TakeBackOptions } from './take-back.ts'

export interface UndoDeps extends TakeBackDeps {
  readonly rows: Rows
  readonly driveFor: DriveFor
  /** Resolves when what a server that died has begun is settled: without that nobody knows what was done last. */
  readonly recovered: () => Promise<void>
  readonly userJobs: Pick<UserJobRunner, 'launch'>
}

/** By what a step was done, if it was. */
const KIND_OF_STEP = {
  create: 'restore',
  copy: 'restore',
  restore: 'restore',
  delete: 'remove',
  move: 'move',
  replace: 'content',
} as const satisfies Record<JournalEntry['kind'], Step['change']>

/** More steps than this are a job. */
const MOST_AT_ONCE = 100

/** Steps that are taken as one gesture. */
export interface Taking {
  readonly access: Access
  readonly actor: NonNullable<Actor>
  readonly group: string
  readonly userId: number
}

/** Does steps in the name of a person. */
export async function takeSteps(
  deps: UndoDeps,
  { access, actor, group, userId }: Taking,
  steps: readonly Step[],
  more: Omit<TakeBackOptions, 'open' | 'pathOf'> = {},
): Promise<Outcomes> {
  const seen = await seenBy(deps.driveFor(access), userId)
  const open = (reverts: string) => deps.driveFor(access, { ...actor, group, reverts })
  return takeBack(deps, steps, { ...more, open, pathOf: seen.at })
}

interface StepsOfJob {
  /** As for `takeBack`. */
  readonly wholeFolders?: boolean
  readonly isDone?: (step: Step) => boolean
  readonly destination: FilePath
  readonly plan: (context: JobContext) => Promise<readonly Step[]>
}

/** The same as a job. */
export function prepareSteps(
  deps: UndoDeps,
  { userId, username, group, inShare = false }: { userId: number; username: string; group: string; inShare?: boolean },
  { destination, plan, wholeFolders = false, isDone = () => false }: StepsOfJob,
): PreparedJob {
  return {
    name: '',
    destination,
    async run(context) {
      const { drive, progress, signal } = context
      const steps = await plan(context)
      progress.total(steps.length)
      let count = 0
      let failure: { error: unknown } | null = null
      const seen = await seenBy(drive, userId)
      await takeSteps(deps, { access: drive.access, actor: { id: userId, name: username, via: 'job', inShare }, group, userId }, steps, {
        signal,
        wholeFolders,
        isDone,
        onStep({ entry, path }, outcome, error) {
          progress.read(Math.min(steps.length, ++count))
          if (outcome === 'done') return progress.placed()
          const shown = seen.at(entry, path)
          const reason = outcome === 'refused' ? error : errorOf(outcome, shown ?? ROOT)
          progress.failed(shown ?? ROOT, reason)
          failure ??= { error: reason }
        },
      })
      if (failure !== null) throw errorIn(failure)
    },
  }
}

/** The compiler does not see that a closure has set the variable. */
function errorIn(failure: { error: unknown }): unknown {
  return failure.error
}

function errorOf(outcome: UndoOutcome, path: FilePath): AppError {
  if (outcome === 'conflict') return new AppError('already-exists', { path })
  return outcome === 'gone' ? new AppError('not-found', { path }) : new AppError('precondition-failed', { path })
}

export function createUndo(deps: UndoDeps) {
  const { rows, driveFor, userJobs } = deps
  const oneByOne = createKeyedMutex()

  async function run(viewer: Viewer, named: string, parity: 0 | 1): Promise<Undone> {
    await deps.recovered()
    await rows.settled()
    const { access, userId, username } = viewer
    const all = await follow(rows, named, userId)
    const found = all.filter(({ depth, isPast }) => depth % 2 === parity && !isPast)
    const steps = planOf(found.filter(({ entry }) => entry.state === 'done').map(({ entry }) => entry))
    // A server may have died after a step, before it could write that this took an operation back.
    const taken = new Set(
      all.flatMap(({ entry: { state, kind, reverts } }) => (state === 'done' ? [`${KIND_OF_STEP[kind]} ${reverts}`] : [])),
    )
    const isDone = ({ change, entry }: Step): boolean => taken.has(`${change} ${entry.id}`)
    const group = viewer.gesture?.group ?? Bun.randomUUIDv7()
    if (steps.length > MOST_AT_ONCE) {
      // What has happened since it waits is looked at again.
      const plan = async () => steps
      const inShare = viewer.through !== undefined
      const prepare = async () => prepareSteps(deps, { userId, username, group, inShare }, { destination: ROOT, plan, isDone })
      const job: Job = await userJobs.launch(viewer, { kind: 'undo', prepare })
      return { items: [], group, job }
    }
    const outcomes = await takeSteps(deps, { access, actor: actorOf(viewer), group, userId }, steps, { isDone })
    const seen = await seenBy(driveFor(access), userId)
    const inOrder = found.toSorted((a, b) => (a.root < b.root ? -1 : a.root > b.root ? 1 : 0))
    const items = await Promise.all(
      inOrder.map(async ({ entry }) => ({
        kind: entry.kind,
        path: (await seen.pathOf(entry)) ?? seen.originOf(entry),
        outcome: outcomes.get(entry.id) ?? withoutStep(entry),
      })),
    )
    const hasChanged = steps.some((step) => !isDone(step)) && [...outcomes.values()].includes('done')
    return { items, group: hasChanged ? group : null, job: null }
  }

  return {
    /** Takes a gesture of the viewer back; `not-found` if there is no such gesture. */
    undo: (viewer: Viewer, group: string): Promise<Undone> => oneByOne(group, () => run(viewer, group, 0)),
    /** Does again what was taken back of it. */
    redo: (viewer: Viewer, group: string): Promise<Undone> => oneByOne(group, () => run(viewer, group, 1)),
  }
}

function withoutStep({ state }: JournalEntry): UndoOutcome {
  return state === 'purging' || state === 'purged' ? 'gone' : 'done'
}

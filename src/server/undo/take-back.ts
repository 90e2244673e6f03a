import type { UndoOutcome } from '../../shared/contract/operations.ts'
import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, isWithin, parentOf, placeUnder, ROOT } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import { nodeOf } from '../trash/kept-of.ts'
import { batchesOf } from './batches.ts'
import type { Inner, Left, Step } from './step.ts'
import type { Rows } from './rows.ts'

export interface TakeBackDeps {
  readonly rows: Rows
  /** Knows how things are, also where the viewer may not look. */
  readonly systemDrive: Drive
  readonly log: (line: string) => void
}

export interface TakeBackOptions {
  /** The viewer's Drive in which an operation is taken back; each belongs to the same gesture. */
  readonly open: (reverts: string) => Drive
  /** By storage path; null for what the viewer may not see. */
  readonly pathOf: (entry: JournalEntry, path: FilePath) => FilePath | null
  readonly signal?: AbortSignal | undefined
  /**
   * Whether a created folder goes with whatever is in it. Everything that came into it since is taken back before, so only other programs can have put
   * something there. It stays if something below it could not be taken back.
   */
  readonly wholeFolders?: boolean
  /** Whether a step was done before: by a server that died before it could write that. */
  readonly isDone?: (step: Step) => boolean
  /** Called after each step. @param error of one that was not done, for people */
  readonly onStep?: (step: Step, outcome: UndoOutcome, error: unknown) => void
}

/** What became of operations, by id. */
export type Outcomes = ReadonlyMap<string, UndoOutcome>

const AT_ONCE = 8

/** Does steps in their order, those that do not depend on each other at once. One that cannot be done does not keep the others. */
export async function takeBack(
  { rows, systemDrive, log }: TakeBackDeps,
  steps: readonly Step[],
  { open, pathOf, signal, wholeFolders = false, isDone = () => false, onStep }: TakeBackOptions,
): Promise<Outcomes> {
  const outcomes = new Map<string, UndoOutcome>()
  /** Of each operation, how many steps are still to be done: what replaced something has two. */
  const planned = new Map<string, number>()
  for (const id of steps.flatMap(idsOf)) planned.set(id, (planned.get(id) ?? 0) + 1)
  /** The first outcome of each node that was not done. */
  const failed = new Map<number, UndoOutcome>()
  const failedAt: FilePath[] = []
  /** Deletions, by the step that made them. */
  const removed = new Map<Step, string>()
  let innerSteps = 0

  async function run(step: Step): Promise<void> {
    signal?.throwIfAborted()
    let outcome: UndoOutcome = 'done'
    let reason: unknown = null
    let apart: ReadonlySet<string> = new Set()
    try {
      if (!isDone(step)) await attempt(step)
      await settle(step)
    } catch (error) {
      signal?.throwIfAborted()
      if (isAppError(error, 'access-changed') || isAppError(error, 'sign-in-needed')) throw error
      outcome = await outcomeOf(step, error)
      reason = error
      failed.set(step.node, failed.get(step.node) ?? outcome)
      failedAt.push(step.path)
      if (outcome === 'changed' && step.change === 'remove') apart = await removeInside(step)
    }
    for (const id of idsOf(step)) if (!apart.has(id) && (outcomes.get(id) ?? 'done') === 'done') outcomes.set(id, outcome)
    onStep?.(step, outcome, reason)
  }

  /** What is taken back as a whole is marked. */
  async function settle(step: Step): Promise<void> {
    const ids = idsOf(step)
    for (const id of ids) planned.set(id, (planned.get(id) ?? 1) - 1)
    await rows.markUndone(ids.filter((id) => (planned.get(id) ?? 0) <= 0 && (outcomes.get(id) ?? 'done') === 'done'))
  }

  async function attempt(step: Step): Promise<void> {
    const { change, entry, version, attributes } = step
    if (step.problem !== null || failed.has(step.node)) fail('precondition-failed', {})
    const path = pathOf(entry, step.path) ?? fail('forbidden', { right: 'create' })
    if (step.left !== null) await expectLeft(step.path, step.left)
    const goesWhole = wholeFolders && !failedAt.some((one) => isWithin(one, step.path))
    if (change === 'remove' && step.folder && !goesWhole) await expectInside(step)
    const drive = open(entry.id)
    const replacedAt = (): FilePath => pathOf(entry, entry.path) ?? fail('forbidden', { right: 'create' })
    if (change === 'remove') {
      const trashed = await drive.remove(path, { signal, onlyKept: true })
      if (trashed !== null) removed.set(step, trashed.id)
    } else if (change === 'restore' && version !== null) await drive.bringBack(version, path, { folder: step.folder, from: replacedAt() })
    else if (change === 'restore') {
      const deletion = (await deletionOf(step)) ?? fail('not-found', {})
      const was = pathOf(deletion, deletion.path) ?? fail('forbidden', { right: 'create' })
      await drive.restore(nodeOf(deletion, was), path, { replace: false, rename: false })
    } else if (change === 'move') {
      const to = (step.to === null ? null : pathOf(entry, step.to)) ?? fail('forbidden', { right: 'rename' })
      await drive.move(path, to, { replace: false, rename: false, ...(signal && { signal }) })
    } else await drive.putBack(path, { version, attributes, from: replacedAt() })
  }

  async function deletionOf({ deletion, aside }: Step): Promise<JournalEntry | null> {
    const id = aside === null ? undefined : removed.get(aside)
    return id === undefined ? deletion : rows.find(id)
  }

  async function outcomeOf({ change, entry, problem, node, version, deletion }: Step, error: unknown): Promise<UndoOutcome> {
    if (problem !== null) return problem
    const before = failed.get(node)
    if (before !== undefined) return before
    if (isAppError(error, 'already-exists')) return 'conflict'
    if (change === 'restore' && deletion !== null) {
      const now = await rows.find(deletion.id)
      if (now?.state === 'undone') return 'done'
      if (now === null || now.state === 'purged' || now.state === 'purging') return 'gone'
    }
    if (version !== null && isAppError(error, 'not-found')) return 'gone'
    if (isAppError(error, 'not-found') || isAppError(error, 'precondition-failed')) return 'changed'
    if (!isAppError(error)) log(`undo ${entry.id}: ${String(error)}`)
    return 'refused'
  }

  /** Fails unless the node is as it was left. */
  async function expectLeft(path: FilePath, { identity, size, modified }: Left): Promise<void> {
    const { stat, target } = await systemDrive.stat(path)
    // A link shows the node that it leads to.
    if (target !== null) return
    // After a crash the journal may not know which node it was.
    const isAsLeft = (identity === '' || stat.identity === identity) && (stat.kind !== 'file' || isSame(stat, { size, modified }))
    if (!isAsLeft) fail('precondition-failed', { path })
  }

  /** Fails if there is anything in a folder that would not go by itself. */
  async function expectInside({ path, inside, entry, covers }: Step): Promise<void> {
    if (inside === null) {
      const ids = new Set([entry, ...covers].map(({ id }) => id))
      const isOther = (id: string): boolean => !planned.has(id) && !ids.has(id)
      if (await rows.isChangedBelow(path, { since: entry.id, isOther })) fail('precondition-failed', { path })
      return
    }
    const expected = new Map(inside.map((one) => [placeUnder(path, one.path), one]))
    const isWhole = (node: FilePath): boolean => {
      for (let at = parentOf(node); at !== path && at !== ROOT; at = parentOf(at)) if (expected.get(at)?.isWhole === true) return true
      return false
    }
    for await (const { path: found, stat, target } of systemDrive.walk(path, signal ? { signal } : {})) {
      const one = expected.get(found)
      if (one === undefined ? isWhole(found) : target !== null || stat.kind !== 'file' || isSame(stat, one)) continue
      fail('precondition-failed', { path })
    }
  }

  /** Of a folder that stays, what can go. @returns the operations that this is about */
  async function removeInside(step: Step): Promise<ReadonlySet<string>> {
    const inner = (step.inside ?? []).toSorted((a, b) => (a.path < b.path ? 1 : -1)).map((one) => innerStep(step, one))
    for (const one of inner) await run(one)
    return new Set(inner.flatMap(idsOf))
  }

  function innerStep(step: Step, inner: Inner): Step {
    const { path, folder, entries, isWhole, ...left } = inner
    const [entry = step.entry, ...covers] = entries
    const inside = folder && !isWhole ? [] : null
    return { ...step, node: -1 - innerSteps++, path: placeUnder(step.path, path), folder, entry, covers, left, inside }
  }

  for (const batch of batchesOf(steps)) {
    const waiting = [...batch]
    const worker = async (): Promise<void> => {
      for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await run(step)
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, batch.length) }, worker))
  }
  return outcomes
}

function idsOf({ entry, covers }: Step): string[] {
  return [entry.id, ...covers.map(({ id }) => id)]
}

function isSame(stat: { size: number; modified: number }, { size, modified }: Pick<Left, 'size' | 'modified'>): boolean {
  return (size === null || stat.size === size) && (modified === null || Math.round(stat.modified) === Math.round(modified))
}

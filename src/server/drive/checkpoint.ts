import type { Right } from '../../shared/contract/endpoint.ts'
import { fail } from '../../shared/errors.ts'
import type { DriveContext, ResolvedPath } from './context.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { OperationOptions } from './operation.ts'
import { requireRights, type RightsPlace } from './rights.ts'

/** How long one request may occupy the thread before it yields to others. */
const SLICE_MS = 8

/** For long loops that await each step: lets other requests run from time to time. Fails if `signal` is aborted. */
export function periodicYield(signal?: AbortSignal): () => Promise<void> {
  let since = performance.now()
  return async () => {
    signal?.throwIfAborted()
    if (performance.now() - since < SLICE_MS) return
    await new Promise<void>((resolve) => void setImmediate(resolve))
    signal?.throwIfAborted()
    since = performance.now()
  }
}

/** The same for work on a Drive: also updates the access at each step, and fails with `forbidden` if one of the rights is gone. */
export function checkpointFor(context: DriveContext, { signal, needs }: CheckpointOptions): () => Promise<void> {
  const pause = periodicYield(signal)
  return async () => {
    signal?.throwIfAborted()
    const renewing = context.renew()
    if (renewing !== undefined) await renewing
    if (needs !== undefined) requireRights(context, needs.place, needs.rights)
    await pause()
  }
}

export interface CheckpointOptions {
  readonly signal?: AbortSignal | undefined
  readonly needs?: Needs
}

/** Rights at one node. */
export interface Needs {
  readonly place: RightsPlace
  readonly rights: readonly Right[]
}

/** Passed along by work on a whole tree. */
export interface Checkpoints {
  readonly signal?: AbortSignal
  /** Awaited before each node. */
  readonly checkpoint: () => Promise<void>
}

interface Ready extends OperationOptions {
  readonly path: FilePath
  /** The nodes that the operation creates or changes. */
  readonly places: readonly ResolvedPath[]
  readonly rights: readonly Right[]
  /** A node that is needed besides. */
  readonly also?: { readonly place: ResolvedPath; readonly rights: readonly Right[] }
}

/** Calls `ready`, which may run hooks for minutes, and then fails if the user may no longer do the operation (A22). */
export async function whenReady(context: DriveContext, { path, places, rights, also, ready }: Ready): Promise<void> {
  await ready?.(path)
  await context.renew()
  const all = [...places.map((place) => ({ place, rights })), ...(also === undefined ? [] : [also])]
  for (const needs of all) requireRights(context, needs.place, needs.rights)
  if (all.some(({ place }) => context.verdict(place) !== 'shown')) fail('not-found', { path })
}

interface WorkGuard {
  readonly signal?: AbortSignal | undefined
  /** Fails if the work must stop; called whenever the access has changed. */
  readonly check: () => void
}

/** For work that copies block by block: aborts it within a block when access has ended, and fails with the reason. */
export async function whileAllowed<T>(
  context: DriveContext,
  { signal, check }: WorkGuard,
  work: (options: { signal: AbortSignal; onBlock: () => void }) => Promise<T>,
): Promise<T> {
  const denied = new AbortController()
  let failure: { error: unknown } | null = null
  let checked = context.access
  let isChecking = false

  async function recheck(): Promise<void> {
    isChecking = true
    try {
      await context.renew()
      if (context.access !== checked) check()
      checked = context.access
    } catch (error) {
      failure = { error }
      denied.abort(error)
    } finally {
      isChecking = false
    }
  }

  try {
    const both = signal === undefined ? denied.signal : AbortSignal.any([signal, denied.signal])
    return await work({ signal: both, onBlock: () => void (isChecking || recheck()) })
  } catch (error) {
    throw reasonOf(failure) ?? error
  }
}

/** The compiler does not see that a closure has set the variable. */
function reasonOf(failure: { error: unknown } | null): unknown {
  return failure?.error
}

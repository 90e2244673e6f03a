import type { Right } from '../../shared/contract/endpoint.ts'
import { fail } from '../../shared/errors.ts'
import { rightsOf } from '../access/permissions.ts'
import type { DriveContext } from './context.ts'

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
export function checkpointFor(context: DriveContext, { signal, rights = [] }: CheckpointOptions): () => Promise<void> {
  const pause = periodicYield(signal)
  return async () => {
    signal?.throwIfAborted()
    const renewing = context.renew()
    if (renewing !== undefined) await renewing
    requireRights(context, rights)
    await pause()
  }
}

export interface CheckpointOptions {
  readonly signal?: AbortSignal | undefined
  readonly rights?: readonly Right[]
}

export function requireRights({ access }: DriveContext, rights: readonly Right[]): void {
  const may = rightsOf(access.may)
  for (const right of rights) if (!may[right]) fail('forbidden', { right })
}

/** Passed along by work on a whole tree. */
export interface Checkpoints {
  readonly signal?: AbortSignal
  /** Awaited before each node. */
  readonly checkpoint: () => Promise<void>
}

import type { Right } from '../../shared/contract/endpoint.ts'
import { fail } from '../../shared/errors.ts'
import { rightsOf } from '../access/permissions.ts'
import type { DriveContext } from './context.ts'

/** How long one request may keep the thread before others have their turn. */
const TURN_MS = 8

/** A step to await in long loops: it lets other requests in when this one has had its turn. Fails when `signal` says so. */
export function inTurns(signal?: AbortSignal): () => Promise<void> {
  let since = performance.now()
  return async () => {
    signal?.throwIfAborted()
    if (performance.now() - since < TURN_MS) return
    await new Promise<void>((resolve) => void setImmediate(resolve))
    signal?.throwIfAborted()
    since = performance.now()
  }
}

/** The same where one person's access counts: brought up to date at each step. Without one of the rights `forbidden`. */
export function steppingFor(context: DriveContext, { signal, rights = [] }: SteppingOptions): () => Promise<void> {
  let since = performance.now()
  return async () => {
    signal?.throwIfAborted()
    const renewing = context.renew()
    if (renewing !== undefined) await renewing
    requireRights(context, rights)
    if (performance.now() - since < TURN_MS) return
    await new Promise<void>((resolve) => void setImmediate(resolve))
    signal?.throwIfAborted()
    since = performance.now()
  }
}

export interface SteppingOptions {
  readonly signal?: AbortSignal | undefined
  readonly rights?: readonly Right[]
}

export function requireRights({ access }: DriveContext, rights: readonly Right[]): void {
  const may = rightsOf(access.may)
  for (const right of rights) if (!may[right]) fail('forbidden', { right })
}

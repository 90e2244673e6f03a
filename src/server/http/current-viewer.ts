import { fail } from '../../shared/errors.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Reauthenticate } from './mount.ts'

/** What was found so little ago is not asked for again: a right that was taken is gone within this time. */
const FRESH_MS = 1000

/** `known`, or what `ask` says where that is longer ago. @param options.clock counts milliseconds */
export function refreshed<T>(
  known: T,
  ask: () => Promise<T>,
  { clock = () => performance.now() }: { clock?: () => number } = {},
): () => Promise<T> {
  let latest = known
  let askedAt = clock()
  return async () => {
    if (clock() - askedAt < FRESH_MS) return latest
    latest = await ask()
    askedAt = clock()
    return latest
  }
}

/**
 * Whoever takes long to send something may be signed out, switched off or without the right before it is there (invariant I8): who they are is
 * asked again before it gets its place. Fails with `sign-in-needed` where that sign-in has ended.
 */
export function currentViewer(
  { viewer, reauthenticate }: { viewer: Viewer; reauthenticate: Reauthenticate },
  options: { clock?: () => number } = {},
): () => Promise<Viewer> {
  return refreshed(viewer, async () => (await reauthenticate({ passive: true })) ?? fail('sign-in-needed', {}), options)
}

import { fail } from '../../shared/errors.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Reauthenticate } from './mount.ts'

/** A value this recent is not looked up again: a removed right takes effect within this time. */
const FRESH_MS = 1000

/** `known` until it is too old, then the result of `ask`. @param options.clock counts milliseconds */
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
 * During a long upload the user may be signed out, disabled or lose the right (invariant I8), so the viewer is looked up again before the file is
 * published. Fails with `sign-in-needed` if the sign-in has ended.
 */
export function currentViewer(
  { viewer, reauthenticate }: { viewer: Viewer; reauthenticate: Reauthenticate },
  options: { clock?: () => number } = {},
): () => Promise<Viewer> {
  return refreshed(viewer, async () => (await reauthenticate({ passive: true })) ?? fail('sign-in-needed', {}), options)
}

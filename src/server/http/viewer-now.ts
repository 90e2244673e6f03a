import { fail } from '../../shared/errors.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Again } from './mount.ts'

/** Who was asked for so little ago is not asked for again: a right that was taken is gone within this time. */
const FRESH_MS = 1000

/**
 * Whoever takes long to send something may be signed out, switched off or without the right before it is there (invariant I8): who they are is
 * asked again before it gets its place. `clock` counts milliseconds. Fails with `sign-in-needed` where nobody is there any more.
 */
export function viewerNow(
  { viewer, again }: { viewer: Viewer; again: Again },
  { clock = () => performance.now() }: { clock?: () => number } = {},
): () => Promise<Viewer> {
  let known = viewer
  let askedAt = clock()
  return async () => {
    if (clock() - askedAt < FRESH_MS) return known
    known = (await again({ quietly: true })) ?? fail('sign-in-needed', {})
    askedAt = clock()
    return known
  }
}

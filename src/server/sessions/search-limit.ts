import { fail } from '../../shared/errors.ts'
import { createBuckets } from './buckets.ts'

const REMEMBERED = 10_000
/** Typing a name takes a few; trying all pairs of letters takes minutes. */
const SIZE = { burst: 40, perSecond: 1 }

/** Counts searches for the names of accounts; fails with `too-many-requests`. */
export function createSearchLimit({ clock }: { clock: () => Date }) {
  const bucketOf = createBuckets({ remembered: REMEMBERED })
  return (client: string): void => {
    const now = clock().getTime()
    const bucket = bucketOf(client, SIZE)
    if (!bucket.has(now)) fail('too-many-requests', { retryAfterSeconds: 1 / SIZE.perSecond })
    bucket.take(now)
  }
}

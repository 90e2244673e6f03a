import { fail } from '../../shared/errors.ts'
import { type BucketSize, createBuckets } from './buckets.ts'

const REMEMBERED = 10_000

/** Counts what one client does; fails with `too-many-requests` when that is more than its burst, and then more than its rate. */
export function createClientLimit({ clock, ...size }: BucketSize & { readonly clock: () => Date }): (client: string) => void {
  const bucketOf = createBuckets({ remembered: REMEMBERED })
  return (client) => {
    const now = clock().getTime()
    const bucket = bucketOf(client, size)
    if (!bucket.has(now)) fail('too-many-requests', { retryAfterSeconds: Math.ceil(1 / size.perSecond) })
    bucket.take(now)
  }
}

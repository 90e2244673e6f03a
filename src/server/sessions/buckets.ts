import { createLru } from '../../shared/lru.ts'

/** A token bucket: a burst, and then a rate per second. */
export interface Bucket {
  has(now: number): boolean
  take(now: number): void
  giveBack(): void
}

export interface BucketSize {
  readonly burst: number
  readonly perSecond: number
}

/** @returns the bucket of that name; the least recently used ones are dropped, which refills them */
export function createBuckets({ remembered }: { remembered: number }): (name: string, size: BucketSize) => Bucket {
  const buckets = createLru<string, Bucket>(remembered)
  return (name, size) => {
    const bucket = buckets.get(name) ?? createBucket(size)
    buckets.set(name, bucket)
    return bucket
  }
}

function createBucket({ burst, perSecond }: BucketSize): Bucket {
  let tokens = burst
  let filledAt: number | null = null

  function refill(now: number): void {
    tokens = Math.min(burst, tokens + (Math.max(0, now - (filledAt ?? now)) / 1000) * perSecond)
    filledAt = now
  }

  return {
    has(now) {
      refill(now)
      return tokens >= 1
    },
    take(now) {
      refill(now)
      tokens -= 1
    },
    giveBack: () => void (tokens = Math.min(burst, tokens + 1)),
  }
}

import { fail } from '../../shared/errors.ts'

/** How many archives one person, or one share, may be sent at a time (invariant I12, R9). */
export interface Budget {
  /** Fails with `too-many-requests`. The place is free again when the answer is called, more than once does no harm. */
  take(key: string, kind: 'stored' | 'compressed'): () => void
}

/** Stored ones cost little, and parallel downloaders ask for many ranges at once. */
const PLACES = { stored: 16, compressed: 3 }
const RETRY_AFTER_SECONDS = 10

export function createBudget(): Budget {
  const taken = new Map<string, number>()
  return {
    take(key, kind) {
      const place = `${kind} ${key}`
      const count = taken.get(place) ?? 0
      if (count >= PLACES[kind]) fail('too-many-requests', { retryAfterSeconds: RETRY_AFTER_SECONDS })
      taken.set(place, count + 1)
      let held = true
      return () => {
        if (!held) return
        held = false
        const left = (taken.get(place) ?? 1) - 1
        if (left > 0) taken.set(place, left)
        else taken.delete(place)
      }
    },
  }
}

import { fail } from '../../shared/errors.ts'

/** Lets each person in so many times at once. */
export interface Turnstile {
  /** Fails with `too-many-requests`. @returns lets the next one in; only the first call counts */
  enter(userId: number): () => void
}

/** A search reads a whole tree: nobody has more than `places` of them at once (security reference R9). */
export function createTurnstile(places: number): Turnstile {
  const inside = new Map<number, number>()
  return {
    enter(userId) {
      const others = inside.get(userId) ?? 0
      if (others >= places) fail('too-many-requests', { retryAfterSeconds: 1 })
      inside.set(userId, others + 1)
      let gone = false
      return () => {
        if (gone) return
        gone = true
        const left = (inside.get(userId) ?? 1) - 1
        if (left === 0) inside.delete(userId)
        else inside.set(userId, left)
      }
    },
  }
}

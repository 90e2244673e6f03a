import { fail } from '../../shared/errors.ts'

/** Lets each guest in so many times at once (invariant I12, R9). */
export interface Turnstile {
  /** Fails with `too-many-requests`. @returns lets the next one in; only the first call counts */
  enter(guest: string): () => void
}

export function createTurnstile(places: number, { retryAfterSeconds }: { retryAfterSeconds: number }): Turnstile {
  const inside = new Map<string, number>()
  return {
    enter(guest) {
      const others = inside.get(guest) ?? 0
      if (others >= places) fail('too-many-requests', { retryAfterSeconds })
      inside.set(guest, others + 1)
      let gone = false
      return () => {
        if (gone) return
        gone = true
        const left = (inside.get(guest) ?? 1) - 1
        if (left === 0) inside.delete(guest)
        else inside.set(guest, left)
      }
    },
  }
}

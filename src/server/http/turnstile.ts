import { fail } from '../../shared/errors.ts'

/** Lets each guest in so many times at once (invariant I12, R9). */
export interface Turnstile {
  /** Fails with `too-many-requests`. @returns lets the next one in; only the first call counts */
  enter(guest: string): () => void
}

export interface TurnstileOptions {
  readonly retryAfterSeconds: number
  /** Places of all guests together; no limit when not said. */
  readonly inAll?: number
}

export function createTurnstile(places: number, { retryAfterSeconds, inAll = Infinity }: TurnstileOptions): Turnstile {
  const inside = new Map<string, number>()
  let all = 0
  return {
    enter(guest) {
      const others = inside.get(guest) ?? 0
      if (others >= places || all >= inAll) fail('too-many-requests', { retryAfterSeconds })
      inside.set(guest, others + 1)
      all++
      let gone = false
      return () => {
        if (gone) return
        gone = true
        all--
        const left = (inside.get(guest) ?? 1) - 1
        if (left === 0) inside.delete(guest)
        else inside.set(guest, left)
      }
    },
  }
}

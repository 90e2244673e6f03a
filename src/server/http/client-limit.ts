import { fail } from '../../shared/errors.ts'

/** Lets each guest in so many times at once (invariant I12, R9). */
export interface ClientLimit {
  /** Fails with `too-many-requests`. @returns lets the next one in; only the first call counts */
  enter(clientKey: string): () => void
}

export interface ClientLimitOptions {
  readonly retryAfterSeconds: number
  /** Places of all guests together; no limit when not said. */
  readonly total?: number
}

export function createClientLimit(each: number, { retryAfterSeconds, total = Infinity }: ClientLimitOptions): ClientLimit {
  const active = new Map<string, number>()
  let all = 0
  return {
    enter(clientKey) {
      const own = active.get(clientKey) ?? 0
      if (own >= each || all >= total) fail('too-many-requests', { retryAfterSeconds })
      active.set(clientKey, own + 1)
      all++
      let released = false
      return () => {
        if (released) return
        released = true
        all--
        const left = (active.get(clientKey) ?? 1) - 1
        if (left === 0) active.delete(clientKey)
        else active.set(clientKey, left)
      }
    },
  }
}

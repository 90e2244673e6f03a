import { fail } from '../../shared/errors.ts'

/** Limits the concurrent calls of each client (invariant I12, R9). */
export interface ClientLimit {
  /** Fails with `too-many-requests`. @returns a function that releases the slot; only its first call counts */
  enter(clientKey: string): () => void
}

export interface ClientLimitOptions {
  readonly retryAfterSeconds: number
  /** Slots of all clients together; unlimited by default. */
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

/** Work that several callers request at the same time is done once, and aborted when the last of them has left. A caller without a signal never leaves. */
export type SingleFlight<T> = (key: string, work: (signal: AbortSignal) => Promise<T>, options?: { signal?: AbortSignal }) => Promise<T>

export function createSingleFlight<T>(): SingleFlight<T> {
  const going = new Map<string, { result: Promise<T>; abort: AbortController; asking: number }>()

  return async (key, work, { signal } = {}) => {
    signal?.throwIfAborted()
    let one = going.get(key)
    if (one === undefined) {
      const abort = new AbortController()
      const result = work(abort.signal).finally(() => {
        if (going.get(key)?.abort === abort) going.delete(key)
      })
      one = { result, abort, asking: 0 }
      going.set(key, one)
    }
    const { result, abort } = one
    const shared = one
    shared.asking++
    if (signal === undefined) return result
    const gone = Promise.withResolvers<never>()
    const leave = (): void => {
      shared.asking--
      // A new caller must not get the failure of aborted work.
      if (shared.asking === 0 && going.get(key) === shared) going.delete(key)
      if (shared.asking === 0) abort.abort(signal.reason)
      gone.reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([result, gone.promise])
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }
}

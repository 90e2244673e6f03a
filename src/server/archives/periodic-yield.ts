/** A file that was closed keeps its descriptor until the thread has been free once: many in a row would use them all up. */
const MOST_IN_A_ROW = 32

/** A step to await after each file that was opened without being read. Fails when `signal` says so. */
export function periodicYield(signal?: AbortSignal): () => Promise<void> {
  let files = 0
  return async () => {
    signal?.throwIfAborted()
    if (++files % MOST_IN_A_ROW === 0) await new Promise<void>((resolve) => void setImmediate(resolve))
  }
}

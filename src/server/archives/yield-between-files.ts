/** A closed file keeps its descriptor until the event loop runs; many in a row would exhaust the descriptors. */
const MOST_IN_A_ROW = 32

/** A function to await after each file that was opened without being read. Fails when `signal` is aborted. */
export function yieldBetweenFiles(signal?: AbortSignal): () => Promise<void> {
  let files = 0
  return async () => {
    signal?.throwIfAborted()
    if (++files % MOST_IN_A_ROW === 0) await new Promise<void>((resolve) => void setImmediate(resolve))
  }
}

/** How long one request may keep the thread before others have their turn. */
const TURN_MS = 8

/** A step to await in long loops: it lets other requests in when this one has had its turn. Fails when `signal` says so. */
export function inTurns(signal?: AbortSignal): () => Promise<void> {
  let since = performance.now()
  return async () => {
    signal?.throwIfAborted()
    if (performance.now() - since < TURN_MS) return
    await new Promise<void>((resolve) => void setImmediate(resolve))
    signal?.throwIfAborted()
    since = performance.now()
  }
}

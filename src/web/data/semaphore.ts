/** Limits concurrency; waiting callers run in FIFO order. */
export function createSemaphore(atOnce: number) {
  const waiting = new Set<() => void>()
  let going = 0

  function next(): void {
    for (const start of waiting) {
      if (going >= atOnce) return
      waiting.delete(start)
      going++
      start()
    }
  }

  return {
    /** @returns releases the slot or leaves the queue; idempotent */
    acquire(start: () => void): () => void {
      let ended = false
      waiting.add(start)
      next()
      return () => {
        if (ended) return
        ended = true
        if (!waiting.delete(start)) going--
        // Many release together when a listing scrolls; wait so that none of them starts in between.
        queueMicrotask(next)
      }
    },
  }
}

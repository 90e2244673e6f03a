/** Lets a few load at the same time, the others in the order in which they asked. */
export interface Semaphore {
  /** @returns gives the turn to the next, or leaves the queue; the second time it does nothing */
  acquire(start: () => void): () => void
}

export function createSemaphore(atOnce: number): Semaphore {
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
    acquire(start) {
      let ended = false
      waiting.add(start)
      next()
      return () => {
        if (ended) return
        ended = true
        if (!waiting.delete(start)) going--
        // Many leave together when a listing is scrolled: none of them shall begin because another left first.
        queueMicrotask(next)
      }
    },
  }
}

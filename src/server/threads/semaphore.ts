/** Limits concurrency; waiting callers are served in order. */
export interface Semaphore {
  /** @returns releases the slot when disposed. Fails if `signal` is aborted by then */
  acquire(signal?: AbortSignal): Promise<Disposable>
}

/** @param most concurrent holders */
export function createSemaphore(most: number): Semaphore {
  const waiting: (() => void)[] = []
  let taken = 0

  function next(): void {
    const first = waiting.shift()
    if (first === undefined) taken--
    else first()
  }

  return {
    async acquire(signal) {
      if (taken < most) taken++
      else await new Promise<void>((resolve) => waiting.push(resolve))
      if (signal?.aborted) {
        next()
        signal.throwIfAborted()
      }
      let isOver = false
      return {
        [Symbol.dispose]() {
          if (!isOver) next()
          isOver = true
        },
      }
    },
  }
}

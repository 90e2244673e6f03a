/** Lets a few in at once; the others wait, first come first served. */
export interface Semaphore {
  /** @returns a function that ends the turn. A client whose `signal` is aborted by then gets none */
  acquire(signal?: AbortSignal): Promise<Disposable>
}

/** @param most how many at once */
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

/** Runs tasks, a few at once, the rest in order. A task whose signal is aborted while it waits never starts. */
export type Queue = <T>(work: () => Promise<T>, options?: { signal?: AbortSignal }) => Promise<T>

export function createQueue(atOnce: number): Queue {
  const waiting = new Set<() => void>()
  let working = 0

  async function turn(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (working < atOnce) {
      working++
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (): void => {
      waiting.delete(resolve)
      reject(signal?.reason)
    }
    waiting.add(resolve)
    signal?.addEventListener('abort', leave, { once: true })
    await promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  /** The slot passes to the next task directly. */
  function next(): void {
    const [first] = waiting
    if (first === undefined) {
      working--
      return
    }
    waiting.delete(first)
    first()
  }

  return async (work, { signal } = {}) => {
    await turn(signal)
    try {
      return await work()
    } finally {
      next()
    }
  }
}

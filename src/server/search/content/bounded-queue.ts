/** A bounded queue between producers and consumers. All waits fail when the signal is aborted, with its reason. */
export interface BoundedQueue<T> {
  /** Waits while there is no room. */
  put(item: T): Promise<void>
  /** At least one item as soon as there is one, up to `most`; empty at the end. */
  take(most: number): Promise<readonly T[]>
  /** No more items follow. */
  close(): void
}

export function createBoundedQueue<T>(signal: AbortSignal, { room }: { room: number }): BoundedQueue<T> {
  const items: T[] = []
  let isClosed = false
  let change = Promise.withResolvers<void>()
  const notify = (): void => {
    change.resolve()
    change = Promise.withResolvers()
  }
  signal.addEventListener('abort', notify, { once: true })

  /** Checks and acts in one step: another waiter may have been faster. */
  async function until<R>(attempt: () => R | null): Promise<R> {
    for (;;) {
      signal.throwIfAborted()
      const result = attempt()
      if (result !== null) {
        notify()
        return result
      }
      await change.promise
    }
  }

  return {
    put: (item) => until(() => (items.length < room ? void items.push(item) : null)),
    take: (most) => until(() => (items.length > 0 || isClosed ? items.splice(0, most) : null)),
    close() {
      isClosed = true
      notify()
    },
  }
}

/** Things that some make and others use, in their order. All waiting ends when the signal says so, with its failure. */
export interface BoundedQueue<T> {
  /** Waits while there is no room. */
  put(item: T): Promise<void>
  /** At least one as soon as there is one, at most so many; none at the end. */
  take(most: number): Promise<readonly T[]>
  /** Nothing more is put in. */
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

  /** Asks and acts in one step: of several that wait, another may have been quicker. */
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

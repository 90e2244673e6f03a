/** Things that some make and others use, in their order. All waiting ends when the signal says so, with its failure. */
export interface Stock<T> {
  /** Waits while there is no room. */
  put(thing: T): Promise<void>
  /** At least one as soon as there is one, at most so many; none at the end. */
  take(most: number): Promise<readonly T[]>
  /** Nothing more is put in. */
  close(): void
}

export function createStock<T>(signal: AbortSignal, { room }: { room: number }): Stock<T> {
  const things: T[] = []
  let isClosed = false
  let news = Promise.withResolvers<void>()
  const tell = (): void => {
    news.resolve()
    news = Promise.withResolvers()
  }
  signal.addEventListener('abort', tell, { once: true })

  /** Asks and acts in one step: of several that wait, another may have been quicker. */
  async function until<R>(attempt: () => R | null): Promise<R> {
    for (;;) {
      signal.throwIfAborted()
      const result = attempt()
      if (result !== null) {
        tell()
        return result
      }
      await news.promise
    }
  }

  return {
    put: (thing) => until(() => (things.length < room ? void things.push(thing) : null)),
    take: (most) => until(() => (things.length > 0 || isClosed ? things.splice(0, most) : null)),
    close() {
      isClosed = true
      tell()
    },
  }
}

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

  async function until(holds: () => boolean): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      if (holds()) return
      await news.promise
    }
  }

  return {
    async put(thing) {
      await until(() => things.length < room)
      things.push(thing)
      tell()
    },
    async take(most) {
      await until(() => things.length > 0 || isClosed)
      const taken = things.splice(0, most)
      tell()
      return taken
    },
    close() {
      isClosed = true
      tell()
    },
  }
}

/** One after another, in the order of asking. */
export interface Mutex {
  /** @returns a function that lets the next one in */
  lock(): Promise<() => void>
}

export function createMutex(): Mutex {
  let last: Promise<void> = Promise.resolve()
  return {
    async lock() {
      const before = last
      const { promise, resolve } = Promise.withResolvers<void>()
      last = promise
      await before
      return resolve
    },
  }
}

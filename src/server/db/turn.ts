/** One after another, in the order of asking. */
export interface Turn {
  /** @returns a function that lets the next one in */
  enter(): Promise<() => void>
}

export function createTurn(): Turn {
  let last: Promise<void> = Promise.resolve()
  return {
    async enter() {
      const before = last
      const { promise, resolve } = Promise.withResolvers<void>()
      last = promise
      await before
      return resolve
    },
  }
}

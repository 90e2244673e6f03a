/** Steps through the browser's history that we take ourselves. They take effect later, with a `popstate` event. */
export interface Travel {
  /** Goes a number of entries; `then` runs on arrival. Only while nothing is moving. */
  go(distance: number, then: () => void): void
  /** Call on every `popstate`. @returns whether it was the arrival of a step of ours */
  arrive(): boolean
  /** Runs an action now, or as soon as nothing is moving. */
  whenStill(action: () => void): void
}

/** A step to an entry that does not exist has no event. */
const LOST_AFTER_MS = 2000

export function createTravel(history: Pick<globalThis.History, 'go'>): Travel {
  let onArrival: (() => void) | null = null
  let lost: ReturnType<typeof setTimeout> | undefined
  const waiting: (() => void)[] = []

  function stop(then: () => void): void {
    clearTimeout(lost)
    onArrival = null
    then()
    runWaiting()
  }

  function runWaiting(): void {
    if (onArrival !== null) return
    const next = waiting.shift()
    if (next === undefined) return
    next()
    runWaiting()
  }

  return {
    go(distance, then) {
      if (distance === 0) return then()
      onArrival = then
      lost = setTimeout(() => stop(() => undefined), LOST_AFTER_MS)
      history.go(distance)
    },
    arrive() {
      if (onArrival === null) return false
      stop(onArrival)
      return true
    },
    whenStill(action) {
      if (onArrival === null) action()
      else waiting.push(action)
    },
  }
}

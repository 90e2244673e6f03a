/** Requests started per iteration of the event loop. */
const EACH_ROUND = 8

/**
 * Starts requests a few at a time. A request needs an iteration of the event loop for each thing it waits for (disk, thread, program), and an
 * iteration is as long as all requests in it: among a thousand concurrent requests, each would wait for all others again and again. So only a few are
 * started per iteration; the others wait, and clients take turns.
 */
export interface Admission {
  /** @returns null if it may start at once, or a promise that resolves when it is this client's turn */
  enter(clientKey: string): Promise<void> | null
}

export function createAdmission({ eachRound = EACH_ROUND }: { eachRound?: number } = {}): Admission {
  /** The client that was admitted last is at the end. */
  const queues = new Map<string, (() => void)[]>()
  let begun = 0
  let isPlanned = false

  function planRound(): void {
    if (isPlanned) return
    isPlanned = true
    setImmediate(() => {
      isPlanned = false
      begun = 0
      while (begun < eachRound && letNextIn()) begun++
      if (begun > 0) planRound()
    })
  }

  function letNextIn(): boolean {
    for (const [clientKey, queue] of queues) {
      const next = queue.shift()
      queues.delete(clientKey)
      if (queue.length > 0) queues.set(clientKey, queue)
      next?.()
      return true
    }
    return false
  }

  return {
    enter(clientKey) {
      planRound()
      if (begun < eachRound && queues.size === 0) {
        begun++
        return null
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      const queue = queues.get(clientKey)
      if (queue === undefined) queues.set(clientKey, [resolve])
      else queue.push(resolve)
      return promise
    },
  }
}

/** Requests that are begun in one round of the event loop. */
const EACH_ROUND = 8

/**
 * Lets requests in, in rounds of the event loop. What has begun needs a round for each thing it waits for (a disk, a thread, a program), and a
 * round is as long as all that is begun in it: under a thousand requests at once each of them would wait for all others, again and again. So only
 * a few are begun in a round, and the others wait in front of the door, where guests take turns.
 */
export interface Admission {
  /** @returns null where it may begin at once, or what resolves when it is this guest's turn */
  enter(clientKey: string): Promise<void> | null
}

export function createAdmission({ eachRound = EACH_ROUND }: { eachRound?: number } = {}): Admission {
  /** Whoever was let in last comes last. */
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

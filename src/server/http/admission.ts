import { createSemaphore, type Release } from '../../shared/semaphore.ts'

/** Requests started per iteration of the event loop. */
const EACH_ROUND = 8

/**
 * Starts requests a few at a time. A request needs an iteration of the event loop for each thing it waits for (disk, thread, program), and an
 * iteration is as long as all requests in it: among a thousand concurrent requests, each would wait for all others again and again. So only a few are
 * started per iteration; the others wait, and clients take turns.
 */
export interface Admission {
  /** Does it at once, or when it is this client's turn. What needs no wait is over by then, and counts no more. */
  run<T>(clientKey: () => string, work: (turn: { readonly hasWaited: boolean }) => T | Promise<T>): T | Promise<T>
}

export function createAdmission({ eachRound = EACH_ROUND }: { eachRound?: number } = {}): Admission {
  const slots = createSemaphore({ slots: eachRound })
  let begun: Release[] = []

  /** A slot is taken until the round is over. */
  function take(release: Release): void {
    if (begun.push(release) === 1) setImmediate(endRound)
  }

  function endRound(): void {
    const ended = begun
    begun = []
    for (const release of ended) release()
  }

  async function later<T>(clientKey: string, work: () => T | Promise<T>): Promise<T> {
    take(await slots.acquire(clientKey))
    return work()
  }

  return {
    run(clientKey, work) {
      if (slots.load().running >= eachRound) return later(clientKey(), () => work({ hasWaited: true }))
      const result = work({ hasWaited: false })
      const release = result instanceof Promise ? slots.tryAcquire(clientKey()) : null
      if (release !== null) take(release)
      return result
    },
  }
}

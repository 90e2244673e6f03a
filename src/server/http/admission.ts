import { createSemaphore, type Release } from '../../shared/semaphore.ts'

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
  const slots = createSemaphore({ slots: eachRound })
  let begun: Release[] = []

  /** A slot is taken until the round is over. */
  function begin(release: Release): void {
    if (begun.push(release) === 1) setImmediate(endRound)
  }

  function endRound(): void {
    const ended = begun
    begun = []
    for (const release of ended) release()
  }

  return {
    enter(clientKey) {
      const release = slots.tryAcquire(clientKey)
      if (release === null) return slots.acquire(clientKey).then(begin)
      begin(release)
      return null
    },
  }
}

import { createSemaphore, type Release } from '../../shared/semaphore.ts'

/** Requests that are begun in one round of the event loop. */
const EACH_ROUND = 8

/**
 * Lets requests in, in rounds of the event loop. What has begun needs a round for each thing it waits for (a disk, a thread, a program), and a
 * round is as long as all that is begun in it: under a thousand requests at once each of them would wait for all others, again and again. So only
 * a few are begun in a round, and clients take turns.
 */
export interface Admission {
  /** @returns null where it may begin at once, or what resolves when it is the client's turn */
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

import { fail } from '../../shared/errors.ts'

export interface Semaphore {
  /** Waits for a free slot and runs `task` in it. Fails with `too-many-requests` when the queue is full. */
  run<T>(task: () => Promise<T>): Promise<T>
  /** How much there is to do. */
  load(): { readonly running: number; readonly waiting: number }
}

/** At most `slots` tasks at once and `queue` waiting: work that costs memory and time cannot be piled up (invariant I12). */
export function createSemaphore({ slots, queue }: { slots: number; queue: number }): Semaphore {
  const waiting: (() => void)[] = []
  let free = slots

  return {
    load: () => ({ running: slots - free, waiting: waiting.length }),
    async run(task) {
      if (free > 0) free -= 1
      else {
        if (waiting.length >= queue) fail('too-many-requests', { retryAfterSeconds: 1 })
        // The slot is handed over by the task before, it never becomes free in between.
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      try {
        return await task()
      } finally {
        const next = waiting.shift()
        if (next === undefined) free += 1
        else next()
      }
    },
  }
}

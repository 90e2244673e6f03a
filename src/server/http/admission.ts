/** Requests that are begun in one round of the event loop. */
const EACH_ROUND = 8

/**
 * Lets requests in, in rounds of the event loop. What has begun needs a round for each thing it waits for (a disk, a thread, a program), and a
 * round is as long as all that is begun in it: under a thousand requests at once each of them would wait for all others, again and again. So only
 * a few are begun in a round, and the others wait in front of the door, where guests take turns.
 */
export interface Admission {
  /** @returns null where it may begin at once, or what resolves when it is this guest's turn */
  enter(guest: string): Promise<void> | null
}

export function createAdmission({ eachRound = EACH_ROUND }: { eachRound?: number } = {}): Admission {
  /** Whoever was let in last comes last. */
  const lines = new Map<string, (() => void)[]>()
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
    for (const [guest, line] of lines) {
      const next = line.shift()
      lines.delete(guest)
      if (line.length > 0) lines.set(guest, line)
      next?.()
      return true
    }
    return false
  }

  return {
    enter(guest) {
      planRound()
      if (begun < eachRound && lines.size === 0) {
        begun++
        return null
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      const line = lines.get(guest)
      if (line === undefined) lines.set(guest, [resolve])
      else line.push(resolve)
      return promise
    },
  }
}

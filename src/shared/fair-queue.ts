import { AppError, fail } from './errors.ts'

export interface FairLimits {
  /** Pieces of work at once. */
  readonly atOnce: number
  /** Of one guest; all places when not said. */
  readonly each?: number
  /** How many may wait, shared evenly among the guests who are here; as many as come when not said. */
  readonly waiting?: number
}

export interface Waiting {
  readonly signal?: AbortSignal
  /** Whose turn has not come by then is sent away; waits for as long as it takes when not said. */
  readonly mostMs?: number
}

/**
 * Runs work of several guests, a few pieces at once; those who wait take turns, so that nobody waits for all that another has asked for. A piece
 * whose signal aborts while it waits is gone at once and never starts. Fails with `too-many-requests` for what does not fit into the line, or
 * waited too long in it.
 */
export type FairQueue = <T>(guest: string, work: () => Promise<T>, waiting?: Waiting) => Promise<T>

const RETRY_AFTER_SECONDS = 2

interface Guest {
  running: number
  readonly line: Set<() => void>
}

export function createFairQueue({ atOnce, each = atOnce, waiting: room = Infinity }: FairLimits): FairQueue {
  /** All who are here; the one whose turn was longest ago first. */
  const guests = new Map<string, Guest>()
  let running = 0

  function begin(name: string, guest: Guest): void {
    running++
    guest.running++
    guests.delete(name)
    guests.set(name, guest)
  }

  function forgetIfGone(name: string, guest: Guest): void {
    if (guest.running === 0 && guest.line.size === 0) guests.delete(name)
  }

  async function turn(name: string, { signal, mostMs }: Waiting): Promise<Guest> {
    signal?.throwIfAborted()
    const guest = guests.get(name) ?? { running: 0, line: new Set() }
    guests.set(name, guest)
    if (running < atOnce && guest.running < each) begin(name, guest)
    else if (guest.line.size >= Math.max(1, Math.floor(room / guests.size)))
      fail('too-many-requests', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    else await standInLine(name, guest, { signal, mostMs })
    return guest
  }

  async function standInLine(name: string, guest: Guest, { signal, mostMs }: Waiting): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (why: unknown): void => {
      guest.line.delete(resolve)
      forgetIfGone(name, guest)
      reject(why)
    }
    const onAbort = (): void => leave(signal?.reason)
    guest.line.add(resolve)
    signal?.addEventListener('abort', onAbort, { once: true })
    const late = () => leave(new AppError('too-many-requests', { retryAfterSeconds: RETRY_AFTER_SECONDS }))
    const timer = mostMs === undefined ? undefined : setTimeout(late, mostMs)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** One place is free: it goes to the first in turn who waits and may have it. */
  function next(): void {
    for (const [name, guest] of guests) {
      const [first] = guest.line
      if (first === undefined || guest.running >= each) continue
      guest.line.delete(first)
      begin(name, guest)
      first()
      return
    }
  }

  return async (name, work, waiting = {}) => {
    const guest = await turn(name, waiting)
    try {
      return await work()
    } finally {
      running--
      guest.running--
      next()
      forgetIfGone(name, guest)
    }
  }
}

import { AppError, fail } from './errors.ts'

export interface FairLimits {
  /** Pieces of work at once. */
  readonly atOnce: number
  /** Of one guest; all places when not said. */
  readonly each?: number
  /** How many may wait, shared evenly among the guests who are here; as many as come when not said. */
  readonly waiting?: number
}

export interface WaitOptions {
  readonly signal?: AbortSignal
  /** Whose turn has not come by then is sent away; waits for as long as it takes when not said. */
  readonly maxWaitMs?: number
}

/**
 * Runs work of several guests, a few pieces at once; those who wait take turns, so that nobody waits for all that another has asked for. A piece
 * whose signal aborts while it waits is gone at once and never starts. Fails with `too-many-requests` for what does not fit into the line, or
 * waited too long in it.
 */
export type FairQueue = <T>(client: string, work: () => Promise<T>, waiting?: WaitOptions) => Promise<T>

const RETRY_AFTER_SECONDS = 2

interface Client {
  running: number
  readonly queue: Set<() => void>
}

export function createFairQueue({ atOnce, each = atOnce, waiting: room = Infinity }: FairLimits): FairQueue {
  /** All who are here; the one whose turn was longest ago first. */
  const clients = new Map<string, Client>()
  let running = 0

  function begin(name: string, client: Client): void {
    running++
    client.running++
    clients.delete(name)
    clients.set(name, client)
  }

  function forgetIfGone(name: string, client: Client): void {
    if (client.running === 0 && client.queue.size === 0) clients.delete(name)
  }

  async function turn(name: string, { signal, maxWaitMs }: WaitOptions): Promise<Client> {
    signal?.throwIfAborted()
    const client = clients.get(name) ?? { running: 0, queue: new Set() }
    clients.set(name, client)
    if (running < atOnce && client.running < each) begin(name, client)
    else if (client.queue.size >= Math.max(1, Math.floor(room / clients.size)))
      fail('too-many-requests', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    else await wait(name, client, { signal, maxWaitMs })
    return client
  }

  async function wait(name: string, client: Client, { signal, maxWaitMs }: WaitOptions): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (why: unknown): void => {
      client.queue.delete(resolve)
      forgetIfGone(name, client)
      reject(why)
    }
    const onAbort = (): void => leave(signal?.reason)
    client.queue.add(resolve)
    signal?.addEventListener('abort', onAbort, { once: true })
    const late = () => leave(new AppError('too-many-requests', { retryAfterSeconds: RETRY_AFTER_SECONDS }))
    const timer = maxWaitMs === undefined ? undefined : setTimeout(late, maxWaitMs)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** One place is free: it goes to the first in turn who waits and may have it. */
  function next(): void {
    for (const [name, client] of clients) {
      const [first] = client.queue
      if (first === undefined || client.running >= each) continue
      client.queue.delete(first)
      begin(name, client)
      first()
      return
    }
  }

  return async (name, work, waiting = {}) => {
    const client = await turn(name, waiting)
    try {
      return await work()
    } finally {
      running--
      client.running--
      next()
      forgetIfGone(name, client)
    }
  }
}

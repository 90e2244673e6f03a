import { AppError, fail } from './errors.ts'

/** Releases a slot; only the first call counts. */
export type Release = () => void

export interface WaitOptions {
  /** Aborts the wait with its reason. */
  readonly signal?: AbortSignal
  /** Fails with `too-many-requests` after this time; unlimited if absent. */
  readonly maxWaitMs?: number
}

/** Slots that clients acquire and release. An `Order` decides which waiting client is next. */
export interface Semaphore<Client = string> {
  /** Waits for a slot. Fails with `too-many-requests` if too many are waiting. */
  acquire(client: Client, options?: WaitOptions): Promise<Release>
  /** A slot without waiting, or null. */
  tryAcquire(client: Client): Release | null
  /** A slot without waiting. Fails with `too-many-requests` if none is free. */
  acquireNow(client: Client): Release
  /** Runs work in a slot, unless the signal is aborted before. */
  run<T>(client: Client, work: () => Promise<T>, options?: WaitOptions): Promise<T>
  load(): { readonly running: number; readonly waiting: number }
}

export interface Waiter<Client> {
  readonly client: Client
  refuse(): void
}

/** Decides which request gets a slot. */
export interface Order<Client> {
  hasSlot(client: Client): boolean
  started(client: Client): void
  ended(client: Client): void
  /** Adds a waiting request, possibly refusing others. False if there is no space. */
  add(waiter: Waiter<Client>): boolean
  remove(waiter: Waiter<Client>): void
  /** Removes the request that may start now; null if none may. */
  next(): Waiter<Client> | null
}

export function createOrderedSemaphore<Client>(
  order: Order<Client>,
  { retryAfterSeconds }: { retryAfterSeconds: number },
): Semaphore<Client> {
  const waiting = new Map<Waiter<Client>, () => void>()
  let running = 0
  const refusal = () => new AppError('too-many-requests', { retryAfterSeconds })

  function start(client: Client): Release {
    running++
    order.started(client)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      running--
      order.ended(client)
      // A slot is passed to the next request without being free in between.
      for (let next = order.next(); next !== null; next = order.next()) waiting.get(next)?.()
    }
  }

  function tryAcquire(client: Client): Release | null {
    return order.hasSlot(client) ? start(client) : null
  }

  async function wait(client: Client, { signal, maxWaitMs }: WaitOptions): Promise<Release> {
    const { promise, resolve, reject } = Promise.withResolvers<Release>()
    const waiter: Waiter<Client> = { client, refuse: () => leave(refusal()) }
    const leave = (reason: unknown): void => {
      waiting.delete(waiter)
      order.remove(waiter)
      reject(reason)
    }
    if (!order.add(waiter)) throw refusal()
    waiting.set(waiter, () => {
      waiting.delete(waiter)
      resolve(start(client))
    })
    const onAbort = (): void => leave(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    const timer = maxWaitMs === undefined ? undefined : setTimeout(() => leave(refusal()), maxWaitMs)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  async function acquire(client: Client, options: WaitOptions = {}): Promise<Release> {
    options.signal?.throwIfAborted()
    const release = tryAcquire(client) ?? (await wait(client, options))
    if (options.signal?.aborted) release()
    options.signal?.throwIfAborted()
    return release
  }

  return {
    acquire,
    tryAcquire,
    acquireNow: (client) => tryAcquire(client) ?? fail('too-many-requests', { retryAfterSeconds }),
    async run(client, work, options = {}) {
      options.signal?.throwIfAborted()
      const release = tryAcquire(client) ?? (await acquire(client, options))
      try {
        return await work()
      } finally {
        release()
      }
    },
    load: () => ({ running, waiting: waiting.size }),
  }
}

/** The client of a semaphore whose users are served in the order of their requests. */
export const EVERYBODY = ''

export interface SemaphoreLimits {
  /** In total. */
  readonly slots: number
  readonly each?: number
  /** Maximum number of waiting requests, divided evenly among the current clients; unlimited if absent. */
  readonly waiting?: number
  /** Sent to refused clients. */
  readonly retryAfterSeconds?: number
}

/** Alternates between clients, so that none waits for all earlier requests of another. Each client's own requests are served in order. */
export function createSemaphore({ retryAfterSeconds = 2, ...limits }: SemaphoreLimits): Semaphore {
  return createOrderedSemaphore(fairOrder(limits), { retryAfterSeconds })
}

interface Served {
  running: number
  readonly waiting: Set<Waiter<string>>
}

function fairOrder({ slots, each = slots, waiting: room = Infinity }: Omit<SemaphoreLimits, 'retryAfterSeconds'>): Order<string> {
  /** All current clients; the one served longest ago first. */
  const clients = new Map<string, Served>()
  let running = 0

  function entry(name: string): Served {
    const client = clients.get(name) ?? { running: 0, waiting: new Set() }
    clients.set(name, client)
    return client
  }

  function forgetIfGone(name: string, { running: started, waiting }: Served): void {
    if (started === 0 && waiting.size === 0) clients.delete(name)
  }

  return {
    hasSlot: (name) => running < slots && (clients.get(name)?.running ?? 0) < each,
    started(name) {
      const client = entry(name)
      running++
      client.running++
      clients.delete(name)
      clients.set(name, client)
    },
    ended(name) {
      const client = entry(name)
      running--
      client.running--
      forgetIfGone(name, client)
    },
    add(waiter) {
      const client = entry(waiter.client)
      const hasRoom = client.waiting.size < Math.max(1, Math.floor(room / clients.size))
      if (hasRoom) client.waiting.add(waiter)
      return hasRoom
    },
    remove(waiter) {
      const client = entry(waiter.client)
      client.waiting.delete(waiter)
      forgetIfGone(waiter.client, client)
    },
    next() {
      if (running >= slots) return null
      for (const client of clients.values()) {
        const [first] = client.waiting
        if (first === undefined || client.running >= each) continue
        client.waiting.delete(first)
        return first
      }
      return null
    },
  }
}

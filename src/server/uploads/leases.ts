import { randomUUID } from 'node:crypto'
import { AppError, fail } from '../../shared/errors.ts'
import type { UploadStore } from './store.ts'

export interface LeaseLimits {
  /** How long a lease lasts when its holder's machine dies, and clients must wait before they go on. */
  readonly leaseMs: number
  /** A holder that has taken in no byte for this long is stopped. */
  readonly stallMs: number
  /** A holder that has been silent for this long gives way to somebody who comes with bytes: its line is probably gone. */
  readonly silentMs: number
}

export const LEASE_LIMITS: LeaseLimits = { leaseMs: 6_000, stallMs: 60_000, silentMs: 3_000 }

/** What the holder of a lease works with. */
export interface Held {
  /** Aborted when the holder must stop: stalled, asked to give way, or its lease lost to another machine. */
  readonly signal: AbortSignal
  /** Passes bytes on, notes that they came, and ends with an error when the holder must stop. */
  watch(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>
  /** Fails with `busy` unless the lease is still ours; the last thing before a step that cannot be taken back. */
  confirm(): Promise<void>
}

export interface Leases {
  /**
   * Runs `work` as the only one who touches this upload, on all machines; fails with `busy` when another does.
   * @param options.evict whose work on this machine is stopped for ours: the `silent` holder's only, or `any`
   */
  hold<T>(id: string, options: { evict: 'silent' | 'any' }, work: (held: Held) => Promise<T>): Promise<T>
}

interface Holder {
  lastByteAt: number
  readonly stop: AbortController
  readonly done: Promise<void>
}

export function createLeases(deps: { store: UploadStore; clock: () => Date; limits?: LeaseLimits }): Leases {
  const { store, clock, limits = LEASE_LIMITS } = deps
  const holders = new Map<string, Holder>()
  const now = (): number => clock().getTime()

  async function acquire(id: string, name: string): Promise<boolean> {
    return store.lease(id, name, { now: now(), until: now() + limits.leaseMs })
  }

  /** Gets the lease, and this machine's former holder out of the way: a silent one, or one whose lease ran out unnoticed. */
  async function enter(id: string, name: string, whom: 'silent' | 'any'): Promise<boolean> {
    const won = await acquire(id, name)
    const former = holders.get(id)
    if (former === undefined) return won
    if (!won && whom === 'silent' && now() - former.lastByteAt < limits.silentMs) return false
    former.stop.abort(new AppError('busy', {}))
    await former.done
    return acquire(id, name)
  }

  return {
    async hold(id, options, work) {
      const name = randomUUID()
      if (!(await enter(id, name, options.evict))) fail('busy', {})
      const { promise: done, resolve } = Promise.withResolvers<void>()
      const holder: Holder = { lastByteAt: now(), stop: new AbortController(), done }
      holders.set(id, holder)
      const confirm = async (): Promise<void> => {
        if (holder.stop.signal.aborted || !(await acquire(id, name))) fail('busy', {})
      }
      const stopIfLost = (): void => void confirm().catch((cause: unknown) => holder.stop.abort(cause))
      const renewal = setInterval(stopIfLost, limits.leaseMs / 3)
      const stall = setInterval(() => {
        if (now() - holder.lastByteAt >= limits.stallMs) holder.stop.abort(new AppError('busy', {}))
      }, limits.stallMs / 10)
      try {
        return await work({ signal: holder.stop.signal, confirm, watch: (body) => watched(body, holder, now) })
      } finally {
        clearInterval(renewal)
        clearInterval(stall)
        holders.delete(id)
        await store.release(id, name).finally(resolve)
      }
    },
  }
}

function watched(body: ReadableStream<Uint8Array>, holder: Holder, now: () => number): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const { signal } = holder.stop
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const stop = (): void => {
        controller.error(signal.reason)
        void reader.cancel(signal.reason).catch(() => undefined)
      }
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    },
    async pull(controller) {
      const { done, value } = await reader.read().catch(
        // A line that drops is no fault of ours.
        (cause: unknown) => fail('offline', {}, { cause }),
      )
      holder.lastByteAt = now()
      if (signal.aborted) return
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

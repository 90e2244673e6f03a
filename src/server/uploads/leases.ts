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

export const LEASE_LIMITS: LeaseLimits = { leaseMs: 3_000, stallMs: 60_000, silentMs: 3_000 }

/** What the holder of a lease works with. */
export interface Held {
  /** Aborted when the holder must stop: stalled, asked to give way, or its lease lost to another machine. */
  readonly signal: AbortSignal
  /** To be called whenever bytes came, before they are written. Fails with `busy` when the lease ran out unrenewed. */
  noteBytes(): void
  /** Fails with `busy` unless the lease is still ours; the last thing before a step that cannot be taken back. From then on nobody stops us, and who comes after a crash knows of the step. */
  confirm(): Promise<void>
}

export interface HoldOptions {
  /** Whose work on this machine is stopped for ours: that of a holder who is `silent` or whose client has gone, or of `any`. */
  readonly evict: 'silent' | 'any'
  /** Aborted when the client that the work is for has gone. */
  readonly client?: AbortSignal
}

export interface Leases {
  /** Runs `work` as the only one who touches this upload, on all machines; fails with `busy` at once when another does and may go on. */
  hold<T>(id: string, options: HoldOptions, work: (held: Held) => Promise<T>): Promise<T>
}

interface Holder {
  lastByteAt: number
  isFinal: boolean
  readonly client: AbortSignal | undefined
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

  function givesWay({ isFinal, client, lastByteAt }: Holder, whom: HoldOptions['evict']): boolean {
    if (isFinal) return false
    return whom === 'any' || client?.aborted === true || now() - lastByteAt >= limits.silentMs
  }

  /** Gets the lease, and this machine's former holder out of the way: a silent one, or one whose lease ran out unnoticed. */
  async function enter(id: string, name: string, whom: HoldOptions['evict']): Promise<boolean> {
    const won = await acquire(id, name)
    const former = holders.get(id)
    if (former === undefined) return won
    if (!won && !givesWay(former, whom)) return false
    former.stop.abort(new AppError('busy', {}))
    await former.done
    return acquire(id, name)
  }

  return {
    async hold(id, options, work) {
      let name: string = randomUUID()
      if (!(await enter(id, name, options.evict))) fail('busy', {})
      const { promise: done, resolve } = Promise.withResolvers<void>()
      // Of a clock that nobody can set.
      let renewedAt = performance.now()
      const holder: Holder = { lastByteAt: now(), isFinal: false, client: options.client, stop: new AbortController(), done }
      holders.set(id, holder)
      const renew = async (): Promise<void> => {
        const asked = performance.now()
        if (holder.stop.signal.aborted || !(await acquire(id, name))) fail('busy', {})
        renewedAt = asked
      }
      const confirm = async (): Promise<void> => {
        holder.isFinal = true
        await renew()
        name = (await store.place(id, name)) ?? fail('busy', {})
      }
      const noteBytes = (): void => {
        // Held up for so long that somebody else may have come in: not a byte more before the lease is known to be ours.
        if (performance.now() - renewedAt >= limits.leaseMs) fail('busy', {})
        holder.lastByteAt = now()
      }
      const stopIfLost = (): void => void renew().catch((cause: unknown) => holder.stop.abort(cause))
      const renewal = setInterval(stopIfLost, limits.leaseMs / 3)
      const stall = setInterval(() => {
        if (now() - holder.lastByteAt >= limits.stallMs) holder.stop.abort(new AppError('busy', {}))
      }, limits.stallMs / 10)
      try {
        return await work({ signal: holder.stop.signal, noteBytes, confirm })
      } finally {
        clearInterval(renewal)
        clearInterval(stall)
        holders.delete(id)
        await store.release(id, name).finally(resolve)
      }
    },
  }
}

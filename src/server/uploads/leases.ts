import { randomUUID } from 'node:crypto'
import { AppError, fail } from '../../shared/errors.ts'
import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import type { LeaseState, UploadStore } from './store.ts'

export interface LeaseLimits {
  /** How long a lease lasts after its holder's machine died, while clients wait. */
  readonly leaseMs: number
  /** A holder without a byte for this long is stopped. */
  readonly stallMs: number
  /** A holder that was silent for this long gives way to a client with bytes: its connection is probably dead. */
  readonly silentMs: number
}

export const LEASE_LIMITS: LeaseLimits = { leaseMs: 3_000, stallMs: 60_000, silentMs: 3_000 }

/** A held lease. */
export interface HeldLease {
  /** Aborted when the holder must stop: stalled, asked to give way, or its lease lost to another machine. */
  readonly signal: AbortSignal
  /** Which writer of this upload we are. Each has its own staged file, which nobody else opens. */
  readonly generation: number
  /** As of when it was leased. */
  readonly upload: LeaseState
  /** The former writer never released it, and may only be paused: its file must not be written. */
  readonly isTakenOver: boolean
  /** Call this whenever bytes arrive. */
  noteBytes(): void
  /** Call this before bytes are written. Fails with `busy` if the lease expired without renewal. */
  mayWrite(): void
  /** This much is durable; stored with the next renewal and at the end. */
  noteDurable(size: number): void
  /**
   * Fails with `busy` unless the lease is still ours; the last check before an irreversible step. From then on nobody stops us, and after a crash the
   * next holder knows of the step.
   */
  confirm(): Promise<void>
}

export interface HoldOptions {
  /** Which holders on this machine are stopped for us: one that is `silent` or whose client has gone, or `any`. */
  readonly evict: 'silent' | 'any'
  /** Aborted when the client has disconnected. */
  readonly client?: AbortSignal
}

export interface Leases {
  /** What the holder on this machine made durable, perhaps not stored yet; null if nobody here holds it. */
  durable(id: string): number | null
  /** Runs `work` with exclusive access to this upload, across machines; fails with `busy` at once if another holder may continue. */
  hold<T>(id: string, options: HoldOptions, work: (held: HeldLease) => Promise<T>): Promise<T>
}

export interface LeasesDeps {
  readonly store: UploadStore
  readonly clock: () => Date
  readonly limits?: LeaseLimits
  /** No other process uses these uploads, so a lease that expired because the clock jumped is still ours. */
  readonly isAlone?: boolean
}

interface Holder {
  lastByteAt: number
  isFinal: boolean
  durable: number | null
  readonly client: AbortSignal | undefined
  readonly stop: AbortController
  readonly done: Promise<void>
}

interface Won {
  readonly standing: LeaseState
  readonly isTakenOver: boolean
}

export function createLeases({ store, clock, limits = LEASE_LIMITS, isAlone = false }: LeasesDeps): Leases {
  const holders = new Map<string, Holder>()
  /** A request of this process may try to get a free lease only when the one before it holds its lease visibly, or has failed. */
  const entering = createKeyedMutex()
  /** Leases of others as last seen, and since when: one that does not change is not being renewed, whatever the machines' clocks say. */
  const seen = new Map<string, { lease: string; leaseUntil: number; since: number }>()
  /** Prefix of the names of all our holders. */
  const self = `${randomUUID()} `
  const now = (): number => clock().getTime()

  async function acquire(id: string, name: string): Promise<Won | null> {
    const standing = await store.leaseState(id)
    if (standing === null || standing.finished) return null
    const { lease } = standing
    const isFree = lease === null || standing.leaseUntil === 0
    const isOurs = lease?.includes(self) === true
    // One of ours that nobody holds: its end could not be stored.
    if (!isFree && isOurs && holders.has(id)) return null
    const isDead = isFree || isOurs
    if (!isDead && !hasRunOut(id, standing)) return null
    const generation = isDead ? standing.generation : standing.generation + 1
    const isWon = await store.lease(standing, { holder: name, now: now(), until: now() + limits.leaseMs, generation })
    if (!isWon) return null
    seen.delete(id)
    return { standing, isTakenOver: !isDead }
  }

  function hasRunOut(id: string, { lease, leaseUntil }: LeaseState): boolean {
    if (leaseUntil <= now()) return true
    const before = seen.get(id)
    if (before?.lease !== lease || before?.leaseUntil !== leaseUntil) {
      if (seen.size >= MOST_SEEN) seen.clear()
      seen.set(id, { lease: lease ?? '', leaseUntil, since: performance.now() })
      return false
    }
    return performance.now() - before.since >= limits.leaseMs
  }

  function givesWay({ isFinal, client, lastByteAt }: Holder, whom: HoldOptions['evict']): boolean {
    if (isFinal) return false
    return whom === 'any' || client?.aborted === true || now() - lastByteAt >= limits.silentMs
  }

  /** Gets the lease, and stops this machine's former holder if it is silent or its lease expired unnoticed. */
  async function enter(id: string, name: string, whom: HoldOptions['evict']): Promise<Won | null> {
    const former = holders.get(id)
    if (former === undefined) return acquire(id, name)
    if (!givesWay(former, whom) && !(await isLost(id))) return null
    former.stop.abort(new AppError('busy', {}))
    await former.done
    return acquire(id, name)
  }

  /** Whether somebody else has, or could have, the lease that our holder believes to have. */
  async function isLost(id: string): Promise<boolean> {
    const standing = await store.leaseState(id)
    return standing !== null && (standing.lease?.includes(self) !== true || (!isAlone && standing.leaseUntil <= now()))
  }

  return {
    durable: (id) => holders.get(id)?.durable ?? null,

    async hold(id, options, work) {
      let name = self + randomUUID()
      const { promise: done, resolve } = Promise.withResolvers<void>()
      const { standing, isTakenOver, holder } = await entering(id, async () => {
        const won = (await enter(id, name, options.evict)) ?? fail('busy', {})
        const mine: Holder = {
          lastByteAt: now(),
          isFinal: false,
          durable: null,
          client: options.client,
          stop: new AbortController(),
          done,
        }
        holders.set(id, mine)
        return { ...won, holder: mine }
      })
      // A monotonic clock.
      let renewedAt = performance.now()
      const renew = async (): Promise<void> => {
        const asked = performance.now()
        if (holder.stop.signal.aborted) fail('busy', {})
        if (!(await store.renew(id, name, { now: now(), until: now() + limits.leaseMs, durable: holder.durable }))) fail('busy', {})
        renewedAt = asked
      }
      const confirm = async (): Promise<void> => {
        holder.isFinal = true
        const asked = performance.now()
        if (holder.stop.signal.aborted) fail('busy', {})
        name = (await store.place(id, name, { now: now(), until: now() + limits.leaseMs, durable: holder.durable })) ?? fail('busy', {})
        renewedAt = asked
      }
      const mayWrite = (): void => {
        // Delayed for so long that somebody else may hold it now: no more bytes before the lease is known to be ours.
        if (!isAlone && performance.now() - renewedAt >= limits.leaseMs) fail('busy', {})
      }
      const stopIfLost = (): void => void renew().catch((cause: unknown) => holder.stop.abort(cause))
      const renewal = setInterval(stopIfLost, limits.leaseMs / 3)
      const stall = setInterval(() => {
        if (now() - holder.lastByteAt >= limits.stallMs) holder.stop.abort(new AppError('busy', {}))
      }, limits.stallMs / 10)
      const { generation } = standing
      try {
        return await work({
          signal: holder.stop.signal,
          generation: isTakenOver ? generation + 1 : generation,
          upload: standing,
          isTakenOver,
          noteBytes: () => void (holder.lastByteAt = now()),
          mayWrite,
          noteDurable: (size) => void (holder.durable = size),
          confirm,
        })
      } finally {
        clearInterval(renewal)
        clearInterval(stall)
        // If it cannot be stored, the lease expires, and less than possible counts as durable.
        await store.release(id, name, { durable: holder.durable }).catch(() => undefined)
        holders.delete(id)
        resolve()
      }
    },
  }
}

/** Leases of other machines that are remembered. */
const MOST_SEEN = 1000

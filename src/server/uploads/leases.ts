import { randomUUID } from 'node:crypto'
import { AppError, fail } from '../../shared/errors.ts'
import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import type { LeaseState, UploadStore } from './store.ts'

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
export interface HeldLease {
  /** Aborted when the holder must stop: stalled, asked to give way, or its lease lost to another machine. */
  readonly signal: AbortSignal
  /** Which writer of this upload we are. Each has a file of its own, which nobody else opens. */
  readonly generation: number
  /** As of when it was leased. */
  readonly upload: LeaseState
  /** The former writer never let go of it, and may only be paused: its file is not to be written. */
  readonly isTakenOver: boolean
  /** To be called whenever bytes came. */
  noteBytes(): void
  /** To be called before bytes are written. Fails with `busy` when the lease ran out unrenewed. */
  mayWrite(): void
  /** So much is durable; remembered with the next renewal and at the end. */
  noteDurable(size: number): void
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
  /** What the holder on this machine made durable, and has not noted yet perhaps; null where nobody here holds it. */
  durable(id: string): number | null
  /** Runs `work` as the only one who touches this upload, on all machines; fails with `busy` at once when another does and may go on. */
  hold<T>(id: string, options: HoldOptions, work: (held: HeldLease) => Promise<T>): Promise<T>
}

export interface LeasesDeps {
  readonly store: UploadStore
  readonly clock: () => Date
  readonly limits?: LeaseLimits
  /** No other process uses these uploads: nobody takes a lease that ran out by a clock that jumped. */
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
  /** A request of this process may look for a free lease only when the one before it holds its lease visibly, or has failed to get it. */
  const entering = createKeyedMutex()
  /** What the leases of others looked like, and since when: one that does not change is not renewed, whatever the clocks of the machines say. */
  const seen = new Map<string, { lease: string; leaseUntil: number; since: number }>()
  /** What the names of all our holders begin with. */
  const self = `${randomUUID()} `
  const now = (): number => clock().getTime()

  async function acquire(id: string, name: string): Promise<Won | null> {
    const standing = await store.leaseState(id)
    if (standing === null || standing.finished) return null
    const { lease } = standing
    const isFree = lease === null || standing.leaseUntil === 0
    const isOurs = lease?.includes(self) === true
    // One of ours that nobody holds: its end could not be noted.
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

  /** Gets the lease, and this machine's former holder out of the way: a silent one, or one whose lease ran out unnoticed. */
  async function enter(id: string, name: string, whom: HoldOptions['evict']): Promise<Won | null> {
    const former = holders.get(id)
    if (former === undefined) return acquire(id, name)
    if (!givesWay(former, whom) && !(await isLost(id))) return null
    former.stop.abort(new AppError('busy', {}))
    await former.done
    return acquire(id, name)
  }

  /** Whether somebody else has what our holder believes to have, or could have it. */
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
      // Of a clock that nobody can set.
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
        // Held up for so long that somebody else may have come in: not a byte more before the lease is known to be ours.
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
        // Where it cannot be noted, the lease runs out, and what is durable is less than it could be.
        await store.release(id, name, { durable: holder.durable }).catch(() => undefined)
        holders.delete(id)
        resolve()
      }
    },
  }
}

/** Leases of other machines that are remembered. */
const MOST_SEEN = 1000

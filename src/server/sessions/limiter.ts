import { fail } from '../../shared/errors.ts'
import { networksOf } from '../users/networks.ts'
import type { BucketSize } from './buckets.ts'
import type { Count, CountKey, Counts, GuessCounts } from './guess-counts.ts'
import { createMemoryGuessCounts } from './memory-guess-counts.ts'

export interface Attempt {
  /** The credentials were right: this attempt does not count. */
  succeeded(): Promise<void>
}

export interface Limiter {
  /**
   * Counts one attempt, before anything is looked up or hashed. Fails with `too-many-requests` if it comes too early.
   * @param address the client's, null if there is none (a unix socket)
   * @param account key of the guessed account, whether or not it exists
   */
  begin(attempt: { address: string | null; account: string }): Promise<Attempt>
}

/** Attempts that are allowed without a delay. */
export interface Limits {
  /** Free attempts; each further one doubles the delay, up to `MAX_DELAY_MS`: a delay, not a lock-out. */
  readonly perAddress: number
  readonly perAccount: number
  /**
   * For all clients together: a token bucket, so that thousands of addresses do not allow thousands of guesses. A provider's network has a part of
   * it, a site's a smaller one; a second bucket is reserved for networks without wrong guesses of late.
   */
  readonly burst: number
}

const LIMITS: Limits = { perAddress: 15, perAccount: 10, burst: 200 }
const FIRST_DELAY_MS = 1000
const MAX_DELAY_MS = 60_000
export const FORGET_AFTER_MS = 60 * 60_000

const PER_SECOND = 5
/** Shares of the common bucket. */
const PARTS = { provider: 0.3, site: 0.15, reserve: 0.5 } as const
/** This many wrong guesses per hour are ordinary mistakes; a provider's network with more of them cannot use the reserve. */
const MAX_MISTAKES = 3
/** Free attempts at one account from such networks; the next ones have a short delay. */
const FIRST_TRIES = 5
const MAX_FIRST_TRY_DELAY_MS = 10_000

/**
 * Limits guessing of secrets: per address (IPv4 whole, IPv6 /64), per site and provider, per account and in total. One address alone counts against
 * an account for half of its free attempts: it takes several to slow the owner down elsewhere. A client that has signed in from an address is counted
 * separately there, so that other people's guesses do not lock it out. Nor do they affect clients of a provider's network that did not take part in
 * the guessing: those have a reserve, and a separate count for each account (A18).
 * @param options.counts where it counts; by default in memory, for a single server
 */
export function createLimiter({
  clock,
  limits = LIMITS,
  counts = createMemoryGuessCounts(),
}: {
  clock: () => Date
  limits?: Limits | undefined
  counts?: GuessCounts
}): Limiter {
  const everybody: Bucket = { key: { kind: 'bucket', name: 'everybody' }, burst: limits.burst, perSecond: PER_SECOND }
  const reserve: Bucket = { key: { kind: 'bucket', name: 'reserve' }, burst: limits.burst * PARTS.reserve, perSecond: PER_SECOND }

  const partOf = (size: 'site' | 'provider', network: string): Bucket => ({
    key: { kind: 'bucket', name: `${size} ${network}` },
    burst: limits.burst * PARTS[size],
    perSecond: PER_SECOND * PARTS[size],
  })

  function partsOf({ address, account }: { address: string | null; account: string }) {
    const networks = address === null ? null : networksOf(address)
    const device = `${networks?.own ?? null} ${account}`
    return {
      device: { kind: 'device', name: device },
      pair: { kind: 'pair', name: device },
      account: { kind: 'account', name: account },
      firstTries: { kind: 'first', name: account },
      ...(networks !== null && {
        address: { kind: 'address', name: networks.own },
        /** Wrong guesses by provider's network. */
        mistakes: { kind: 'mistakes', name: networks.provider },
      }),
      own: networks === null ? [] : (['site', 'provider'] as const).map((size) => partOf(size, networks[size])),
    } satisfies Parts
  }

  /** @returns the buckets that the attempt was taken from; null for a client that is known */
  function count(found: Counts, parts: Parts, now: number): Bucket[] | null {
    if (found.get(parts.device) !== undefined) {
      admit(found, [{ key: parts.device, free: limits.perAccount }], now)
      return null
    }
    const hasFewMistakes = parts.mistakes !== undefined && recall(found, parts.mistakes, now).count < MAX_MISTAKES
    const common = hasFewMistakes && !has(found, everybody, now) ? reserve : everybody
    const buckets = [...parts.own, common]
    if (!buckets.every((bucket) => has(found, bucket, now))) refuse(1000 / PER_SECOND)
    const isAlone =
      recall(found, parts.pair, now).count >= limits.perAccount / 2 && recall(found, parts.account, now).count < limits.perAccount
    admit(
      found,
      [
        { key: parts.pair, free: limits.perAccount },
        { key: parts.account, free: limits.perAccount, uncounted: isAlone, undelayed: hasFewMistakes },
        ...(hasFewMistakes ? [{ key: parts.firstTries, free: FIRST_TRIES, longest: MAX_FIRST_TRY_DELAY_MS }] : []),
        ...(parts.address === undefined ? [] : [{ key: parts.address, free: limits.perAddress }]),
      ],
      now,
    )
    for (const bucket of buckets) put(found, bucket, -1, now)
    if (parts.mistakes !== undefined) blame(found, parts.mistakes, now)
    return buckets
  }

  return {
    async begin(attempt) {
      const parts = partsOf(attempt)
      const client = parts.address?.name ?? ''
      const { pair, account, firstTries, device, mistakes, address } = parts
      const keys = [device, pair, account, firstTries, ...[address, mistakes].filter((key) => key !== undefined)]
      const buckets = [...parts.own, everybody, reserve].map(({ key }) => key)
      const taken = await counts.change(client, [...keys, ...buckets], (found) => count(found, parts, clock().getTime()))
      return {
        succeeded: () =>
          counts.change(client, [...keys, ...buckets], (found) => {
            const now = clock().getTime()
            found.set(device, fresh(now))
            if (taken === null) return
            for (const bucket of taken) put(found, bucket, 1, now)
            if (mistakes !== undefined) rollBack(found, mistakes)
            for (const key of [account, firstTries, pair]) found.delete(key)
            // Only this attempt: a guesser must not reset an address with accounts of his own.
            if (address !== undefined) rollBack(found, address)
          }),
      }
    },
  }
}

/** What an attempt is counted for. */
interface Parts {
  readonly device: CountKey
  readonly pair: CountKey
  readonly account: CountKey
  readonly firstTries: CountKey
  readonly address?: CountKey
  readonly mistakes?: CountKey
  readonly own: readonly Bucket[]
}

/** A token bucket. */
interface Bucket extends BucketSize {
  readonly key: CountKey
}

interface Counted {
  readonly key: CountKey
  readonly free: number
  /** Is delayed, but does not count here. */
  readonly uncounted?: boolean
  /** Counts here, but is not delayed. */
  readonly undelayed?: boolean
  /** The longest delay; `MAX_DELAY_MS` by default. */
  readonly longest?: number
}

/** All or none: an attempt that one count refuses does not count in another. */
function admit(found: Counts, counted: readonly Counted[], now: number): void {
  const current = counted.map((one) => ({ ...one, before: recall(found, one.key, now) }))
  const wait = Math.max(...current.map(({ before, undelayed = false }) => (undelayed ? 0 : before.nextAt - now)))
  if (wait > 0) refuse(wait)
  for (const { key, free, before, uncounted = false, longest = MAX_DELAY_MS } of current) {
    if (uncounted) continue
    const count = before.count + 1
    const delay = count < free ? 0 : Math.min(longest, FIRST_DELAY_MS * 2 ** (count - free))
    found.set(key, { count, lastAt: now, nextAt: now + delay })
  }
}

function recall(found: Counts, key: CountKey, now: number): Count {
  const before = found.get(key)
  // After the clock was set back, nobody waits longer than the longest delay.
  if (before === undefined || now - before.lastAt > FORGET_AFTER_MS || before.nextAt - now > MAX_DELAY_MS) return fresh(now)
  return before
}

function blame(found: Counts, key: CountKey, now: number): void {
  found.set(key, { count: recall(found, key, now).count + 1, lastAt: now, nextAt: 0 })
}

function rollBack(found: Counts, key: CountKey): void {
  const before = found.get(key)
  if (before !== undefined) found.set(key, { ...before, count: Math.max(0, before.count - 1), nextAt: 0 })
}

function tokensIn(found: Counts, { key, burst, perSecond }: Bucket, now: number): number {
  const before = found.get(key)
  return before === undefined ? burst : Math.min(burst, before.count + (Math.max(0, now - before.lastAt) / 1000) * perSecond)
}

const has = (found: Counts, bucket: Bucket, now: number): boolean => tokensIn(found, bucket, now) >= 1

function put(found: Counts, bucket: Bucket, tokens: number, now: number): void {
  found.set(bucket.key, { count: Math.min(bucket.burst, tokensIn(found, bucket, now) + tokens), lastAt: now, nextAt: 0 })
}

function fresh(now: number): Count {
  return { count: 0, lastAt: now, nextAt: 0 }
}

function refuse(waitMs: number): never {
  fail('too-many-requests', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}

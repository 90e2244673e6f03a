import { fail } from '../../shared/errors.ts'
import { type Networks, networksOf } from '../users/networks.ts'
import { type Bucket, createBuckets } from './buckets.ts'
import { createLru, type Lru } from '../../shared/lru.ts'

export interface Attempt {
  /** The credentials were right: this attempt does not count. */
  succeeded(): void
}

export interface Limiter {
  /**
   * Counts one attempt, before anything is looked up or hashed. Fails with `too-many-requests` if it comes too early.
   * @param address the client's, null if there is none (a unix socket)
   * @param account key of the guessed account, whether or not it exists
   */
  begin(attempt: { address: string | null; account: string }): Attempt
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
const FORGET_AFTER_MS = 60 * 60_000

const PER_SECOND = 5
/** Shares of the common bucket. */
const PARTS = { provider: 0.3, site: 0.15, reserve: 0.5 } as const
/** This many wrong guesses per hour are ordinary mistakes; a provider's network with more of them cannot use the reserve. */
const MAX_MISTAKES = 3
/** Free attempts at one account from such networks; the next ones have a short delay. */
const FIRST_TRIES = 5
const MAX_FIRST_TRY_DELAY_MS = 10_000

const REMEMBERED = 20_000

interface Tally {
  count: number
  lastAt: number
  nextAt: number
}

/**
 * Limits guessing of secrets: per address (IPv4 whole, IPv6 /64), per site and provider, per account and in total. One address alone counts against
 * an account for half of its free attempts: it takes several to slow the owner down elsewhere. A client that has signed in from an address is counted
 * separately there, so that other people's guesses do not lock it out. Nor do they affect clients of a provider's network that did not take part in
 * the guessing: those have a reserve, and a separate count for each account (A18).
 */
export function createLimiter({ clock, limits = LIMITS }: { clock: () => Date; limits?: Limits }): Limiter {
  const addresses = createLru<string, Tally>(REMEMBERED)
  const accounts = createLru<string, Tally>(REMEMBERED)
  const pairs = createLru<string, Tally>(REMEMBERED)
  const devices = createLru<string, Tally>(REMEMBERED)
  const firstTries = createLru<string, Tally>(REMEMBERED)
  /** Wrong guesses by provider's network. */
  const mistakes = createLru<string, Tally>(REMEMBERED)
  const bucketsOf = createBuckets({ remembered: REMEMBERED })
  const everybody = bucketsOf('everybody', { burst: limits.burst, perSecond: PER_SECOND })
  const reserve = bucketsOf('reserve', { burst: limits.burst * PARTS.reserve, perSecond: PER_SECOND })

  /** The buckets that an attempt is taken from; fails if one of them is empty. */
  function bucketsFor(networks: Networks | null, { hasFewMistakes, now }: { hasFewMistakes: boolean; now: number }): Bucket[] {
    const own = networks === null ? [] : (['site', 'provider'] as const).map((size) => partOf(size, networks[size]))
    const common = hasFewMistakes && !everybody.has(now) ? reserve : everybody
    const empty = [...own, common].find((bucket) => !bucket.has(now))
    if (empty !== undefined) refuse(1000 / PER_SECOND)
    return [...own, common]
  }

  const hasFewMistakesAt = (networks: Networks | null, now: number): boolean =>
    networks !== null && recall(mistakes, networks.provider, now).count < MAX_MISTAKES

  const partOf = (size: 'site' | 'provider', network: string): Bucket =>
    bucketsOf(`${size} ${network}`, { burst: limits.burst * PARTS[size], perSecond: PER_SECOND * PARTS[size] })

  function known(device: string, now: number): Attempt {
    admit([{ tallies: devices, key: device, free: limits.perAccount }], now)
    return { succeeded: () => devices.set(device, fresh(now)) }
  }

  return {
    begin({ address, account }) {
      const now = clock().getTime()
      const networks = address === null ? null : networksOf(address)
      const network = networks?.own ?? null
      const device = `${network} ${account}`
      if (devices.get(device) !== undefined) return known(device, now)
      const hasFewMistakes = hasFewMistakesAt(networks, now)
      const buckets = bucketsFor(networks, { hasFewMistakes, now })
      const isAlone = recall(pairs, device, now).count >= limits.perAccount / 2 && recall(accounts, account, now).count < limits.perAccount
      admit(
        [
          { tallies: pairs, key: device, free: limits.perAccount },
          { tallies: accounts, key: account, free: limits.perAccount, uncounted: isAlone, undelayed: hasFewMistakes },
          ...(hasFewMistakes ? [{ tallies: firstTries, key: account, free: FIRST_TRIES, longest: MAX_FIRST_TRY_DELAY_MS }] : []),
          ...(network === null ? [] : [{ tallies: addresses, key: network, free: limits.perAddress }]),
        ],
        now,
      )
      for (const bucket of buckets) bucket.take(now)
      if (networks !== null) blame(mistakes, networks.provider, now)
      return {
        succeeded() {
          for (const bucket of buckets) bucket.giveBack()
          if (networks !== null) rollBack(mistakes, networks.provider)
          accounts.delete(account)
          firstTries.delete(account)
          pairs.delete(device)
          // Only this attempt: a guesser must not reset an address with accounts of his own.
          if (network !== null) rollBack(addresses, network)
          devices.set(device, fresh(now))
        },
      }
    },
  }
}

interface Counted {
  readonly tallies: Lru<string, Tally>
  readonly key: string
  readonly free: number
  /** Is delayed, but does not count here. */
  readonly uncounted?: boolean
  /** Counts here, but is not delayed. */
  readonly undelayed?: boolean
  /** The longest delay; `MAX_DELAY_MS` by default. */
  readonly longest?: number
}

/** All or none: an attempt that one tally refuses does not count in another. */
function admit(counted: Counted[], now: number): void {
  const current = counted.map((one) => ({ ...one, tally: recall(one.tallies, one.key, now) }))
  const wait = Math.max(...current.map(({ tally, undelayed = false }) => (undelayed ? 0 : tally.nextAt - now)))
  if (wait > 0) refuse(wait)
  for (const { tallies, key, free, tally, uncounted = false, longest = MAX_DELAY_MS } of current) {
    if (uncounted) continue
    const count = tally.count + 1
    const delay = count < free ? 0 : Math.min(longest, FIRST_DELAY_MS * 2 ** (count - free))
    tallies.set(key, { count, lastAt: now, nextAt: now + delay })
  }
}

function recall(tallies: Lru<string, Tally>, key: string, now: number): Tally {
  const tally = tallies.get(key)
  // After the clock was set back, nobody waits longer than the longest delay.
  if (tally === undefined || now - tally.lastAt > FORGET_AFTER_MS || tally.nextAt - now > MAX_DELAY_MS) return fresh(now)
  return tally
}

function blame(tallies: Lru<string, Tally>, key: string, now: number): void {
  tallies.set(key, { count: recall(tallies, key, now).count + 1, lastAt: now, nextAt: 0 })
}

function rollBack(tallies: Lru<string, Tally>, key: string): void {
  const tally = tallies.get(key)
  if (tally !== undefined) tallies.set(key, { ...tally, count: Math.max(0, tally.count - 1), nextAt: 0 })
}

function fresh(now: number): Tally {
  return { count: 0, lastAt: now, nextAt: 0 }
}

function refuse(waitMs: number): never {
  fail('too-many-requests', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}

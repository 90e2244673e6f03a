import { isIP } from 'node:net'
import { fail } from '../../shared/errors.ts'
import { createRecent, type Recent } from './recent.ts'

export interface Attempt {
  /** It was the right person: this attempt is not held against anybody. */
  succeeded(): void
}

export interface Limiter {
  /**
   * Counts one attempt, before anything is looked up or hashed. Fails with `too-many-requests` when it comes too early.
   * @param address the client's, null when there is none (a unix socket)
   * @param account the key of what is being guessed, whether or not it exists
   */
  begin(attempt: { address: string | null; account: string }): Attempt
}

/** What is let through before anybody has to wait. */
export interface Limits {
  /** Attempts that cost nothing; each further one waits twice as long as the one before, up to `MAX_DELAY_MS`: a delay, not a lock-out. */
  readonly perAddress: number
  readonly perAccount: number
  /** Everybody together: a bucket that refills, so that thousands of addresses are not thousands of guesses. */
  readonly burst: number
}

const LIMITS: Limits = { perAddress: 15, perAccount: 10, burst: 200 }
const FIRST_DELAY_MS = 1000
const MAX_DELAY_MS = 60_000
const FORGET_AFTER_MS = 60 * 60_000

const GLOBAL_PER_SECOND = 5

const REMEMBERED = 10_000

interface Tally {
  count: number
  lastAt: number
  nextAt: number
}

/**
 * Guards a secret that can be guessed: per address (IPv4 whole, IPv6 /64), per account and for all together.
 * One address alone counts against an account for half of what that has free: it takes several to slow the owner down elsewhere.
 * Somebody who succeeded from an address is counted on their own there: strangers' guesses do not keep them out.
 */
export function createLimiter({ clock, limits = LIMITS }: { clock: () => Date; limits?: Limits }): Limiter {
  const addresses = createRecent<string, Tally>(REMEMBERED)
  const accounts = createRecent<string, Tally>(REMEMBERED)
  const pairs = createRecent<string, Tally>(REMEMBERED)
  const devices = createRecent<string, Tally>(REMEMBERED)
  let tokens = limits.burst
  let refilledAt = clock().getTime()

  function refill(now: number): void {
    tokens = Math.min(limits.burst, tokens + (Math.max(0, now - refilledAt) / 1000) * GLOBAL_PER_SECOND)
    refilledAt = now
  }

  function known(device: string, now: number): Attempt {
    admit([{ tallies: devices, key: device, free: limits.perAccount }], now)
    return { succeeded: () => devices.set(device, fresh(now)) }
  }

  return {
    begin({ address, account }) {
      const now = clock().getTime()
      const network = address === null ? null : networkOf(address)
      const device = `${network} ${account}`
      if (devices.get(device) !== undefined) return known(device, now)
      refill(now)
      if (tokens < 1) refuse(1000 / GLOBAL_PER_SECOND)
      const isAlone = recall(pairs, device, now).count >= limits.perAccount / 2 && recall(accounts, account, now).count < limits.perAccount
      admit(
        [
          { tallies: pairs, key: device, free: limits.perAccount },
          { tallies: accounts, key: account, free: limits.perAccount, spared: isAlone },
          ...(network === null ? [] : [{ tallies: addresses, key: network, free: limits.perAddress }]),
        ],
        now,
      )
      tokens -= 1
      return {
        succeeded() {
          tokens = Math.min(limits.burst, tokens + 1)
          accounts.delete(account)
          pairs.delete(device)
          // Only this attempt: a guesser must not wash his address clean with accounts of his own.
          if (network !== null) takeBack(addresses, network)
          devices.set(device, fresh(now))
        },
      }
    },
  }
}

/** The part of an address that one customer holds: all of an IPv4 address, the first 64 bits of an IPv6 one. */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (isIP(plain) !== 6) return plain
  const [head = '', tail] = plain.split('::', 2)
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

interface Counted {
  readonly tallies: Recent<string, Tally>
  readonly key: string
  readonly free: number
  /** Has to wait all the same, but is not counted here. */
  readonly spared?: boolean
}

/** All or none: an attempt that one tally refuses is not counted by another. */
function admit(counted: Counted[], now: number): void {
  const current = counted.map((one) => ({ ...one, tally: recall(one.tallies, one.key, now) }))
  const wait = Math.max(...current.map(({ tally }) => tally.nextAt - now))
  if (wait > 0) refuse(wait)
  for (const { tallies, key, free, tally, spared = false } of current) {
    if (spared) continue
    const count = tally.count + 1
    const delay = count < free ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - free))
    tallies.set(key, { count, lastAt: now, nextAt: now + delay })
  }
}

function recall(tallies: Recent<string, Tally>, key: string, now: number): Tally {
  const tally = tallies.get(key)
  // A clock that was set back must not make anybody wait longer than the longest delay.
  if (tally === undefined || now - tally.lastAt > FORGET_AFTER_MS || tally.nextAt - now > MAX_DELAY_MS) return fresh(now)
  return tally
}

function takeBack(tallies: Recent<string, Tally>, key: string): void {
  const tally = tallies.get(key)
  if (tally !== undefined) tallies.set(key, { ...tally, count: Math.max(0, tally.count - 1), nextAt: 0 })
}

function fresh(now: number): Tally {
  return { count: 0, lastAt: now, nextAt: 0 }
}

function refuse(waitMs: number): never {
  fail('too-many-requests', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}

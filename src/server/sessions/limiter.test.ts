import { describe, expect, it } from 'bun:test'
import { AppError } from '../../shared/errors.ts'
import { createLimiter, networkOf } from './limiter.ts'

describe('the limiter', () => {
  it('lets fewer than twenty of a thousand guesses from one address through (GHSA-cm2r-rg7r-p7gg)', () => {
    const { guess } = world()
    const through = count(1000, (i) => guess('198.51.100.1', `user${i}`))
    expect(through).toBeGreaterThan(5)
    expect(through).toBeLessThan(20)
  })

  it('lets fewer than twenty of a thousand guesses from a thousand addresses at one account through', () => {
    const { guess } = world()
    expect(count(1000, (i) => guess(`198.51.${Math.floor(i / 250)}.${i % 250}`, 'ann'))).toBeLessThan(20)
  })

  it('lets the owner in from a known device while strangers guess', () => {
    const { guess, signIn } = world()
    signIn('203.0.113.7', 'ann')
    count(1000, (i) => guess(`198.51.${Math.floor(i / 250)}.${i % 250}`, 'ann'))
    count(1000, (i) => guess('203.0.113.7', `user${i}`))
    expect(() => signIn('203.0.113.7', 'ann')).not.toThrow()
  })

  it('lets the owner in from anywhere else while one stranger guesses (GHSA-cm2r-rg7r-p7gg)', () => {
    const { guess, signIn } = world()
    expect(count(1000, () => guess('198.51.100.1', 'ann'))).toBeLessThan(20)
    expect(() => signIn('203.0.113.7', 'ann')).not.toThrow()
  })

  it('slows many strangers down together, also those who have been guessing for long', () => {
    const { guess, pass } = world()
    const strangers = ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4']
    for (let round = 0; round < 40; round++) {
      for (const one of strangers) count(1, () => guess(one, 'ann'))
      pass(61_000)
    }
    expect(count(40, (i) => guess(strangers[i % 4] ?? '', 'ann'))).toBeLessThan(3)
  })

  it('delays, twice as long each time, and never locks out', () => {
    const { guess, pass } = world()
    count(100, () => guess('198.51.100.1', 'ann'))
    const waits: number[] = []
    for (let i = 0; i < 9; i++) {
      const wait = refusalOf(() => guess('198.51.100.1', 'ann'))
      waits.push(wait)
      pass(wait * 1000)
      guess('198.51.100.1', 'ann')
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  })

  it('does not count people who get it right against their address', () => {
    const { signIn } = world()
    expect(count(1000, (i) => signIn('198.51.100.1', `user${i}`))).toBe(1000)
  })

  it('does not let a guesser wash an address clean with accounts of his own', () => {
    const { guess, signIn } = world()
    const through = count(500, (i) => {
      signIn('198.51.100.1', `mallory${i}`)
      guess('198.51.100.1', `victim${i}`)
    })
    expect(through).toBeLessThan(20)
  })

  it('takes a whole /64 for one address (GHSA-2967-6mrp-gg3p)', () => {
    const { guess } = world()
    expect(count(1000, (i) => guess(`2001:db8:1:2::${i.toString(16)}`, `user${i}`))).toBeLessThan(20)
  })

  it('bounds what all addresses and accounts together may try', () => {
    const { guess, pass } = world()
    const attack = () => count(5000, (i) => guess(`198.${Math.floor(i / 250)}.1.${i % 250}`, `user${i}`))
    expect(attack()).toBe(200)
    pass(2000)
    expect(attack()).toBe(10)
  })

  it('does not keep anybody out longer when the clock is set back by a day (T11)', () => {
    const { guess, pass } = world()
    count(100, () => guess('198.51.100.1', 'ann'))
    pass(-24 * 3600_000)
    expect(() => guess('198.51.100.1', 'ann')).not.toThrow()
  })

  it('works without an address', () => {
    const { guess } = world()
    expect(count(100, () => guess(null, 'ann'))).toBeLessThan(20)
    expect(() => guess(null, 'ben')).not.toThrow()
  })
})

describe('the network of an address', () => {
  it('is all of IPv4 and the first half of IPv6', () => {
    expect(networkOf('192.0.2.1')).toBe('192.0.2.1')
    expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1')
    expect(networkOf('2001:DB8::1')).toBe('2001:db8:0:0::/64')
    expect(networkOf('2001:db8:0:0:ffff::')).toBe('2001:db8:0:0::/64')
    expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
    expect(networkOf('::1')).toBe('0:0:0:0::/64')
  })
})

function world() {
  let now = Date.parse('2026-11-21T00:00:00Z')
  const limiter = createLimiter({ clock: () => new Date(now) })
  const guess = (address: string | null, account: string) => limiter.begin({ address, account })
  return {
    guess,
    signIn: (address: string, account: string) => guess(address, account).succeeded(),
    pass: (ms: number) => void (now += ms),
  }
}

/** How many of `times` attempts got through. */
function count(times: number, attempt: (i: number) => unknown): number {
  let through = 0
  for (let i = 0; i < times; i++) {
    try {
      attempt(i)
      through += 1
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
  return through
}

function refusalOf(attempt: () => unknown): number {
  try {
    attempt()
  } catch (error) {
    if (error instanceof AppError && 'retryAfterSeconds' in error.detail) return error.detail.retryAfterSeconds
  }
  return 0
}

import { describe, expect, it } from 'bun:test'
import { AppError } from '../../shared/errors.ts'
import { createLimiter } from './limiter.ts'

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

  it('lets the owner in from a known device while others guess', () => {
    const { guess, signIn } = world()
    signIn('203.0.113.7', 'ann')
    count(1000, (i) => guess(`198.51.${Math.floor(i / 250)}.${i % 250}`, 'ann'))
    count(1000, (i) => guess('203.0.113.7', `user${i}`))
    expect(() => signIn('203.0.113.7', 'ann')).not.toThrow()
  })

  it('lets the owner in from another address while one client guesses (GHSA-cm2r-rg7r-p7gg)', () => {
    const { guess, signIn } = world()
    expect(count(1000, () => guess('198.51.100.1', 'ann'))).toBeLessThan(20)
    expect(() => signIn('203.0.113.7', 'ann')).not.toThrow()
  })

  it('slows many guessers down together, including long-running ones', () => {
    const { guess, pass } = world()
    const strangers = ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4']
    for (let round = 0; round < 40; round++) {
      for (const one of strangers) count(1, () => guess(one, 'ann'))
      pass(61_000)
    }
    expect(count(40, (i) => guess(strangers[i % 4] ?? '', 'ann'))).toBeLessThan(3)
  })

  it('doubles the delay each time, and never locks out', () => {
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

  it('does not count successful sign-ins against an address', () => {
    const { signIn } = world()
    expect(count(1000, (i) => signIn('198.51.100.1', `user${i}`))).toBe(1000)
  })

  it('does not reset an address when a guesser signs in to his own account', () => {
    const { guess, signIn } = world()
    const through = count(500, (i) => {
      signIn('198.51.100.1', `mallory${i}`)
      guess('198.51.100.1', `victim${i}`)
    })
    expect(through).toBeLessThan(20)
  })

  it('treats an IPv6 /64 as one address (GHSA-2967-6mrp-gg3p)', () => {
    const { guess } = world()
    expect(count(1000, (i) => guess(`2001:db8:1:2::${i.toString(16)}`, `user${i}`))).toBeLessThan(20)
  })

  it('limits the attempts of all addresses and accounts together', () => {
    const { guess, pass } = world()
    const attack = () => count(5000, (i) => guess(`198.${Math.floor(i / 250)}.1.${i % 250}`, `user${i}`))
    // With the reserve for networks that did nothing yet.
    expect(attack()).toBeLessThan(200 + 3 * 20 + 1)
    pass(2000)
    expect(attack()).toBeLessThan(11)
  })

  describe('A18: a flood of wrong sign-ins from many IPv6 networks', () => {
    /** Of four providers, sixty sites and as many customers as there are, at the very accounts that people want to use. */
    const flooder = (i: number) => `2001:${(i % 4).toString(16)}:${(i % 60).toString(16)}:${i.toString(16)}::1`
    const newcomer = (i: number) => (i % 2 === 0 ? `203.0.${i}.7` : `2a02:${i.toString(16)}:1:1::7`)

    it('A18: does not keep out users from new addresses elsewhere', () => {
      const { guess, signIn, pass } = world()
      let at = 0
      const flood = () => count(400, () => guess(flooder(at++), `user${at % 25}`))
      flood()
      const refused: number[] = []
      for (let i = 0; i < 25; i++) {
        flood()
        if (count(1, () => signIn(newcomer(i), `user${i}`)) === 0) refused.push(i)
        pass(100)
      }
      expect(refused).toEqual([])
    })

    it('A18: is limited by provider, however many networks it comes from', () => {
      const { guess } = world()
      expect(count(20_000, (i) => guess(flooder(i), `user${i}`))).toBeLessThan(4 * 60 + 1)
    })

    it('A18: uses no more of the shared limit than the share of its provider and site', () => {
      const [site, provider] = [world(), world()]
      expect(count(20_000, (i) => site.guess(`2001:db8:1:${(i % 60_000).toString(16)}::1`, `user${i}`))).toBe(30)
      expect(count(20_000, (i) => provider.guess(`2001:db8:${(i % 60).toString(16)}:${i.toString(16)}::1`, `user${i}`))).toBe(60)
      // Enough is left for others who have mistyped before.
      for (let i = 0; i < 3; i++) provider.guess('203.0.113.7', 'ann')
      expect(() => provider.signIn('203.0.113.7', 'ann')).not.toThrow()
    })
  })

  it('does not extend delays when the clock is set back by a day (T11)', () => {
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

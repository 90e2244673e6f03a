import { describe, expect, it } from 'bun:test'
import { AppError } from '../../shared/errors.ts'
import type { Limiter } from './limiter.ts'

/**
 * What every limiter owes, wherever it counts.
 * @param make a new one; its clock begins on 21 November 2026
 * @param many guesses of a flood
 */
export function describeLimiter(name: string, make: (clock: () => Date) => Promise<Limiter>, { many }: { many: number }): void {
  describe(`the limiter ${name}`, () => {
    it('lets fewer than twenty of a thousand guesses from one address through (GHSA-cm2r-rg7r-p7gg)', async () => {
      const { guess } = await world()
      const through = await count(1000, (i) => guess('198.51.100.1', `user${i}`))
      expect(through).toBeGreaterThan(5)
      expect(through).toBeLessThan(20)
    })

    it('lets fewer than twenty of a thousand guesses from a thousand addresses at one account through', async () => {
      const { guess } = await world()
      expect(await count(1000, (i) => guess(`198.51.${Math.floor(i / 250)}.${i % 250}`, 'ann'))).toBeLessThan(20)
    })

    it('lets the owner in from a known device while others guess', async () => {
      const { guess, signIn } = await world()
      await signIn('203.0.113.7', 'ann')
      await count(1000, (i) => guess(`198.51.${Math.floor(i / 250)}.${i % 250}`, 'ann'))
      await count(1000, (i) => guess('203.0.113.7', `user${i}`))
      expect(await count(1, () => signIn('203.0.113.7', 'ann'))).toBe(1)
    })

    it('lets the owner in from another address while one client guesses (GHSA-cm2r-rg7r-p7gg)', async () => {
      const { guess, signIn } = await world()
      expect(await count(1000, () => guess('198.51.100.1', 'ann'))).toBeLessThan(20)
      expect(await count(1, () => signIn('203.0.113.7', 'ann'))).toBe(1)
    })

    it('slows many guessers down together, including long-running ones', async () => {
      const { guess, pass } = await world()
      const strangers = ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4']
      for (let round = 0; round < 40; round++) {
        for (const one of strangers) await count(1, () => guess(one, 'ann'))
        pass(61_000)
      }
      expect(await count(40, (i) => guess(strangers[i % 4] ?? '', 'ann'))).toBeLessThan(3)
    })

    it('doubles the delay each time, and never locks out', async () => {
      const { guess, pass } = await world()
      await count(100, () => guess('198.51.100.1', 'ann'))
      const waits: number[] = []
      for (let i = 0; i < 9; i++) {
        const wait = await refusalOf(() => guess('198.51.100.1', 'ann'))
        waits.push(wait)
        pass(wait * 1000)
        await guess('198.51.100.1', 'ann')
      }
      expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
    })

    it('does not count successful sign-ins against an address', async () => {
      const { signIn } = await world()
      expect(await count(1000, (i) => signIn('198.51.100.1', `user${i}`))).toBe(1000)
    })

    it('does not reset an address when a guesser signs in to his own account', async () => {
      const { guess, signIn } = await world()
      const through = await count(500, async (i) => {
        await signIn('198.51.100.1', `mallory${i}`)
        await guess('198.51.100.1', `victim${i}`)
      })
      expect(through).toBeLessThan(20)
    })

    it('treats an IPv6 /64 as one address (GHSA-2967-6mrp-gg3p)', async () => {
      const { guess } = await world()
      expect(await count(1000, (i) => guess(`2001:db8:1:2::${i.toString(16)}`, `user${i}`))).toBeLessThan(20)
    })

    it('limits the attempts of all addresses and accounts together', async () => {
      const { guess, pass } = await world()
      const attack = () => count(5000, (i) => guess(`198.${Math.floor(i / 250)}.1.${i % 250}`, `user${i}`))
      // With the reserve for networks that did nothing yet.
      expect(await attack()).toBeLessThan(200 + 3 * 20 + 1)
      pass(2000)
      expect(await attack()).toBeLessThan(11)
    })

    describe('A18: a flood of wrong sign-ins from many IPv6 networks', () => {
      /** Of four providers, sixty sites and as many customers as there are, at the very accounts that people want to use. */
      const flooder = (i: number) => `2001:${(i % 4).toString(16)}:${(i % 60).toString(16)}:${i.toString(16)}::1`
      const newcomer = (i: number) => (i % 2 === 0 ? `203.0.${i}.7` : `2a02:${i.toString(16)}:1:1::7`)

      it('A18: does not keep out users from new addresses elsewhere', async () => {
        const { guess, signIn, pass } = await world()
        let at = 0
        const flood = () => count(400, () => guess(flooder(at++), `user${at % 25}`))
        await flood()
        const refused: number[] = []
        for (let i = 0; i < 25; i++) {
          await flood()
          if ((await count(1, () => signIn(newcomer(i), `user${i}`))) === 0) refused.push(i)
          pass(100)
        }
        expect(refused).toEqual([])
      })

      it('A18: is limited by provider, however many networks it comes from', async () => {
        const { guess } = await world()
        expect(await count(many, (i) => guess(flooder(i), `user${i}`))).toBeLessThan(4 * 60 + 1)
      })

      it('A18: uses no more of the shared limit than the share of its provider and site', async () => {
        const [site, provider] = [await world(), await world()]
        expect(await count(many, (i) => site.guess(`2001:db8:1:${(i % 60_000).toString(16)}::1`, `user${i}`))).toBe(30)
        expect(await count(many, (i) => provider.guess(`2001:db8:${(i % 60).toString(16)}:${i.toString(16)}::1`, `user${i}`))).toBe(60)
        // Enough is left for others who have mistyped before.
        for (let i = 0; i < 3; i++) await provider.guess('203.0.113.7', 'ann')
        expect(await count(1, () => provider.signIn('203.0.113.7', 'ann'))).toBe(1)
      })
    })

    it('does not extend delays when the clock is set back by a day (T11)', async () => {
      const { guess, pass } = await world()
      await count(100, () => guess('198.51.100.1', 'ann'))
      pass(-24 * 3600_000)
      expect(await count(1, () => guess('198.51.100.1', 'ann'))).toBe(1)
    })

    it('works without an address', async () => {
      const { guess } = await world()
      expect(await count(100, () => guess(null, 'ann'))).toBeLessThan(20)
      expect(await count(1, () => guess(null, 'ben'))).toBe(1)
    })
  })

  async function world() {
    let now = Date.parse('2026-11-21T00:00:00Z')
    const limiter = await make(() => new Date(now))
    const guess = (address: string | null, account: string) => limiter.begin({ address, account })
    return {
      guess,
      signIn: async (address: string, account: string) => (await guess(address, account)).succeeded(),
      pass: (ms: number) => void (now += ms),
    }
  }
}

/** How many of `times` attempts got through, one after the other. */
async function count(times: number, attempt: (i: number) => Promise<unknown>): Promise<number> {
  let through = 0
  for (let i = 0; i < times; i++) {
    try {
      await attempt(i)
      through += 1
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
  return through
}

async function refusalOf(attempt: () => Promise<unknown>): Promise<number> {
  try {
    await attempt()
  } catch (error) {
    if (error instanceof AppError && 'retryAfterSeconds' in error.detail) return error.detail.retryAfterSeconds
  }
  return 0
}

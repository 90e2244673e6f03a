import { describe, expect, it } from 'bun:test'
import { isAppError } from '../../shared/errors.ts'
import { createPasswords, type Hasher } from './password.ts'

describe('a password', () => {
  it('is stored as argon2id and verified', async () => {
    const passwords = createPasswords()
    const hash = await passwords.hash('correct horse')
    expect(hash).toStartWith('$argon2id$v=19$m=65536,t=2,p=1$')
    expect([await passwords.verify('correct horse', hash), await passwords.verify('Correct horse', hash)]).toEqual(['right', 'wrong'])
  })

  it('of the predecessor is verified and marked outdated, in all its variants', async () => {
    const bcrypt = await Bun.password.hash('correct horse', { algorithm: 'bcrypt', cost: 4 })
    for (const prefix of ['$2a$', '$2b$', '$2y$']) {
      const hash = bcrypt.replace(/^\$2.\$/, prefix)
      expect([await cheap().verify('correct horse', hash), await cheap().verify('wrong', hash)]).toEqual(['outdated', 'wrong'])
    }
  })

  it('longer than bcrypt’s 72 bytes still works', async () => {
    const long = 'ä'.repeat(60)
    const bcrypt = await Bun.password.hash(new Uint8Array(Buffer.from(long).subarray(0, 72)), { algorithm: 'bcrypt', cost: 4 })
    expect(await cheap().verify(long, bcrypt)).toBe('outdated')
  })

  it('is outdated if the cost was different', async () => {
    const hash = await createPasswords({ cost: { memoryKiB: 16, passes: 1 } }).hash('x')
    expect(await cheap().verify('x', hash)).toBe('outdated')
  })

  it('never matches an invalid hash', async () => {
    for (const hash of ['', 'x', 'plain', '$2a$', '$argon2i$v=19$m=8,t=1,p=1$', '$2a$10$short']) {
      expect([hash, await cheap().verify('plain', hash)]).toEqual([hash, 'wrong'])
    }
  })

  it('is refused if it is empty or longer than 1024 characters (CVE-2026-62325)', async () => {
    for (const password of ['', 'x'.repeat(1025)]) expect(await refusalOf(cheap().hash(password))).toBe('invalid-input')
    expect(await refusalOf(cheap().verify('x'.repeat(1025), null))).toBe('invalid-input')
  })

  it('costs the same work for an unknown name (GHSA-43mm-m3h2-3prc)', async () => {
    const calls: string[] = []
    const hasher: Hasher = {
      hash: async () => '',
      verify: async (_, hash) => {
        calls.push(hash.split('$').slice(0, 4).join('$'))
        return false
      },
    }
    const passwords = createPasswords({ hasher, cost: { memoryKiB: 64, passes: 3 } })
    await passwords.verify('guess', '$argon2id$v=19$m=64,t=3,p=1$c2FsdA$aGFzaA')
    await passwords.verify('guess', null)
    await passwords.verify('guess', 'not a hash')
    expect(calls).toEqual(Array.from({ length: 3 }, () => '$argon2id$v=19$m=64,t=3,p=1'))
  })

  it('never matches for an unknown name', async () => {
    const yes: Hasher = { hash: async () => '', verify: async () => true }
    expect(await createPasswords({ hasher: yes }).verify('x', null)).toBe('wrong')
  })

  it('is hashed with limited parallelism; sixty-four may wait and more are refused (I12, R8)', async () => {
    let running = 0
    let most = 0
    const gate = Promise.withResolvers<void>()
    const slow: Hasher = {
      hash: async () => '',
      verify: async () => {
        most = Math.max(most, (running += 1))
        await gate.promise
        running -= 1
        return true
      },
    }
    const passwords = createPasswords({ hasher: slow, slots: 2 })
    const turn = (i: number) => ({ priority: 'people', subject: `account ${i}`, address: null }) as const
    const all = Array.from({ length: 100 }, (_, i) => refusalOf(passwords.verify('x', null, { turn: turn(i) })))
    gate.resolve()
    const outcomes = await Promise.all(all)
    expect(outcomes.filter((code) => code === 'none')).toHaveLength(66)
    expect(outcomes.filter((code) => code === 'too-many-requests')).toHaveLength(34)
    expect(most).toBe(2)
    expect(await refusalOf(passwords.verify('x', null))).toBe('none')
  })

  describe('A5: a correct password', () => {
    const turn = { priority: 'links', subject: 'share one', address: '192.0.2.1' } as const
    const counting = () => {
      const calls = { count: 0 }
      const hasher: Hasher = {
        hash: async () => '',
        verify: async (password) => {
          calls.count += 1
          await Bun.sleep(0)
          return password === 'right'
        },
      }
      return { calls, passwords: createPasswords({ hasher, slots: 1 }) }
    }
    const HASH = '$argon2id$v=19$m=65536,t=2,p=1$c2FsdA$aGFzaA'

    it('A5: is verified once for many simultaneous and repeated requests', async () => {
      const { calls, passwords } = counting()
      const all = await Promise.all(Array.from({ length: 96 }, () => passwords.verify('right', HASH, { turn })))
      expect(new Set(all)).toEqual(new Set(['right']))
      expect(await passwords.verify('right', HASH, { turn })).toBe('right')
      expect(calls.count).toBe(1)
    })

    it('A5: is cached for its own link, hash and password only', async () => {
      const { calls, passwords } = counting()
      await passwords.verify('right', HASH, { turn })
      await passwords.verify('right', HASH, { turn: { ...turn, subject: 'share two' } })
      await passwords.verify('right', `${HASH}x`, { turn })
      expect(await passwords.verify('wrong', HASH, { turn })).toBe('wrong')
      expect(calls.count).toBe(4)
    })

    it('A5: of a disabled account, and a wrong one, cost the same work each time', async () => {
      const { calls, passwords } = counting()
      for (let i = 0; i < 3; i++) await passwords.verify('right', HASH, { turn, lets: false })
      for (let i = 0; i < 3; i++) await passwords.verify('wrong', HASH, { turn })
      expect(calls.count).toBe(6)
    })
  })
})

function cheap() {
  return createPasswords({ cost: { memoryKiB: 8, passes: 1 } })
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'none'
  } catch (error) {
    if (isAppError(error)) return error.code
    throw error
  }
}

import { describe, expect, it } from 'bun:test'
import { isAppError } from '../../shared/errors.ts'
import { createPasswords, type Hasher } from './password.ts'

describe('a password', () => {
  it('is kept as argon2id of the runtime’s strength and recognised', async () => {
    const passwords = createPasswords()
    const hash = await passwords.hash('correct horse')
    expect(hash).toStartWith('$argon2id$v=19$m=65536,t=2,p=1$')
    expect([await passwords.verify('correct horse', hash), await passwords.verify('Correct horse', hash)]).toEqual(['right', 'wrong'])
  })

  it('of the predecessor is recognised and wants to be hashed anew, in all its spellings', async () => {
    const bcrypt = await Bun.password.hash('correct horse', { algorithm: 'bcrypt', cost: 4 })
    for (const prefix of ['$2a$', '$2b$', '$2y$']) {
      const hash = bcrypt.replace(/^\$2.\$/, prefix)
      expect([await cheap().verify('correct horse', hash), await cheap().verify('wrong', hash)]).toEqual(['outdated', 'wrong'])
    }
  })

  it('longer than the 72 bytes that the predecessor looked at still signs in', async () => {
    const long = 'ä'.repeat(60)
    const bcrypt = await Bun.password.hash(new Uint8Array(Buffer.from(long).subarray(0, 72)), { algorithm: 'bcrypt', cost: 4 })
    expect(await cheap().verify(long, bcrypt)).toBe('outdated')
  })

  it('wants to be hashed anew when the cost was another', async () => {
    const hash = await createPasswords({ cost: { memoryKiB: 16, passes: 1 } }).hash('x')
    expect(await cheap().verify('x', hash)).toBe('outdated')
  })

  it('never matches a hash that is none', async () => {
    for (const hash of ['', 'x', 'plain', '$2a$', '$argon2i$v=19$m=8,t=1,p=1$', '$2a$10$short']) {
      expect([hash, await cheap().verify('plain', hash)]).toEqual([hash, 'wrong'])
    }
  })

  it('that is empty or longer than 1024 letters can be nobody’s (CVE-2026-62325)', async () => {
    for (const password of ['', 'x'.repeat(1025)]) expect(await refusalOf(cheap().hash(password))).toBe('invalid-input')
    expect(await refusalOf(cheap().verify('x'.repeat(1025), null))).toBe('invalid-input')
  })

  it('costs the same work when nobody has that name (GHSA-43mm-m3h2-3prc)', async () => {
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

  it('of nobody matches nothing, not even when the hasher says so', async () => {
    const yes: Hasher = { hash: async () => '', verify: async () => true }
    expect(await createPasswords({ hasher: yes }).verify('x', null)).toBe('wrong')
  })

  it('is hashed by few at once; thirty-two may wait and the next is asked to come back (I12, R8)', async () => {
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
    const all = Array.from({ length: 100 }, () => refusalOf(passwords.verify('x', null)))
    gate.resolve()
    const outcomes = await Promise.all(all)
    expect(outcomes.filter((code) => code === 'none')).toHaveLength(34)
    expect(outcomes.filter((code) => code === 'too-many-requests')).toHaveLength(66)
    expect(most).toBe(2)
    expect(await refusalOf(passwords.verify('x', null))).toBe('none')
  })
})

function cheap() {
  return createPasswords({ cost: { memoryKiB: 8, passes: 1 } })
}

async function refusalOf(deed: Promise<unknown>): Promise<string> {
  try {
    await deed
    return 'none'
  } catch (error) {
    if (isAppError(error)) return error.code
    throw error
  }
}

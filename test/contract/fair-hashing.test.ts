import { describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { createPasswords, type Hasher, type Passwords } from '../../src/server/users/password.ts'
import { PASSWORD, type Product, startProduct } from './world.ts'

const LINKS = 12
const CLIENTS = 96
const PEOPLE = 20
const HASH = '$argon2id$v=19$m=65536,t=2,p=1$c2FsdA$'
/** More than one that is being computed, one of each priority before it, and its own would be unfair. */
const MOST_COMPUTED_MEANWHILE = 4

/** A hasher that takes a few turns of the event loop, on one core. */
function countingHasher() {
  const started = { count: 0 }
  const work = async <T>(result: T): Promise<T> => {
    started.count += 1
    await Bun.sleep(2)
    return result
  }
  const hashed = (password: string): string => HASH + Buffer.from(password).toString('base64url')
  const hasher: Hasher = {
    hash: (password) => work(hashed(password)),
    verify: (password, hash) => work(hash === hashed(String(password))),
  }
  return { started, passwords: createPasswords({ hasher, slots: 1 }) }
}

/** Sign-ins, each of somebody else and from elsewhere. @returns the worst: its status, and how many hashes were begun meanwhile */
async function signInPeople(product: Product, started: { count: number }, people = PEOPLE): Promise<{ statuses: number[]; most: number }> {
  const statuses: number[] = []
  let most = 0
  for (let i = 0; i < people; i++) {
    const before = started.count
    const body = JSON.stringify({ username: `person ${i}`, password: PASSWORD })
    const answer = await product.ask('/api/login', { method: 'POST', body, from: { peer: `203.0.${i}.9` } })
    statuses.push(answer.status)
    most = Math.max(most, started.count - before)
  }
  return { statuses, most }
}

/** Runs what others do in so many loops until it is over. */
async function meanwhile<T>(loops: number, other: (loop: number) => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const over = new AbortController()
  const all = Array.from({ length: loops }, async (_, loop) => {
    while (!over.signal.aborted) {
      await other(loop)
      // Everything is in this process: others get their turn.
      await Bun.sleep(1)
    }
  })
  await Bun.sleep(0)
  const result = await work()
  over.abort()
  await Promise.all(all)
  return result
}

describe('A5: hashing is fair', () => {
  const withPeople = async (passwords: Passwords): Promise<Product> => {
    const product = await startProduct({ passwords })
    for (let i = 0; i < PEOPLE; i++) await product.add(`person ${i}`)
    return product
  }

  it('A5: 96 clients with the right passwords of 12 links do not delay sign-in', async () => {
    const { started, passwords } = countingHasher()
    await using product = await withPeople(passwords)
    await product.seed({ '/a.txt': 'a' })
    const hashes: string[] = []
    for (let i = 0; i < LINKS; i++) {
      const body = JSON.stringify({ password: `link password ${i}` })
      hashes.push((await product.as('ann').shares.create({ params: { path: at('/a.txt') }, body })).hash)
    }
    const visit = (loop: number) =>
      product.ask(`/api/public/share/${hashes[loop % LINKS]}`, {
        headers: { 'x-share-password': encodeURIComponent(`link password ${loop % LINKS}`) },
        from: { peer: `198.51.100.${loop}` },
      })
    const { statuses, most } = await meanwhile(CLIENTS, visit, () => signInPeople(product, started))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(most).toBeLessThanOrEqual(MOST_COMPUTED_MEANWHILE)
  }, 300_000)

  it('A5: 96 clients that guess passwords of 12 links do not delay sign-in', async () => {
    const { started, passwords } = countingHasher()
    await using product = await withPeople(passwords)
    await product.seed({ '/a.txt': 'a' })
    const hashes: string[] = []
    for (let i = 0; i < LINKS; i++) {
      const body = JSON.stringify({ password: `link password ${i}` })
      hashes.push((await product.as('ann').shares.create({ params: { path: at('/a.txt') }, body })).hash)
    }
    let guesses = 0
    const guess = (loop: number) =>
      product.ask(`/api/public/share/${hashes[loop % LINKS]}`, {
        headers: { 'x-share-password': `guess ${guesses++}` },
        from: { peer: `198.${loop}.100.7` },
      })
    const { statuses, most } = await meanwhile(CLIENTS, guess, () => signInPeople(product, started))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(most).toBeLessThanOrEqual(MOST_COMPUTED_MEANWHILE)
  }, 300_000)

  it('A5: 20 parallel requests of one account that hash passwords do not delay others', async () => {
    const { started, passwords } = countingHasher()
    await using product = await withPeople(passwords)
    await product.seed({ '/a.txt': 'a' })
    const token = await product.signIn('ann')
    let made = 0
    const share = () =>
      product.ask('/api/share/a.txt', {
        method: 'POST',
        headers: { 'x-auth': token },
        body: JSON.stringify({ password: `password ${made++}` }),
      })
    const { statuses, most } = await meanwhile(20, share, () => signInPeople(product, started))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(most).toBeLessThanOrEqual(MOST_COMPUTED_MEANWHILE)
  }, 300_000)

  it('A5: with a single queue, they would wait for all of them', async () => {
    const { started, passwords } = countingHasher()
    // The mechanism off: nobody is told apart, and nothing is remembered.
    const alike = { priority: 'people', address: null } as const
    let asked = 0
    const unfair: Passwords = {
      ...passwords,
      verify: (password, hash) => passwords.verify(password, hash, { lets: false, turn: { ...alike, subject: String(asked++) } }),
    }
    await using product = await withPeople(unfair)
    await product.seed({ '/a.txt': 'a' })
    const { hash } = await product.as('ann').shares.create({ params: { path: at('/a.txt') }, body: '{"password":"link password"}' })
    const visit = (loop: number) =>
      product.ask(`/api/public/share/${hash}`, { headers: { 'x-share-password': 'link password' }, from: { peer: `198.51.100.${loop}` } })
    const { statuses, most } = await meanwhile(CLIENTS, visit, () => signInPeople(product, started, 2))
    expect(statuses.includes(429) || most > 20).toBe(true)
  }, 300_000)
})

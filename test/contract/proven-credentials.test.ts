import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { createPasswords } from '../../src/server/users/password.ts'
import { PROVEN_MS } from '../../src/server/dav/password-identities.ts'
import { onlyInProcess } from './over-http.ts'
import { basic, bearer, makeToken } from './token-world.ts'
import { PASSWORD, PEER, type Product, startProduct } from './world.ts'

// Two servers, on a machine that may be busy.
setDefaultTimeout(60_000)

const REQUESTS = 20
const ELSEWHERE = '203.0.113.9'

describe('credentials on two servers of one database', () => {
  it('A5: a password is hashed once for many requests, and ends on both within a second of its change', async () => {
    await using servers = await startTwo()
    const { product, hashed, here, there } = servers
    const both = async (password = PASSWORD) => [await here(basic('ann', password)), await there(basic('ann', password))]
    expect([await repeated(() => both()), hashed()]).toEqual(['207 207', 1])
    // Both are asked to prove it anew; the right answer is known for five minutes of the real clock.
    product.pass(PROVEN_MS + 1)
    expect([await repeated(() => both()), hashed()]).toEqual(['207 207', 1])

    const { id } = await product.account('ann')
    await product.world.users.setPassword(id, 'another good password')
    product.pass(1000)
    expect([await both(), await both('another good password')]).toEqual([
      [401, 401],
      [207, 207],
    ])
    await product.world.users.setDisabled(id, { disabled: true })
    product.pass(1000)
    expect(await both('another good password')).toEqual([401, 401])
  })

  it('A5: a token is never hashed as a password is, by neither way, and ends on both within a second of its revocation', async () => {
    await using servers = await startTwo()
    const { product, hashed, here, there } = servers
    const { token, id } = await makeToken(product, 'ann')
    const before = hashed()
    const ways = [basic('ann', token), bearer(token)]
    const all = async () => {
      const statuses = []
      for (const headers of ways)
        statuses.push(await here(headers), await there(headers), await here(headers, LIST), await there(headers, LIST))
      return statuses
    }
    const everywhere = [207, 207, 200, 200, 207, 207, 200, 200]
    expect(await repeated(all)).toBe(everywhere.join(' '))
    product.pass(PROVEN_MS + 1)
    expect([await all(), hashed()]).toEqual([everywhere, before])

    await product.world.tokens.remove(id, { userId: null }, { by: { id: 1, name: 'root' }, address: null })
    product.pass(1000)
    expect([new Set(await all()), hashed()]).toEqual([new Set([401]), before])
  })

  it('A5: guesses are slowed down where they come from, cost tokens no hash, and keep nobody else out', async () => {
    await using servers = await startTwo()
    const { product, hashed, here } = servers
    const { token } = await makeToken(product, 'ann')
    expect(await here(basic('ann'))).toBe(207)
    const before = hashed()
    const from = { peer: ELSEWHERE }
    const guesses: number[] = []
    for (let n = 0; n < 30; n++) guesses.push(await here(basic('ann', `satchel_${String(n).padStart(46, '0')}`), DAV, from))
    expect([guesses[0], guesses.at(-1), hashed()]).toEqual([401, 429, before])
    // The right token, and the right password, come through from there.
    expect([await here(basic('ann', token), DAV, from), await here(basic('ann'), DAV, from)]).toEqual([207, 207])

    const wrong: number[] = []
    for (let n = 0; n < 30; n++) wrong.push(await here(basic('ann', `wrong ${n}`), DAV, { peer: '198.51.100.4' }))
    expect([wrong[0], wrong.at(-1)]).toEqual([401, 429])
    const counted = hashed()
    expect(await here(basic('ann', 'one more'), DAV, { peer: '198.51.100.4' })).toBe(429)
    // Refused requests cost nothing, and people who were proven notice nothing.
    expect([await here(basic('ann')), await here(basic('ann', token), DAV, { peer: '198.51.100.4' }), hashed()]).toEqual([
      207,
      207,
      counted,
    ])
  })
})

const DAV = { method: 'PROPFIND', path: '/dav/' }
const LIST = { method: 'GET', path: '/api/resources/' }

type Ask = (headers: Record<string, string>, call?: typeof DAV, from?: { peer: string }) => Promise<number>

interface TwoServers extends AsyncDisposable {
  readonly product: Product
  readonly hashed: () => number
  readonly here: Ask
  readonly there: Ask
}

/** Two servers over one database, whose clocks stand still. They count together how often a password is compared with a hash. */
async function startTwo(): Promise<TwoServers> {
  onlyInProcess('two servers of one database, and hashing')
  let count = 0
  const text = (password: string | Uint8Array) => Buffer.from(password).toString('base64').replaceAll('=', '')
  const hasher = {
    hash: async (password: string) => `$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$${text(password)}`,
    async verify(password: string | Uint8Array, hash: string) {
      count += 1
      return hash.endsWith(`$${text(password)}`)
    },
  }
  const product = await startProduct({ passwords: createPasswords({ cost: { memoryKiB: 8, passes: 1 }, hasher }) })
  const first = product.app
  product.restart()
  product.stopClock()
  const second = product.app
  const asking =
    (app: Product['app']): Ask =>
    async (headers, { method, path } = DAV, from = { peer: PEER }) => {
      const init = { method, headers: { depth: '0', ...headers } }
      return (await app.fetch(new Request(`http://satchel.test${path}`, init), { secure: false, ...from })).status
    }
  return {
    product,
    hashed: () => count,
    here: asking(first),
    there: asking(second),
    [Symbol.asyncDispose]: () => product[Symbol.asyncDispose](),
  }
}

/** What each of many rounds told, if all told the same. */
async function repeated(round: () => Promise<number[]>): Promise<string> {
  const told = new Set<string>()
  for (let i = 0; i < REQUESTS; i++) told.add((await round()).join(' '))
  return [...told].join(', ')
}

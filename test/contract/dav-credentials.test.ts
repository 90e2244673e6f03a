import { describe, expect, it } from 'bun:test'
import { createPasswords } from '../../src/server/users/password.ts'
import { PROVEN_MS } from '../../src/server/dav/password-identities.ts'
import { basic, dav, davStatus } from './dav-calls.ts'
import { onlyInProcess } from './over-http.ts'
import { onEachStorage, type Product, startProduct } from './world.ts'

/** A product that counts how often a password is hashed. */
async function counting(): Promise<{ product: Product; hashed: () => number }> {
  let count = 0
  const hasher = {
    hash: async (password: string) =>
      `$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$${Buffer.from(password).toString('base64').replaceAll('=', '')}`,
    async verify(password: string | Uint8Array, hash: string) {
      count += 1
      return hash.endsWith(`$${Buffer.from(password).toString('base64').replaceAll('=', '')}`)
    },
  }
  const product = await startProduct({ passwords: createPasswords({ cost: { memoryKiB: 8, passes: 1 }, hasher }) })
  return { product, hashed: () => count }
}

const GET = 'PROPFIND /'
const DEPTH = { headers: { depth: '0' } }

describe('credentials of WebDAV', () => {
  it('A5: a password that was proven is not hashed again within its minute, nor by many requests at once', async () => {
    onlyInProcess('hashing')
    const { product, hashed } = await counting()
    await using _ = product
    product.stopClock()
    const statuses = await Promise.all(Array.from({ length: 30 }, () => davStatus(product, GET, DEPTH)))
    expect([new Set(statuses), hashed()]).toEqual([new Set([207]), 1])
    product.pass(PROVEN_MS - 1000)
    for (let i = 0; i < 20; i++) expect(await davStatus(product, GET, DEPTH)).toBe(207)
    expect(hashed()).toBe(1)
  })

  it('dav-attack-4: a password that was proven from one network is an attempt from another', async () => {
    onlyInProcess('hashing')
    const { product, hashed } = await counting()
    await using _ = product
    product.stopClock()
    expect(await davStatus(product, GET, DEPTH)).toBe(207)
    const from = { peer: '203.0.113.9' }
    const wrong = []
    for (let i = 0; i < 14; i++) wrong.push(await davStatus(product, GET, { ...DEPTH, password: `wrong ${i}`, from }))
    expect(wrong.at(-1)).toBe(429)
    const before = hashed()
    // The right one, too, is refused before it is looked at.
    expect([await davStatus(product, GET, { ...DEPTH, from }), hashed()]).toEqual([429, before])
    expect(await davStatus(product, GET, DEPTH)).toBe(207)
  })

  it('wrong passwords are counted together with those of signing in, and right ones are not', async () => {
    onlyInProcess('the clock')
    const { product } = await counting()
    await using _ = product
    product.stopClock()
    for (let i = 0; i < 50; i++) expect(await davStatus(product, GET, DEPTH)).toBe(207)
    const from = { peer: '203.0.113.9' }
    const wrong = []
    for (let i = 0; i < 14; i++) wrong.push(await davStatus(product, GET, { ...DEPTH, password: `wrong ${i}`, from }))
    expect([wrong[0], wrong.at(-1)]).toEqual([401, 429])
    const signIn = await product.ask('/api/login', { method: 'POST', body: JSON.stringify({ username: 'ann', password: 'wrong' }), from })
    expect(signIn.status).toBe(429)
  })
})

onEachStorage((product) => {
  const status = (...args: Parameters<typeof davStatus> extends [unknown, ...infer Rest] ? Rest : never) => davStatus(product(), ...args)

  describe('credentials of WebDAV', () => {
    it('are asked for with a challenge in UTF-8 (RFC 7617), and nothing else counts', async () => {
      await product().add('jürgen')
      const { token, cookie } = await product().signInWeb('ann')
      for (const headers of [
        {},
        { cookie },
        { cookie, 'x-auth': token },
        { authorization: 'Bearer nonsense' },
        { authorization: basic('ann', 'wrong') },
      ]) {
        const refused = await product().ask('/dav/', { headers: headers as Record<string, string>, method: 'PROPFIND' })
        expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Satchel", charset="UTF-8"'])
      }
      expect(await status(GET, { as: 'jürgen', ...DEPTH })).toBe(207)
    })

    it('end with the account, its password and its token within a second, and at once on this server', async () => {
      const token = await tokenFor(product())
      const both = async () => [await status(GET, DEPTH), await status(GET, { ...DEPTH, password: token })]
      expect(await both()).toEqual([207, 207])
      const { id } = await product().account('ann')
      await product().world.users.setDisabled(id, { disabled: true })
      expect(await both()).toEqual([401, 401])
      await product().world.users.setDisabled(id, { disabled: false })
      expect(await status(GET, DEPTH)).toBe(207)
      await product().world.users.setPassword(id, 'another good password')
      expect([await status(GET, DEPTH), await status(GET, { ...DEPTH, password: 'another good password' })]).toEqual([401, 207])
    })

    it('of an account with a second factor are tokens, and no password (CVE-2026-57490)', async () => {
      const { id } = await product().account('ann')
      const token = await tokenFor(product())
      expect(await status(GET, DEPTH)).toBe(207)
      await product().db.updateTable('users').set({ second_factor: 1 }).where('id', '=', id).execute()
      await product().world.users.endSessions(id)
      const refused = await dav(product(), GET, DEPTH)
      expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('use an API token')])
      expect(await status(GET, { ...DEPTH, password: token })).toBe(207)
    })

    it('do not count from pages of other origins, whatever the method, and no page may read an answer', async () => {
      await product().seed({ '/a.txt': 'a' })
      const foreign: Record<string, string>[] = [
        { origin: 'https://evil.example' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ]
      for (const method of ['OPTIONS', 'GET', 'PUT', 'DELETE', 'PROPFIND'])
        for (const headers of foreign) {
          const refused = await dav(product(), `${method} /a.txt`, { headers })
          expect([method, refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([method, 403, null])
        }
      expect(await product().read('/a.txt')).toBe('a')
    })

    it('open nothing where WebDAV is switched off', async () => {
      expect(await status('OPTIONS /')).toBe(200)
      await product().world.settings.change((settings) => ({ ...settings, webdav: false }))
      expect([await status('OPTIONS /'), await status(GET, DEPTH)]).toEqual([404, 404])
    })

    it('are noted once for each network, and so is each failure', async () => {
      for (let i = 0; i < 3; i++) await status(GET, DEPTH)
      await status(GET, { ...DEPTH, password: 'wrong' })
      const { entries } = await product().as('root').audit.list({ query: {} })
      const told = entries.filter(({ kind, subject }) => subject === 'ann' && kind.startsWith('sign-in')).map(({ kind }) => kind)
      expect(told.toSorted()).toEqual(['sign-in', 'sign-in-failed'])
    })
  })
})

async function tokenFor(product: Product): Promise<string> {
  const perm = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: false, download: true }
  return (await product.as('ann').tokens.create({ body: { name: 'laptop', perm, folder: '/', expires: null } })).token
}

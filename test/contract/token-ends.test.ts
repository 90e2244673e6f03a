import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { basic, bearer, clientWith, makeToken, type MadeToken, only } from './token-world.ts'
import { until } from './until.ts'
import { EVERYTHING, HOUR_MS, PASSWORD, type Product, startProduct, withToken } from './world.ts'

const LIST = '/api/resources/'
const NEW_PASSWORD = 'another horse battery'
const MINUTE_MS = 60_000

let product: Product
let made: MadeToken
beforeEach(async () => {
  product = await startProduct({ livePace: { debounceMs: 1, minIntervalMs: 1, heartbeatMs: 20, pollMs: 600_000 } })
  await product.seed({ '/a.txt': 'a', '/docs/b.txt': 'b' })
  made = await makeToken(product, 'ann')
})
afterEach(() => product[Symbol.asyncDispose]())

const status = async (token = made.token) => (await product.ask(LIST, { headers: bearer(token) })).status
const tokensOfAnn = async () => (await product.db.selectFrom('api_tokens').selectAll().where('user_id', '=', made.userID).execute()).length

describe('a token ends', () => {
  it('at its end, and is listed for another month', async () => {
    const short = await makeToken(product, 'ann', { expires: Date.now() + HOUR_MS })
    expect(await status(short.token)).toBe(200)
    product.pass(HOUR_MS + 1000)
    expect([await status(short.token), await status()]).toEqual([401, 200])
    await product.world.tidy()
    expect(await tokensOfAnn()).toBe(2)
    product.pass(31 * 24 * HOUR_MS)
    await product.world.tidy()
    expect(await tokensOfAnn()).toBe(1)
  })

  it('at once when it is revoked, and within a second on other servers', async () => {
    const here = product.world
    product.restart()
    const there = product.world
    const identify = (world: typeof here) => world.identifyToken({ secret: made.token, username: null }, { address: null })
    product.stopClock()
    expect([(await identify(here))?.username, (await identify(there))?.username]).toEqual(['ann', 'ann'])
    await there.tokens.remove(made.id, { userId: null }, { by: { id: 1, name: 'root' }, address: null })
    expect(await identify(there)).toBeNull()
    product.pass(1000)
    expect(await identify(here)).toBeNull()
  })

  it('with its account: removed, disabled, or given a password by an administrator; it does not come back (R12)', async () => {
    const { id } = await product.account('ann')
    const change = (data: Record<string, unknown>) =>
      product.as('root').users.update({ params: { id: String(id) }, body: { what: 'user', which: Object.keys(data), data } })
    await change({ disabled: true })
    expect(await status()).toBe(401)
    await change({ disabled: false })
    expect(await status()).toBe(401)
    await makeAgain()
    await change({ password: NEW_PASSWORD })
    expect([await status(), await tokensOfAnn()]).toEqual([401, 0])
    const again = await product.world.tokens.create(
      { id, username: 'ann', may: EVERYTHING },
      { name: 'last', perm: only('download'), folder: '/', expires: null },
      { by: { id: 1, name: 'root' }, address: null },
    )
    expect(await status(again.token)).toBe(200)
    await product.as('root').users.remove({ params: { id: String(id) }, body: '' })
    expect([await status(again.token), await tokensOfAnn()]).toEqual([401, 0])
  })

  it('not with a new password of one’s own (GHSA-v7vv-5wj2-gfcj: that ends sessions)', async () => {
    const id = String((await product.account('ann')).id)
    const session = await product.signIn('ann')
    await product.as('ann').users.update({ params: { id }, body: { what: 'user', which: ['password'], data: { password: NEW_PASSWORD } } })
    expect((await product.ask(LIST, withToken({}, session))).status).toBe(401)
    expect(await status()).toBe(200)
  })

  it('when its user signs out everywhere and says so, otherwise not', async () => {
    await product.ask('/api/sessions', withToken({ method: 'DELETE' }, await product.signIn('ann')))
    expect(await status()).toBe(200)
    await product.ask('/api/sessions?tokens=true', withToken({ method: 'DELETE' }, await product.signIn('ann')))
    expect([await status(), await tokensOfAnn()]).toEqual([401, 0])
  })

  it('for event streams at the next sign of life', async () => {
    const short = await makeToken(product, 'ann', { expires: Date.now() + HOUR_MS })
    const response = await product.ask('/api/live/docs/', { headers: bearer(short.token) })
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('event: ready')
    product.pass(HOUR_MS + 1000)
    for (let end = false; !end;) end = (await reader?.read().catch(() => ({ done: true })))?.done === true
    expect(await status(short.token)).toBe(401)
  })

  it('never gives a job more rights than it has', async () => {
    const { token } = await makeToken(product, 'ann', { perm: only('create', 'download') })
    const move = { kind: 'move' as const, items: [{ from: '/a.txt', to: '/docs/a.txt' }] }
    const begun = await product.ask('/api/jobs', withToken({ method: 'POST', body: JSON.stringify(move) }, token))
    expect(begun.status).toBe(403)
    expect(await product.read('/a.txt')).toBe('a')
  })

  it('never above the printed password of the first start: until that is changed, no token does anything', async () => {
    const { hashOf } = await import('../../src/server/db/secret.ts')
    const { passwordHash } = await product.account('ann')
    await product.world.settings.change((before) => ({ ...before, printedPassword: hashOf(passwordHash) }))
    expect(await status()).toBe(403)
  })

  async function makeAgain(): Promise<void> {
    const { id } = await product.account('ann')
    await product.world.tokens.create(
      { id, username: 'ann', may: EVERYTHING },
      { name: 'again', perm: only('download'), folder: '/', expires: null },
      { by: { id: 1, name: 'root' }, address: null },
    )
  }
})

describe('wrong tokens', () => {
  const from = { peer: '198.51.100.7' }
  const guess = (n: number) => product.ask(LIST, { headers: bearer(`satchel_${String(n).padStart(46, '0')}`), from })

  it('are slowed down for each address, and keep nobody else out: neither right tokens nor passwords from there (A5)', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 30; n++) statuses.push((await guess(n)).status)
    expect(statuses.slice(0, 10)).toEqual(Array<number>(10).fill(401))
    expect(statuses.at(-1)).toBe(429)
    expect((await product.ask(LIST, { headers: bearer(made.token), from })).status).toBe(200)
    const many = await Promise.all(Array.from({ length: 50 }, () => product.ask(LIST, { headers: basic('ann', made.token), from })))
    expect(many.every(({ status: one }) => one === 200)).toBe(true)
    const body = JSON.stringify({ username: 'ann', password: PASSWORD })
    expect((await product.ask('/api/login', { method: 'POST', body, from })).status).toBe(200)
  })
})

describe('what is remembered of a token', () => {
  const mine = async () => (await product.as('ann').tokens.list({})).find(({ id }) => id === made.id)
  const kinds = async () => {
    await product.world.trail.settled()
    return (await product.db.selectFrom('audit').selectAll().orderBy('id').execute()).filter(({ kind }) => kind.startsWith('api-token'))
  }

  it('is the last use with its address, once a minute', async () => {
    product.stopClock()
    expect(await mine()).toMatchObject({ lastUsed: null, lastAddress: '' })
    await product.ask(LIST, { headers: bearer(made.token), from: { peer: '192.0.2.1' } })
    const first = await mine()
    expect(first?.lastAddress).toBe('192.0.2.1')
    product.pass(MINUTE_MS - 1)
    await status()
    await product.ask(LIST, { headers: bearer(made.token), from: { peer: '192.0.2.1' } })
    product.pass(MINUTE_MS)
    await product.ask(LIST, { headers: bearer(made.token), from: { peer: '192.0.2.1' } })
    expect((await mine())?.lastUsed).toBe((first?.lastUsed ?? 0) + 2 * MINUTE_MS - 1)
  })

  it('is in the activity log: made, used from a new address, revoked; and which token did something', async () => {
    const peers = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2']
    for (const peer of peers) await product.ask(LIST, { headers: bearer(made.token), from: { peer } })
    await clientWith(product, made.token).shares.create({ params: { path: at('/a.txt') }, body: '' })
    await product.as('root').tokens.remove({ params: { id: made.id } })
    const lines = (await kinds()).map(({ kind, who, address, subject }) => [kind, who, address, subject])
    expect(
      lines.filter(([, , address]) => address?.startsWith('2001') || address?.startsWith('192.0.2.1') || address === '192.0.2.2'),
    ).toEqual([
      ['api-token-used', 'ann', '192.0.2.1', 'script'],
      ['api-token-used', 'ann', '192.0.2.2', 'script'],
      ['api-token-used', 'ann', '2001:db8::1', 'script'],
    ])
    expect(lines[0]?.slice(0, 2)).toEqual(['api-token-created', 'ann'])
    expect(lines.at(-1)?.slice(0, 2)).toEqual(['api-token-removed', 'root'])
    const shared = await product.db.selectFrom('audit').selectAll().where('kind', '=', 'share-created').executeTakeFirstOrThrow()
    expect(JSON.parse(shared.details)).toContainEqual({ place: 'token', before: null, after: 'script' })
  })

  it('is the way by which files were changed', async () => {
    await clientWith(product, made.token).resources.upload({ params: { path: at('/new.txt') }, body: 'new' })
    const written = () => product.db.selectFrom('operations').select('via').where('name', '=', 'new.txt').executeTakeFirst()
    await until(async () => (await written()) !== undefined)
    expect(await written()).toEqual({ via: 'token' })
  })
})

describe('a token without rights', () => {
  it('sees names, and nothing else', async () => {
    const { token } = await makeToken(product, 'ann', { perm: NO_RIGHTS })
    expect(await status(token)).toBe(200)
    expect((await product.ask('/api/raw/a.txt', { headers: bearer(token) })).status).toBe(202)
    expect((await product.ask('/api/resources/a.txt', { method: 'DELETE', headers: bearer(token) })).status).toBe(403)
  })
})

import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { addProvider, beginSignIn, callback, createBrowser, finishSignIn } from '../oidc/browser.ts'
import { startFakeProvider } from '../oidc/fake-provider.ts'
import { secretIn, startMailServer } from '../mail-server.ts'
import { createCalls } from './second-factors.ts'
import { refusal } from './trash-calls.ts'
import { until } from './until.ts'
import { EVERYTHING, type Product, startProduct } from './world.ts'

// What an attacker found who had not built it: each attack succeeded once.
setDefaultTimeout(60_000)

const OTHER = 'another long password'
const FILES = 300
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function idOf(product: Product, name: string): Promise<number> {
  return (await product.account(name)).id
}

describe('people-attack-1: a long undo', () => {
  async function begun(product: Product) {
    await product.seed({ '/d/keep.txt': 'kept' })
    const group = crypto.randomUUID()
    for (let n = 0; n < FILES; n++) await product.ask(`/api/resources/d/${n}`, { who: 'ann', method: 'POST', body: 'x' })
    for (let n = 0; n < FILES; n++)
      await product.ask(`/api/resources/d/${n}`, { who: 'ann', method: 'DELETE', headers: { 'x-satchel-operation': group } })
    const { job } = await product.as('ann').operations.undo({ params: { group } })
    expect(job).not.toBeNull()
    const count = async () => Object.keys(await product.snapshot()).filter((path) => /^\/d\/\d+$/.test(path)).length
    await until(async () => (await count()) > 5)
    return { count }
  }

  /** Long after it would have been done. */
  const isStopped = async (count: () => Promise<number>): Promise<boolean> => {
    const before = await count()
    await Bun.sleep(500)
    return before < FILES && (await count()) === before
  }

  it('ends when its account is disabled', async () => {
    await using product = await startProduct({ storage: 'local' })
    const { count } = await begun(product)
    await product.as('root').people.change({ body: { ids: [await idOf(product, 'ann')], change: { action: 'disable' } } })
    await Bun.sleep(200)
    expect(await isStopped(count)).toBe(true)
  })

  it('ends when the right to create is taken away', async () => {
    await using product = await startProduct({ storage: 'local' })
    const { count } = await begun(product)
    await product.setRights('ann', { ...EVERYTHING, create: false })
    await Bun.sleep(200)
    expect(await isStopped(count)).toBe(true)
  })
})

describe('people-attack-5: an administrator by a group', () => {
  async function withBoss(product: Product): Promise<void> {
    await product.add('boss')
    const { id } = await product.as('root').groups.create({ body: { name: 'bosses', perm: { ...EVERYTHING, admin: true } } })
    const user = String(await idOf(product, 'boss'))
    await product.as('root').groups.addMember({ params: { id: String(id), user }, body: {} })
  }

  it('needs the second factor that administrators need, and is listed as one', async () => {
    await using product = await startProduct()
    await withBoss(product)
    await product.world.settings.change((before) => ({ ...before, secondFactorFor: 'administrators' }))
    const answer = await product.ask('/api/users', { headers: { 'x-auth': await product.signIn('boss'), accept: 'application/json' } })
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('second-factor-setup-needed')])
    await product.world.settings.change((before) => ({ ...before, secondFactorFor: 'nobody' }))
    const { people } = await product.as('root').people.list({ query: { only: 'administrators' } })
    expect(people.map(({ username, admin }) => [username, admin])).toContainEqual(['boss', true])
  })

  it('is not made by an imported list', async () => {
    await using product = await startProduct()
    await withBoss(product)
    const people = [{ username: 'new', scope: '/new', groups: ['bosses'] }]
    const [line] = (await product.as('root').people.import({ body: { people, preview: false, mail: false } })).people
    expect([line?.state, line?.issues]).toEqual(['refused', ['groups: "bosses" makes administrators']])
  })
})

it('people-attack-7: a mail address that somebody asked for cannot be confirmed after the password was changed', async () => {
  await using product = await startProduct()
  await using server = await startMailServer()
  const { port } = server
  await product.world.settings.change((before) => ({
    ...before,
    mail: { ...before.mail, host: '127.0.0.1', port, security: 'none', from: 'files@example.org', site: 'https://files.example.org' },
  }))
  const id = await idOf(product, 'ann')
  await product.as('ann').mail.setAddress({ params: { id: String(id) }, body: { address: 'mallory@example.org' } })
  await until(async () => server.arrived.length === 1)
  const [mail] = server.arrived
  if (mail === undefined) throw new Error('no mail')
  await product.world.users.setPassword(id, OTHER)
  expect(await refusal(product.as('visitor').passwordLinks.use({ body: { secret: secretIn(mail) } }))).toBe('not-found')
})

describe('people-attack-9: a sign-in at a provider that is not finished', () => {
  const ADA = { sub: 'subject-of-ada', preferred_username: 'ada', sid: 'session-1' }

  async function proved(product: Product, fake: Awaited<ReturnType<typeof startFakeProvider>>) {
    const browser = createBrowser(product)
    await callback(browser, fake.authorize(await beginSignIn(browser), ADA))
    return () => finishSignIn(browser)
  }

  it('opens no session after “Sign out everywhere”, after the connection was removed, and after the provider said that the person left', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    await addProvider(product, fake.issuer)
    const first = await proved(product, fake)
    expect((await first()).status).toBe(200)
    const ada = await idOf(product, 'ada')

    const second = await proved(product, fake)
    await product.world.sessions.endAllOf(ada)
    expect((await second()).status).toBe(403)

    const third = await proved(product, fake)
    const body = new URLSearchParams({ logout_token: await fake.logoutToken({ sub: ADA.sub }) }).toString()
    expect((await product.ask('/api/oidc/idp/backchannel', { method: 'POST', body, headers: FORM })).status).toBe(200)
    expect((await third()).status).toBe(403)

    const fourth = await proved(product, fake)
    await product.as('root').providers.unlink({ body: { issuer: fake.issuer, subject: ADA.sub } })
    expect((await fourth()).status).toBe(403)
  })
})

it('people-attack-13: codes of an authenticator app that is being set up are counted, and its key ends', async () => {
  await using product = await startProduct()
  product.stopClock()
  const calls = createCalls(product)
  const token = await product.signIn('ann')
  await calls.send('/api/factors/totp', null, { token })
  const statuses = new Set<number>()
  for (let n = 0; n < 60; n++) statuses.add((await calls.send('/api/factors/totp/confirm', { code: '000000' }, { token })).status)
  expect(statuses).toContain(429)
})

it('people-attack-13: removing a provider and disconnecting somebody need a proof', async () => {
  await using product = await startProduct()
  await using fake = await startFakeProvider()
  product.stopClock()
  await addProvider(product, fake.issuer)
  const root = product.as('root')
  product.pass(6 * 60_000)
  expect(await refusal(root.providers.unlink({ body: { issuer: fake.issuer, subject: 'x' } }))).toBe('proof-needed')
  expect(await refusal(root.providers.remove({ params: { id: 'idp' }, body: {} }))).toBe('proof-needed')
})

it('people-attack-14: invisible characters do not list accounts, and ids cannot be tried one after another', async () => {
  await using product = await startProduct()
  await product.seed({ '/a.txt': 'a' })
  await product.add('eve')
  expect(await product.as('ann').peopleShares.find({ query: { text: '\u200b\u00ad' } })).toEqual([])
  const share = (id: number) =>
    refusal(product.as('ann').peopleShares.create({ params: { path: at('/a.txt') }, body: { who: { kind: 'user', id }, role: 'viewer' } }))
  const answers = new Set<string | null>()
  for (let id = 1000; id < 1300; id++) answers.add(await share(id))
  expect(answers).toContain('too-many-requests')
})

it('people-attack-15: an API token prolongs no share beyond its own rights', async () => {
  await using product = await startProduct()
  await product.seed({ '/a.txt': 'a' })
  await product.add('eve')
  const who = { kind: 'user' as const, id: await idOf(product, 'eve') }
  const expire = Math.floor(Date.now() / 1000) + 3600
  const made = await product.as('ann').peopleShares.create({ params: { path: at('/a.txt') }, body: { who, role: 'editor', expire } })
  const perm = { ...EVERYTHING, admin: false, execute: false, modify: false, create: false, rename: false, delete: false }
  const { token } = await product.as('ann').tokens.create({ body: { name: 't', perm, folder: '/', expires: null } })
  const answer = await product.ask(`/api/people-shares/${made.id}`, {
    method: 'PATCH',
    body: JSON.stringify({ expire: 0 }),
    headers: { 'x-auth': token, 'content-type': 'application/json' },
  })
  expect(answer.status).toBe(403)
})

it('people-attack-16: recipients who may only read see no earlier contents, and nobody removes versions through a share', async () => {
  await using product = await startProduct({ storage: 'local' })
  await product.seed({ '/a.txt': 'the secret before' })
  await product.add('eve')
  await product.ask('/api/resources/a.txt', { who: 'ann', method: 'PUT', body: 'after' })
  const who = { kind: 'user' as const, id: await idOf(product, 'eve') }
  const share = (role: 'viewer' | 'editor') =>
    product.as('ann').peopleShares.create({ params: { path: at('/a.txt') }, body: { who, role } })
  const { id } = await share('viewer')
  const [version] = (await product.as('ann').versions.list({ params: { path: at('/a.txt') } })).versions
  const ask = async (method: string, query = '') =>
    (await product.ask(`/with-me/${id}/api/versions/a.txt${query}`, { who: 'eve', method, headers: { accept: 'application/json' } })).status
  expect([await ask('GET'), await ask('GET', `?id=${version?.id}`)]).toEqual([403, 403])
  await share('editor')
  expect([await ask('GET'), await ask('GET', `?id=${version?.id}`), await ask('DELETE', `?id=${version?.id}`)]).toEqual([200, 200, 403])
})

import { afterEach, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { type Browser, addProvider, callback, createBrowser, FIELDS, finishSignIn } from '../oidc/browser.ts'
import { type FakeProvider, startFakeProvider } from '../oidc/fake-provider.ts'
import { createCalls } from './second-factors.ts'
import { type Product, startProduct } from './world.ts'

// Keys are made and hashes computed, on a machine that may be busy.
setDefaultTimeout(30_000)

let product: Product
let fake: FakeProvider
let calls: ReturnType<typeof createCalls>
beforeEach(async () => {
  product = await startProduct()
  fake = await startFakeProvider()
  calls = createCalls(product)
})
afterEach(async () => {
  await fake[Symbol.asyncDispose]()
  await product[Symbol.asyncDispose]()
})

const ADA = { sub: 'subject-of-ada', preferred_username: 'ada' }

interface SignedIn {
  readonly browser: Browser
  readonly back: { path: string; query: Record<string, string> }
  readonly status: number
  /** The token, or what the server says instead. */
  readonly token: string
}

async function enter(person: Record<string, unknown> = {}, { again = false, id = 'idp' } = {}): Promise<SignedIn> {
  const browser = createBrowser(product)
  const begun = await browser.go(`/api/oidc/${id}/start?to=/files/${again ? '&again=true' : ''}`)
  const back = await callback(browser, fake.authorize(begun.headers.get('location') ?? '', { ...ADA, ...person }))
  return { browser, back, ...(await finishSignIn(browser)) }
}

async function change(fields: object): Promise<void> {
  await product.as('root').providers.update({ params: { id: 'idp' }, body: { ...FIELDS, issuer: fake.issuer, ...fields } })
}

const ask = async ({ browser, token }: SignedIn, address: string, { method = 'POST', body }: { method?: string; body?: object } = {}) => {
  const headers = { 'x-auth': token, 'x-satchel-web': '1', accept: 'application/json' }
  const answer = await browser.go(address, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  return { status: answer.status, text: await answer.text() }
}

/** Who is in a group, with who added them. */
async function members(group: number): Promise<string[]> {
  const { members: found } = await product.as('root').groups.members({ params: { id: String(group) }, query: {} })
  return found.map(({ username, source }) => `${username} (${source})`)
}

async function makeGroup(name: string): Promise<number> {
  return (await product.as('root').groups.create({ body: { name, perm: { ...NO_RIGHTS, share: true } } })).id
}

describe('groups from claims', () => {
  const ofAda = async () => (await product.account('ada')).id

  it('are joined and left at each sign-in; what an administrator gave stays', async () => {
    const [staff, sales] = [await makeGroup('Staff'), await makeGroup('Sales')]
    await addProvider(product, fake.issuer)
    const groups = {
      claim: 'roles',
      map: [
        { group: staff, values: ['staff', 'boss'] },
        { group: sales, values: ['sales'] },
        { group: 9999, values: ['staff'] },
      ],
    }
    await change({ groups })
    await enter({ roles: ['staff', 'other'] })
    expect([await members(staff), await members(sales)]).toEqual([['ada (oidc idp)'], []])
    await product.as('root').groups.addMember({ params: { id: String(sales), user: String(await ofAda()) }, body: {} })
    await enter({ roles: ['boss', 'sales'] })
    expect([await members(staff), await members(sales)]).toEqual([['ada (oidc idp)'], ['ada (ours)']])
    await enter({ roles: 'none' })
    expect([await members(staff), await members(sales)]).toEqual([[], ['ada (ours)']])
    await enter({ roles: ['staff'] })
    await enter()
    expect(await members(staff)).toEqual([])
  })

  it('give nothing without a setting, whatever the provider says', async () => {
    const staff = await makeGroup('staff')
    await addProvider(product, fake.issuer)
    await enter({ groups: ['staff', String(staff)], roles: ['staff'] })
    expect(await members(staff)).toEqual([])
    // A mail address counts only if it is verified.
    await change({ groups: { claim: 'email', map: [{ group: staff, values: ['ada@example.org'] }] } })
    await enter({ email: 'ada@example.org' })
    expect(await members(staff)).toEqual([])
    await enter({ email: 'ada@example.org', email_verified: true })
    expect(await members(staff)).toEqual(['ada (oidc idp)'])
  })

  it('end with the connection and with the provider, at once for open sessions', async () => {
    const staff = await makeGroup('Staff')
    await product.seed({ 'users/ada/a.txt': 'a' })
    await addProvider(product, fake.issuer)
    await product.as('root').groups.change({ params: { id: String(staff) }, body: { perm: { ...NO_RIGHTS, admin: true } } })
    await change({ groups: { claim: 'roles', map: [{ group: staff, values: ['staff'] }] } })
    const ada = await enter({ sub: 'other', preferred_username: 'bea', roles: ['staff'] })
    expect((await ask(ada, '/api/users', { method: 'GET' })).status).toBe(200)
    await product.as('root').providers.remove({ params: { id: 'idp' }, body: {} })
    expect(await members(staff)).toEqual([])
    expect((await ask(ada, '/api/users', { method: 'GET' })).status).toBe(401)
    await addProvider(product, fake.issuer, { groups: { claim: 'roles', map: [{ group: staff, values: ['staff'] }] } })
    await enter({ sub: 'other', roles: ['staff'] })
    expect(await members(staff)).toEqual(['bea (oidc idp)'])
    await product.as('root').providers.unlink({ body: { issuer: fake.issuer, subject: 'other' } })
    expect(await members(staff)).toEqual([])
  })

  it('are named by a trial, which changes nothing', async () => {
    const staff = await makeGroup('Staff')
    await addProvider(product, fake.issuer, { groups: { claim: 'roles', map: [{ group: staff, values: ['staff'] }] } })
    const { preview } = product.world.providers.entry
    const [provider] = await product.world.providers.store.all()
    if (provider === undefined) throw new Error('no provider')
    const identity = {
      issuer: fake.issuer,
      subject: 'x',
      sid: '',
      idToken: '',
      authenticatedAt: null,
      claims: { ...ADA, roles: ['staff'] },
    }
    expect((await preview(provider, identity)).detail).toBe('a new account ada would be created; groups: Staff')
    expect(await members(staff)).toEqual([])
  })
})

describe('the second factor of an account', () => {
  it('is asked for after a provider too, and the session at the provider is kept with what opens then', async () => {
    await addProvider(product, fake.issuer)
    const first = await enter()
    const { code } = await setUp(first)
    const half = await enter()
    expect([half.status, JSON.parse(half.token)]).toMatchObject([403, { code: 'second-factor-needed' }])
    const { ticket } = (JSON.parse(half.token) as { detail: { ticket: string } }).detail
    expect((await ask({ ...half, token: ticket }, '/api/resources/', { method: 'GET' })).status).toBe(401)
    const answer = await half.browser.go('/api/login/second', {
      method: 'POST',
      headers: { 'x-satchel-web': '1' },
      body: JSON.stringify({ ticket, code: code() }),
    })
    expect(answer.status).toBe(200)
    const whole = { ...half, token: await answer.text() }
    expect((await ask(whole, '/api/resources/', { method: 'GET' })).status).toBe(200)
    expect(JSON.parse((await ask(whole, '/api/oidc/leave')).text)).toMatchObject({ url: expect.stringContaining('/end?') })
  })

  it('is not asked for where the setting trusts the provider, until it does no more', async () => {
    await addProvider(product, fake.issuer)
    await setUp(await enter())
    await change({ secondFactor: true })
    expect((await enter()).status).toBe(200)
    await change({ secondFactor: false })
    expect((await enter()).status).toBe(403)
  })

  it('is not required of people who sign in only through providers that are trusted to ask for one', async () => {
    await addProvider(product, fake.issuer)
    await change({ secondFactor: true })
    const require = (secondFactorFor: 'nobody' | 'everybody') => product.world.settings.change((before) => ({ ...before, secondFactorFor }))
    await require('everybody')
    const ada = await enter()
    expect((await ask(ada, '/api/resources/', { method: 'GET' })).status).toBe(200)
    // The administrator has none either.
    await require('nobody')
    await change({ secondFactor: false })
    await require('everybody')
    expect(await ask(ada, '/api/resources/', { method: 'GET' })).toMatchObject({
      status: 403,
      text: expect.stringContaining('second-factor-setup-needed'),
    })
    await require('nobody')
    await change({ secondFactor: true })
    await require('everybody')
    expect((await ask(await enter(), '/api/resources/', { method: 'GET' })).status).toBe(200)
    // Somebody who can also sign in with a password here must have one.
    await product.world.users.setPassword((await product.account('ada')).id, 'a password of ada')
    expect((await ask(await enter(), '/api/resources/', { method: 'GET' })).text).toContain('second-factor-setup-needed')
  })
})

describe('confirming who one is, without a password here', () => {
  const body = { name: 'Laptop', perm: { ...NO_RIGHTS, download: true } }
  const makeToken = (who: SignedIn) => ask(who, '/api/tokens', { body })

  it('works by signing in again at the provider (O15), not by a session that is old there', async () => {
    await addProvider(product, fake.issuer)
    const now = Math.floor(Date.now() / 1000)
    const ada = await enter()
    expect(JSON.parse((await ask(ada, '/api/oidc/connections', { method: 'GET' })).text)).toMatchObject({ password: false })
    expect((await makeToken(ada)).status).toBe(200)
    product.pass(6 * 60_000)
    expect((await makeToken(ada)).text).toContain('proof-needed')
    expect((await ask(ada, '/api/proof', { body: { password: '' } })).status).toBe(403)
    expect((await ask(ada, '/api/proof', { body: { password: '!' } })).status).toBe(403)
    // The provider knows them, and asked for nothing.
    const silent = await enter({ auth_time: now - 3600 })
    expect((await makeToken(silent)).text).toContain('proof-needed')
    // It says that it asked, and did not; or does not say.
    expect((await enter({ auth_time: now - 3600 }, { again: true })).back.query['problem']).toBe('provider')
    expect((await enter({}, { again: true })).back.query['problem']).toBe('provider')
    const begun = await createBrowser(product).go('/api/oidc/idp/start?again=true')
    expect(Object.fromEntries(new URL(begun.headers.get('location') ?? '').searchParams)).toMatchObject({ prompt: 'login', max_age: '300' })
  })

  it('counts a sign-in there of the last five minutes', async () => {
    await addProvider(product, fake.issuer)
    const again = await enter({ auth_time: Math.floor(Date.now() / 1000) }, { again: true })
    expect((await makeToken(again)).status).toBe(200)
  })

  it('works by the code of a second factor alone', async () => {
    await addProvider(product, fake.issuer)
    await change({ secondFactor: true })
    const ada = await enter()
    const { code } = await setUp(ada)
    product.pass(6 * 60_000)
    const later = await enter({ auth_time: Math.floor(Date.now() / 1000) - 3600 })
    expect((await makeToken(later)).text).toContain('proof-needed')
    expect((await ask(later, '/api/proof', { body: { code: '000000' } })).status).toBe(403)
    expect((await makeToken(later)).text).toContain('proof-needed')
    expect((await ask(later, '/api/proof', { body: { code: code() } })).status).toBe(200)
    expect((await makeToken(later)).status).toBe(200)
  })
})

/** An authenticator app for an account that signed in just now. */
async function setUp({ browser, token }: SignedIn): ReturnType<ReturnType<typeof createCalls>['setUpTotp']> {
  return createCallsIn(browser).setUpTotp(token)
}

/** The calls of the tests of second factors, with the cookies of a browser. */
function createCallsIn(browser: Browser): typeof calls {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return createCalls({
    ...product,
    ask: (address, init = {}) => product.ask(address, { ...init, headers: withCookie(init.headers, cookie) }),
  })
}

function withCookie(given: RequestInit['headers'], cookie: string): Headers {
  const headers = new Headers(given)
  headers.set('cookie', cookie)
  return headers
}

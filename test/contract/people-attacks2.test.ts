import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { DirectoryFields } from '../../src/shared/contract/directories.ts'
import { parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import { accessOfRecipient } from '../../src/server/access/through-share.ts'
import { createMemoryBus } from '../../src/server/bus/memory.ts'
import { createDirectoryStore } from '../../src/server/directories/directory-store.ts'
import { totpCode } from '../../src/server/factors/totp.ts'
import { createProviderStore } from '../../src/server/providers/provider-store.ts'
import { accessOf } from '../../src/server/users/access-of.ts'
import { type Browser, addProvider, beginSignIn, callback, createBrowser, FIELDS, finishSignIn } from '../oidc/browser.ts'
import { type FakeProvider, startFakeProvider } from '../oidc/fake-provider.ts'
import { secretIn, startMailServer } from '../mail-server.ts'
import { until } from './until.ts'
import { type Product, startProduct } from './world.ts'

// What a second attacker found who had not built it: each attack succeeded once.
setDefaultTimeout(60_000)

const ADA = { sub: 'subject-of-ada', preferred_username: 'ada', sid: 'session-1' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const ADMIN = { admin: { claim: 'roles', values: ['boss'] } }

async function enter(product: Product, fake: FakeProvider, person: Record<string, unknown> = {}) {
  const browser = createBrowser(product)
  await callback(browser, fake.authorize(await beginSignIn(browser), { ...ADA, ...person }))
  return { browser, ...(await finishSignIn(browser)) }
}

interface SignedIn {
  readonly browser: Browser
  readonly token: string
}

const ask = (who: SignedIn, address: string, { method = 'GET', body }: { method?: string; body?: object } = {}): Promise<Response> => {
  const headers = { 'x-auth': who.token, 'x-satchel-web': '1', accept: 'application/json' }
  return who.browser.go(address, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
}
const status = async (who: SignedIn, address = '/api/resources/') => (await ask(who, address)).status
const isAdmin = async (product: Product) => (await product.account('ada')).perm.admin

describe('people-attack2-1: an administrator by a claim', () => {
  async function withBoss(product: Product, fake: FakeProvider): Promise<SignedIn> {
    await addProvider(product, fake.issuer, ADMIN)
    const ada = await enter(product, fake, { roles: ['boss'] })
    expect(await isAdmin(product)).toBe(true)
    return ada
  }

  it('does not stay one by disconnecting the account from the provider', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    await withBoss(product, fake)
    await product.world.users.setPassword((await product.account('ada')).id, 'a password of ada')
    const ada = await enter(product, fake, { roles: ['boss'] })
    expect((await ask(ada, '/api/oidc/connections/idp', { method: 'DELETE', body: {} })).status).toBeLessThan(300)
    expect(await isAdmin(product)).toBe(false)
  })

  it('does not stay one when an administrator disconnects the account', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    await withBoss(product, fake)
    await product.as('root').providers.unlink({ body: { issuer: fake.issuer, subject: ADA.sub } })
    expect(await isAdmin(product)).toBe(false)
  })

  it('does not stay one when the provider is removed', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    await withBoss(product, fake)
    await product.as('root').providers.remove({ params: { id: 'idp' }, body: {} })
    expect(await isAdmin(product)).toBe(false)
  })
})

it('people-attack2-2: a sign-in by a connection ends when its owner removes the connection', async () => {
  await using product = await startProduct()
  await using fake = await startFakeProvider()
  await addProvider(product, fake.issuer)
  const theirs = await enter(product, fake)
  await product.world.users.setPassword((await product.account('ada')).id, 'a password of ada')
  const thief = await enter(product, fake)
  expect(await status(thief)).toBe(200)
  const browser = createBrowser(product)
  const token = await (
    await browser.go('/api/login', {
      method: 'POST',
      headers: { 'x-satchel-web': '1' },
      body: JSON.stringify({ username: 'ada', password: 'a password of ada' }),
    })
  ).text()
  const owner = { browser, token }
  await ask(owner, '/api/oidc/connections/idp', { method: 'DELETE', body: {} })
  expect([await status(theirs), await status(thief), await status(owner)]).toEqual([401, 401, 200])
})

describe('people-attack2-3: a sign-in at a provider that waits for the second factor', () => {
  async function waiting(product: Product, fake: FakeProvider) {
    await addProvider(product, fake.issuer)
    const first = await enter(product, fake)
    const { secret } = (await (await ask(first, '/api/factors/totp', { method: 'POST' })).json()) as { secret: string }
    const code = () => totpCode(secret, product.world.clock().getTime())
    await ask(first, '/api/factors/totp/confirm', { method: 'POST', body: { code: code() } })
    product.pass(60_000)
    const half = await enter(product, fake)
    const { ticket } = (JSON.parse(half.token) as { detail: { ticket: string } }).detail
    return async () =>
      (
        await half.browser.go('/api/login/second', {
          method: 'POST',
          headers: { 'x-satchel-web': '1' },
          body: JSON.stringify({ ticket, code: code() }),
        })
      ).status
  }

  it('opens no session after the provider said that the person left', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    const goOn = await waiting(product, fake)
    const body = new URLSearchParams({ logout_token: await fake.logoutToken({ sub: ADA.sub }) }).toString()
    expect((await product.ask('/api/oidc/idp/backchannel', { method: 'POST', body, headers: FORM })).status).toBe(200)
    expect(await goOn()).not.toBe(200)
  })

  it('opens no session after the connection was removed', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    const goOn = await waiting(product, fake)
    await product.as('root').providers.unlink({ body: { issuer: fake.issuer, subject: ADA.sub } })
    expect(await goOn()).not.toBe(200)
  })

  it('opens no session after the provider was switched off or removed', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    const goOn = await waiting(product, fake)
    await product.as('root').providers.update({ params: { id: 'idp' }, body: { ...FIELDS, issuer: fake.issuer, enabled: false } })
    expect(await goOn()).not.toBe(200)
  })
})

describe('people-attack2-4: a provider that is removed or switched off', () => {
  it('lets nobody go on who signed in through it', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    await addProvider(product, fake.issuer)
    const ada = await enter(product, fake)
    await product.as('root').providers.remove({ params: { id: 'idp' }, body: {} })
    expect(await status(ada)).toBe(401)
  })

  it('is not trusted any more to have asked for a second factor', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    await addProvider(product, fake.issuer, { secondFactor: true })
    await enter(product, fake)
    expect((await product.account('ada')).factorElsewhere).toBe(true)
    await product.as('root').providers.remove({ params: { id: 'idp' }, body: {} })
    expect((await product.account('ada')).factorElsewhere).toBe(false)
  })
})

it('people-attack2-6b: an administrator whose record cannot be written keeps nobody else an administrator, and the provider can be removed again', async () => {
  await using product = await startProduct()
  await using fake = await startFakeProvider()
  await addProvider(product, fake.issuer, ADMIN)
  await enter(product, fake, { roles: ['boss'] })
  await enter(product, fake, { roles: ['boss'], sub: 'subject-of-bea', preferred_username: 'bea', sid: 'session-2' })
  const isBoss = async (name: string) => (await product.account(name)).perm.admin
  expect([await isBoss('ada'), await isBoss('bea')]).toEqual([true, true])
  const { users } = product.world
  const { change } = users
  const remove = async () => (await product.ask('/api/providers/idp', { method: 'DELETE', who: 'root', body: '{}' })).status
  // Somebody writes her record all the time.
  users.change = async (account, ...how) => (account.username === 'ada' ? false : change(account, ...how))
  expect(await remove()).toBe(423)
  expect([await isBoss('ada'), await isBoss('bea')]).toEqual([true, false])
  users.change = change
  expect(await remove()).toBe(200)
  expect(await isBoss('ada')).toBe(false)
})

it('people-attack2-5: a mail address that the provider calls unverified in any way is no name', async () => {
  await using product = await startProduct()
  await using fake = await startFakeProvider()
  await addProvider(product, fake.issuer, { usernameClaim: 'email' })
  for (const email_verified of ['false', 0, null]) {
    const { status: answered } = await enter(product, fake, {
      sub: `s${String(email_verified)}`,
      email: 'boss@example.org',
      email_verified,
    })
    expect(answered).toBe(403)
  }
})

describe('people-attack2-10: somebody who knows a password for a moment', () => {
  async function withMail(product: Product, port: number): Promise<number> {
    await product.world.settings.change((before) => ({
      ...before,
      mail: { ...before.mail, host: '127.0.0.1', port, security: 'none', from: 'files@example.org', site: 'https://files.example.org' },
    }))
    const { id } = await product.account('ann')
    await product.world.mail.addresses.set(id, 'ann@example.org')
    return id
  }

  it('cannot take away the mail address without its owner being told', async () => {
    await using product = await startProduct()
    await using server = await startMailServer()
    const id = await withMail(product, server.port)
    await product.as('ann').mail.setAddress({ params: { id: String(id) }, body: { address: '' } })
    await until(async () => server.arrived.length === 1)
    expect(server.arrived.map(({ to, subject }) => [to, subject])).toEqual([[['ann@example.org'], expect.stringContaining('address')]])
  })

  it('cannot have messages sent elsewhere without the owner of the former address being told', async () => {
    await using product = await startProduct()
    await using server = await startMailServer()
    const id = await withMail(product, server.port)
    await product.as('ann').mail.setAddress({ params: { id: String(id) }, body: { address: 'mallory@example.org' } })
    await until(async () => server.arrived.length === 1)
    const [mail] = server.arrived
    if (mail === undefined) throw new Error('no mail')
    await product.as('visitor').passwordLinks.use({ body: { secret: secretIn(mail) } })
    await until(async () => server.arrived.length === 2)
    expect(server.arrived.flatMap(({ to }) => to)).toEqual(['mallory@example.org', 'ann@example.org'])
  })
})

it('people-attack2-11: a new password is told to its owner also if the account gets another name at once', async () => {
  await using product = await startProduct()
  await using server = await startMailServer()
  const { port } = server
  await product.world.settings.change((before) => ({
    ...before,
    mail: { ...before.mail, host: '127.0.0.1', port, security: 'none', from: 'files@example.org', site: 'https://files.example.org' },
  }))
  const { id } = await product.account('ann')
  await product.world.mail.addresses.set(id, 'ann@example.org')
  const data = { username: 'anna', password: 'another long password' }
  await product.ask(`/api/users/${id}`, {
    who: 'root',
    method: 'PUT',
    body: JSON.stringify({ what: 'user', which: ['username', 'password'], data }),
  })
  expect((await product.account('anna')).id).toBe(id)
  await until(async () => server.arrived.length === 1)
  expect(server.arrived[0]?.subject).toContain('password')
})

it('a recipient of a share reaches nothing beside it, by any path; with the access of its owner they do', async () => {
  await using product = await startProduct()
  await product.seed({ '/shared/in.txt': 'in', '/beside.txt': 'beside', '/bob/': '' })
  await product.link('/shared/out', '../beside.txt')
  const { id } = await product.add('bob', { scope: '/bob' })
  const { id: share } = await product.as('ann').peopleShares.create({
    params: { path: at('/shared') },
    body: { who: { kind: 'user', id }, role: 'editor' },
  })
  const read = async (path: string) => (await product.ask(`/with-me/${share}/api/raw${path}`, { who: 'bob' })).status
  expect(await read('/in.txt')).toBe(200)
  for (const path of ['/beside.txt', '/out', '/../beside.txt', '/%2e%2e/beside.txt', '/in.txt/..%2f..%2fbeside.txt'])
    expect([400, 404]).toContain(await read(path))
  const owner = await product.account('ann')
  const whole = accessOf(owner, await product.world.settings.read(), await product.world.grantedTo(owner.id))
  const { rules } = whole
  const cut = accessOfRecipient(whole, { path: at('/shared'), folder: true, role: 'editor', scope: ROOT }, { rules, scope: at('/bob') })
  expect((await product.world.driveFor(whole).stat(at('/beside.txt'))).stat.size).toBe(6)
  await expect(product.world.driveFor(cut).stat(at('/beside.txt'))).rejects.toMatchObject({ code: 'not-found' })
  expect((await product.world.driveFor(cut).stat(at('/in.txt'))).stat.size).toBe(2)
})

it('people-attack2-12: what is changed about a provider or directory at one server counts at the others at once', async () => {
  await using product = await startProduct()
  await using fake = await startFakeProvider()
  await addProvider(product, fake.issuer)
  const bus = createMemoryBus()
  const clock = () => new Date()
  const [one, other] = [createProviderStore(product.db, clock, bus), createProviderStore(product.db, clock, bus)]
  const directories = [createDirectoryStore(product.db, clock, bus), createDirectoryStore(product.db, clock, bus)] as const
  const provider = await other.find('idp')
  if (provider === null) throw new Error('no provider')
  expect([provider.enabled, await directories[1].all()]).toEqual([true, []])
  await one.put({ ...provider, enabled: false })
  await directories[0].put({
    ...DirectoryFields.parse({ name: 'Corp', urls: ['ldaps://x'], baseDn: 'dc=x' }),
    id: 'corp',
    bindPassword: '',
  })
  expect([(await other.find('idp'))?.enabled, (await directories[1].all()).length]).toEqual([false, 1])
  await Promise.all([one.remove('idp'), directories[0].remove('corp')])
  expect([await other.all(), await directories[1].all()]).toEqual([[], []])
})

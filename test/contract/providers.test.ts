import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { addProvider, beginSignIn, type Browser, callback, createBrowser, finishSignIn } from '../oidc/browser.ts'
import { type FakeProvider, startFakeProvider } from '../oidc/fake-provider.ts'
import { PASSWORD, type Product, startProduct } from './world.ts'

// Keys are made and hashes computed, on a machine that may be busy.
setDefaultTimeout(30_000)

/** One whole sign-in. */
async function enter(product: Product, fake: FakeProvider, person: Record<string, unknown>, { to = '/files/' } = {}) {
  const browser = createBrowser(product)
  const back = await callback(browser, fake.authorize(await beginSignIn(browser, { to }), person))
  return { browser, back, ...(await finishSignIn(browser)) }
}

const ADA = { sub: 'subject-of-ada', preferred_username: 'ada' }

describe('signing in through a provider', () => {
  it('creates an account at the first sign-in, with a home and no more rights than the defaults, and finds it at the second', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    await addProvider(product, fake.issuer)
    const first = await enter(product, fake, ADA)
    expect([first.back, first.username]).toEqual([{ path: '/login', query: { provider: 'idp', redirect: '/files/' } }, 'ada'])
    const account = await product.account('ada')
    expect([account.scope, account.perm.admin, account.perm.execute, account.lockPassword]).toEqual(['/users/ada', false, false, true])
    await expect(product.world.users.prove('ada', '!')).resolves.toBeNull()
    // Called something else by now: the subject counts.
    const second = await enter(product, fake, { ...ADA, preferred_username: 'ada.king' })
    expect(second.username).toBe('ada')
    expect(await product.world.users.findByName('ada.king')).toBeNull()
    const response = await first.browser.go('/api/resources/', { headers: { 'x-auth': first.token } })
    expect(response.status).toBe(200)
  })

  it('gives the session to this browser only: the token is worth nothing without its cookie', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    await addProvider(product, fake.issuer)
    const { token } = await enter(product, fake, ADA)
    expect((await product.ask('/api/resources/', { headers: { 'x-auth': token } })).status).toBe(401)
  })

  it('lets in whom a claim allows, and nobody else', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    await addProvider(product, fake.issuer, { allow: { claim: 'realm.roles', values: ['files'] } })
    expect((await enter(product, fake, { ...ADA, realm: { roles: ['mail', 'files'] } })).username).toBe('ada')
    for (const realm of [undefined, {}, { roles: [] }, { roles: 'filesystem' }, { roles: { files: true } }])
      expect((await enter(product, fake, { ...ADA, realm })).back.query['problem']).toBe('not-allowed')
  })

  it('counts a mail address in a rule only if the provider has verified it', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    await addProvider(product, fake.issuer, { allow: { claim: 'email', values: ['ada@example.org'] } })
    const mail = { ...ADA, email: 'ada@example.org' }
    for (const email_verified of [undefined, false, 'true'])
      expect((await enter(product, fake, { ...mail, email_verified })).back.query['problem']).toBe('not-allowed')
    expect((await enter(product, fake, { ...mail, email_verified: true })).username).toBe('ada')
  })

  it('makes and unmakes administrators as the claim says, but only where the provider has that setting', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    await addProvider(product, fake.issuer)
    await enter(product, fake, { ...ADA, groups: ['admins'], admin: true, perm: { admin: true } })
    expect((await product.account('ada')).perm.admin).toBe(false)
    await product.as('root').providers.update({
      params: { id: 'idp' },
      body: { name: 'Example', issuer: fake.issuer, clientId: 'satchel', create: true, admin: { claim: 'groups', values: ['admins'] } },
    })
    await enter(product, fake, { ...ADA, groups: ['admins'] })
    expect((await product.account('ada')).perm.admin).toBe(true)
    await enter(product, fake, { ...ADA, groups: [] })
    expect((await product.account('ada')).perm.admin).toBe(false)
    // What an administrator gave is not the provider's to take.
    await product.setRights('ada', { ...(await product.account('ada')).perm, admin: true })
    await enter(product, fake, { ...ADA, groups: [] })
    expect((await product.account('ada')).perm.admin).toBe(true)
  })

  it('refuses accounts that are switched off, that nobody connected, and names that make no account', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    await addProvider(product, fake.issuer)
    for (const preferred_username of [undefined, '', ' ada', 'a\u200bda', ['ada', 'bob'], { name: 'ada' }, '..'])
      expect([preferred_username, (await enter(product, fake, { sub: 's', preferred_username })).back.query['problem']]).toEqual([
        preferred_username,
        'bad-name',
      ])
    await enter(product, fake, ADA)
    await product.world.users.setDisabled((await product.account('ada')).id, { disabled: true })
    const off = await enter(product, fake, ADA)
    expect([off.back.query['problem'], off.status]).toEqual(['disabled', 403])
    await product.as('root').providers.update({
      params: { id: 'idp' },
      body: { name: 'Example', issuer: fake.issuer, clientId: 'satchel', create: false },
    })
    expect((await enter(product, fake, { sub: 'b', preferred_username: 'bob' })).back.query['problem']).toBe('no-account')
    expect(await product.world.users.findByName('bob')).toBeNull()
  })

  it('says which step failed, without signing anybody in, when the provider is down, redirects, answers endlessly or names other addresses', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    await addProvider(product, fake.issuer)
    const started = async () => new URL(await beginSignIn(createBrowser(product)), 'http://satchel.test').searchParams.get('problem')
    const other = (part: Record<string, unknown>) => () => (fake.wrong = { metadata: (metadata) => ({ ...metadata, ...part }) })
    for (const misbehave of [
      () => (fake.wrong = { answer: (_, response) => Boolean(response.writeHead(302, { location: 'file:///etc/passwd' }).end()) }),
      () => (fake.wrong = { answer: (_, response) => Boolean(response.writeHead(302, { location: '/elsewhere' }).end()) }),
      () => (fake.wrong = { answer: (_, response) => Boolean(response.writeHead(200).end(Buffer.alloc(2_000_000, 32))) }),
      other({ issuer: 'https://evil.example' }),
      other({ authorization_endpoint: 'javascript:alert(1)' }),
      other({ token_endpoint: 'http://192.0.2.1/token' }),
      other({ jwks_uri: 'file:///etc/passwd' }),
      other({ end_session_endpoint: 'javascript:alert(1)' }),
    ]) {
      misbehave()
      product.pass(3600_000)
      expect(await started()).toBe('provider')
    }
    fake.wrong = {}
    product.pass(6000)
    expect(await started()).toBeNull()
  })

  it('keeps the secret to itself: no answer, log or audit entry contains it', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    await addProvider(product, fake.issuer, { clientSecret: 'canary-secret' })
    const root = product.as('root')
    const body = { name: 'Other', issuer: fake.issuer, clientId: 'satchel', create: true }
    await root.providers.update({ params: { id: 'idp' }, body })
    expect(JSON.stringify([await root.providers.list({}), await root.audit.list({ query: {} }), product.logged])).not.toContain('canary')
    await using other = await startFakeProvider()
    const moved = root.providers.update({ params: { id: 'idp' }, body: { ...body, issuer: other.issuer } })
    await expect(moved).rejects.toThrow('secret-needed')
    const [kept] = await product.world.providers.store.all()
    expect([kept?.name, kept?.clientSecret]).toEqual(['Other', 'canary-secret'])
    await root.providers.update({ params: { id: 'idp' }, body: { ...body, clientSecret: '' } })
    expect((await root.providers.list({})).providers[0]?.hasSecret).toBe(false)
  })

  it('shows an administrator each step of a trial, and signs nobody in', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    await addProvider(product, fake.issuer, { enabled: false })
    const { token, cookie } = await product.signInWeb('root')
    const browser = createBrowser(product)
    browser.cookies.set(cookie.split('=')[0] ?? '', cookie.split('=')[1] ?? '')
    const headers = { 'x-auth': token }
    const tryIt = async (person: Record<string, unknown>) => {
      const begun = (await (await browser.go('/api/providers/idp/try', { method: 'POST', headers })).json()) as { url: string }
      const back = await callback(browser, fake.authorize(begun.url, person))
      expect(back).toEqual({ path: '/settings/sign-in', query: { tried: '' } })
      return (await browser.go('/api/providers/tried', { method: 'POST', headers })).json() as Promise<Record<string, unknown>>
    }
    const report = await tryIt({ ...ADA, long: 'x'.repeat(100) })
    expect(report).toMatchObject({ problem: null, claims: expect.arrayContaining([{ name: 'long', value: `${'x'.repeat(60)}…` }]) })
    expect((report['steps'] as { step: string; ok: boolean }[]).map(({ step, ok }) => [step, ok])).toEqual(
      ['discovery', 'keys', 'redirect', 'answer', 'token', 'claims', 'account'].map((step) => [step, true]),
    )
    expect(await product.world.users.findByName('ada')).toBeNull()
    fake.wrong = { signature: 'none' }
    expect(await tryIt(ADA)).toMatchObject({
      problem: 'provider',
      steps: expect.arrayContaining([expect.objectContaining({ step: 'token', ok: false })]),
    })
    expect((await finishSignIn(browser)).status).toBe(403)
  })
})

describe('passwords refused', () => {
  async function only(product: Product, browser: Browser, token: string, value: boolean): Promise<number> {
    const init = { method: 'POST', headers: { 'x-auth': token }, body: JSON.stringify({ only: value }) }
    return (await browser.go('/api/providers/only', init)).status
  }

  it('can be set only by an administrator who is signed in through a provider, holds for everybody, and leaves the link of the terminal', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    await addProvider(product, fake.issuer, { admin: { claim: 'groups', values: ['admins'] } })
    const byPassword = await product.signInWeb('root')
    const other = createBrowser(product)
    other.cookies.set('satchel', byPassword.cookie.split('=')[1] ?? '')
    expect(await only(product, other, byPassword.token, true)).toBe(403)
    const ada = await enter(product, fake, { ...ADA, groups: ['admins'] })
    expect(await only(product, ada.browser, ada.token, true)).toBe(200)
    const login = async (username: string, password: string) =>
      (await product.ask('/api/login', { method: 'POST', body: JSON.stringify({ username, password }) })).status
    expect([await login('root', PASSWORD), await login('root', 'wrong'), await login('nobody', 'x')]).toEqual([403, 403, 403])
    // The last provider stays while passwords are refused.
    const removal = await ada.browser.go('/api/providers/idp', { method: 'DELETE', headers: { 'x-auth': ada.token } })
    expect(removal.status).toBe(400)
    const secret = await product.world.providers.signInLinks.make((await product.account('root')).id)
    const use = () => product.ask('/api/login/once', { method: 'POST', body: JSON.stringify({ secret }) })
    expect([(await use()).status, (await use()).status]).toEqual([200, 403])
    const late = await product.world.providers.signInLinks.make((await product.account('root')).id)
    product.pass(16 * 60_000)
    expect((await product.ask('/api/login/once', { method: 'POST', body: JSON.stringify({ secret: late }) })).status).toBe(403)
    const again = await enter(product, fake, { ...ADA, groups: ['admins'] })
    expect(await only(product, again.browser, again.token, false)).toBe(200)
    expect(await login('root', PASSWORD)).toBe(200)
  })
})

import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { addProvider, beginSignIn, callback, createBrowser, finishSignIn } from '../oidc/browser.ts'
import { type FakeProvider, startFakeProvider } from '../oidc/fake-provider.ts'
import { type Product, startProduct } from './world.ts'

// Keys are made and hashes computed, on a machine that may be busy.
setDefaultTimeout(30_000)

const ADA = { sub: 'subject-of-ada', preferred_username: 'ada' }
const MALLORY = { sub: 'subject-of-mallory', preferred_username: 'mallory' }

/** One sign-in, and what came of it: the problem that the page shows, or the user. */
async function enter(product: Product, fake: FakeProvider, person: Record<string, unknown>, change?: (answer: URLSearchParams) => void) {
  const browser = createBrowser(product)
  const back = await callback(browser, fake.authorize(await beginSignIn(browser), person, change))
  const { username } = await finishSignIn(browser)
  return back.query['problem'] ?? username
}

async function started(options?: Parameters<typeof addProvider>[2]) {
  const product = await startProduct()
  const fake = await startFakeProvider()
  await addProvider(product, fake.issuer, options)
  return {
    product,
    fake,
    async [Symbol.asyncDispose]() {
      await fake[Symbol.asyncDispose]()
      await product[Symbol.asyncDispose]()
    },
  }
}

describe('an answer to a sign-in', () => {
  it('O1: has a state of 256 random bits (GHSA-6943-qr24-82vx)', async () => {
    await using at = await started()
    const begun = await Promise.all(Array.from({ length: 20 }, () => beginSignIn(createBrowser(at.product))))
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const values = begun.map((address) => new URL(address).searchParams.get(name) ?? '')
      expect([name, new Set(values).size, values.every((value) => /^[\w-]{43}$/.test(value))]).toEqual([name, 20, true])
    }
  })

  it('O1: is refused in a browser that did not begin it, with another state, without one, and after ten minutes (CVE-2024-22403)', async () => {
    await using at = await started()
    const mallory = createBrowser(at.product)
    const address = at.fake.authorize(await beginSignIn(mallory), MALLORY)
    const victim = createBrowser(at.product)
    // Before a sign-in of their own, and in the middle of one.
    expect((await callback(victim, address)).query['problem']).toBe('expired')
    await beginSignIn(victim)
    expect((await callback(victim, address)).query['problem']).toBe('expired')
    expect((await finishSignIn(victim)).status).toBe(403)
    expect(await enter(at.product, at.fake, ADA, (answer) => answer.set('state', 'x'.repeat(43)))).toBe('expired')
    expect(await enter(at.product, at.fake, ADA, (answer) => answer.delete('state'))).toBe('expired')
    const late = createBrowser(at.product)
    const lateAddress = at.fake.authorize(await beginSignIn(late), ADA)
    at.product.pass(10 * 60_000 + 1)
    expect((await callback(late, lateAddress)).query['problem']).toBe('expired')
    expect(at.fake.exchanges).toEqual([])
  })

  it('O2: counts once: neither the address of the callback nor the token for the page can be had again', async () => {
    await using at = await started()
    const browser = createBrowser(at.product)
    const address = at.fake.authorize(await beginSignIn(browser), ADA)
    const cookies = new Map(browser.cookies)
    await callback(browser, address)
    const copy = createBrowser(at.product)
    for (const [name, value] of cookies) copy.cookies.set(name, value)
    expect((await callback(copy, address)).query['problem']).toBe('expired')
    expect(at.fake.exchanges).toHaveLength(1)
    const both = await Promise.all([finishSignIn(browser), finishSignIn(copy)])
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 403])
  })

  it('O3: needs the verifier of PKCE, which only this server has: a stolen code is worth nothing', async () => {
    await using at = await started()
    // The code of somebody else's sign-in, put into one's own.
    const victim = createBrowser(at.product)
    const stolen = new URL(at.fake.authorize(await beginSignIn(victim), ADA)).searchParams.get('code') ?? ''
    expect(await enter(at.product, at.fake, MALLORY, (answer) => answer.set('code', stolen))).toBe('provider')
    expect(at.product.logged.join()).toContain('invalid_grant')
    expect(await enter(at.product, at.fake, MALLORY)).toBe('mallory')
  })

  it('O4: needs the nonce of this sign-in in the ID token', async () => {
    await using at = await started()
    for (const nonce of [undefined, '', 'another']) {
      at.fake.wrong = { claims: (claims) => JSON.parse(JSON.stringify({ ...claims, nonce })) as Record<string, unknown> }
      expect([nonce, await enter(at.product, at.fake, ADA)]).toEqual([nonce, 'provider'])
    }
    at.fake.wrong = {}
    expect(await enter(at.product, at.fake, ADA)).toBe('ada')
  })

  it('O5: comes from the provider that was asked: by its iss (RFC 9207), its own redirect address, and the issuer of the ID token', async () => {
    await using at = await started()
    await using other = await startFakeProvider()
    await addProvider(at.product, other.issuer, { id: 'other' })
    expect(await enter(at.product, at.fake, ADA, (answer) => answer.set('iss', other.issuer))).toBe('provider')
    expect(await enter(at.product, at.fake, ADA, (answer) => answer.delete('iss'))).toBe('provider')
    expect(at.fake.exchanges).toEqual([])
    const browser = createBrowser(at.product)
    const address = at.fake.authorize(await beginSignIn(browser), ADA)
    expect((await callback(browser, address.replace('/oidc/idp/', '/oidc/other/'))).query['problem']).toBe('expired')
    expect(other.exchanges).toEqual([])
    at.fake.wrong = { claims: (claims) => ({ ...claims, iss: other.issuer }) }
    expect(await enter(at.product, at.fake, ADA)).toBe('provider')
    expect(await at.product.world.users.findByName('ada')).toBeNull()
  })

  it('O6: has an ID token that the provider signed: not with `none`, nor its public key as a shared one, nor another key (CVE-2026-45156)', async () => {
    await using at = await started()
    for (const signature of ['none', 'public-key', 'foreign'] as const) {
      at.fake.wrong = { signature }
      expect([signature, await enter(at.product, at.fake, ADA)]).toEqual([signature, 'provider'])
    }
    expect(await at.product.world.users.findByName('ada')).toBeNull()
  })

  it('O7: has an ID token for us that has not expired', async () => {
    await using at = await started()
    const now = Math.floor(Date.now() / 1000)
    for (const wrong of [
      { aud: 'another' },
      { aud: ['satchel', 'another'] },
      { aud: ['satchel', 'another'], azp: 'another' },
      { exp: now - 600 },
      { exp: undefined },
      { sub: undefined },
      { sub: '' },
    ]) {
      at.fake.wrong = { claims: (claims) => JSON.parse(JSON.stringify({ ...claims, ...wrong })) as Record<string, unknown> }
      expect([wrong, await enter(at.product, at.fake, ADA)]).toEqual([wrong, 'provider'])
    }
  })

  it('O8: leads to pages of this server only', async () => {
    await using at = await started()
    for (const to of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      '/\t/evil.example',
      'javascript:alert(1)',
      '/a/..//evil.example',
      '\\\\evil',
      'files',
      '/%0d%0aset-cookie:x=y',
    ]) {
      const browser = createBrowser(at.product)
      const { path, query } = await callback(browser, at.fake.authorize(await beginSignIn(browser, { to }), ADA))
      expect(path).toBe('/login')
      const led = new URL(query['redirect'] ?? '', 'http://satchel.test')
      expect([to, led.origin, query['redirect']?.startsWith('//')]).toEqual([to, 'http://satchel.test', false])
    }
    const browser = createBrowser(at.product)
    const { query } = await callback(browser, at.fake.authorize(await beginSignIn(browser, { to: '/files/a%20b?x=1#y' }), ADA))
    expect(query['redirect']).toBe('/files/a%20b?x=1#y')
  })
})

describe('an account', () => {
  it('O9: is not taken over by somebody with an equal name or mail address at a provider, in whatever spelling', async () => {
    await using at = await started()
    await using other = await startFakeProvider()
    await addProvider(at.product, other.issuer, { id: 'other', usernameClaim: 'email' })
    const before = await at.product.account('ann')
    for (const preferred_username of ['ann', 'ANN', 'ａｎｎ'])
      expect(await enter(at.product, at.fake, { sub: 'x', preferred_username, email: 'ann@example.org', email_verified: true })).toBe(
        'name-taken',
      )
    await at.product.add('ann@example.org')
    const browser = createBrowser(at.product)
    const person = { sub: 'x', email: 'ann@example.org', email_verified: true }
    const { query } = await callback(browser, other.authorize(await beginSignIn(browser, { id: 'other' }), person))
    expect(query['problem']).toBe('name-taken')
    expect(await at.product.account('ann')).toEqual(before)
    expect(await at.product.world.providers.links.all()).toEqual([])
  })

  it('O10: is that of an issuer and a subject: the same subject of another provider is somebody else', async () => {
    await using at = await started()
    await using other = await startFakeProvider()
    await addProvider(at.product, other.issuer, { id: 'other' })
    expect(await enter(at.product, at.fake, ADA)).toBe('ada')
    const browser = createBrowser(at.product)
    await callback(browser, other.authorize(await beginSignIn(browser, { id: 'other' }), { ...MALLORY, sub: ADA.sub }))
    expect((await finishSignIn(browser)).username).toBe('mallory')
  })

  it('O11: does not come back for somebody whose account was removed, nor do the files in its folder (CVE-2026-45284)', async () => {
    await using at = await started()
    await enter(at.product, at.fake, ADA)
    await at.product.seed({ '/users/ada/secret.txt': 'of the first ada' })
    await at.product.world.users.remove((await at.product.account('ada')).id)
    expect(await at.product.world.providers.links.all()).toEqual([])
    expect(await enter(at.product, at.fake, ADA)).toBe('name-taken')
    expect(await enter(at.product, at.fake, { ...MALLORY, preferred_username: 'ada' })).toBe('name-taken')
  })

  it('O12: is connected only by the person who is signed in to it, in the browser where they began', async () => {
    await using at = await started({ create: false })
    const { token, cookie } = await at.product.signInWeb('ann')
    const signedIn = () => {
      const browser = createBrowser(at.product)
      browser.cookies.set('satchel', cookie.split('=')[1] ?? '')
      return browser
    }
    const headers = { 'x-auth': token }
    const begin = async (browser: ReturnType<typeof createBrowser>) =>
      (
        (await (await browser.go('/api/oidc/idp/connect', { method: 'POST', headers, body: '{"to":"/settings/profile"}' })).json()) as {
          url: string
        }
      ).url
    // Nobody begins it by a link or a form of another page: it needs the token.
    expect((await signedIn().go('/api/oidc/idp/connect', { method: 'POST', body: '{}' })).status).toBe(401)
    // Mallory begins with an account of their own, and has the victim's browser finish it.
    await at.product.add('mallory')
    const mallory = await at.product.signInWeb('mallory')
    const theirs = createBrowser(at.product)
    theirs.cookies.set('satchel', mallory.cookie.split('=')[1] ?? '')
    const malloryAddress = at.fake.authorize(
      (
        (await (await theirs.go('/api/oidc/idp/connect', { method: 'POST', headers: { 'x-auth': mallory.token }, body: '{}' })).json()) as {
          url: string
        }
      ).url,
      MALLORY,
    )
    const victim = signedIn()
    await begin(victim)
    expect((await callback(victim, malloryAddress)).query['problem']).toBe('expired')
    // With Mallory's cookie as well, as a sibling domain could set it, the account is still another one.
    victim.cookies.set('satchel-oidc', theirs.cookies.get('satchel-oidc') ?? '')
    await callback(victim, malloryAddress)
    expect(await (await victim.go('/api/oidc/connected', { method: 'POST', headers })).json()).toEqual({ problem: 'expired' })
    expect(await at.product.world.providers.links.all()).toEqual([])

    const browser = signedIn()
    const back = await callback(browser, at.fake.authorize(await begin(browser), ADA))
    expect(back).toEqual({ path: '/settings/profile', query: { connected: 'idp' } })
    expect(await (await browser.go('/api/oidc/connected', { method: 'POST', headers })).json()).toEqual({ problem: null })
    expect(await enter(at.product, at.fake, ADA)).toBe('ann')
    // And nobody else can be connected with the same subject.
    const second = createBrowser(at.product)
    second.cookies.set('satchel', mallory.cookie.split('=')[1] ?? '')
    const auth = { 'x-auth': mallory.token }
    const { url } = (await (await second.go('/api/oidc/idp/connect', { method: 'POST', headers: auth, body: '{}' })).json()) as {
      url: string
    }
    await callback(second, at.fake.authorize(url, ADA))
    expect(await (await second.go('/api/oidc/connected', { method: 'POST', headers: auth })).json()).toEqual({
      problem: 'linked-elsewhere',
    })
  })
})

describe('a logout token', () => {
  const send = (product: Product, token: string) =>
    product.ask('/api/oidc/idp/backchannel', {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

  async function signedIn({ product, fake }: { product: Product; fake: FakeProvider }, person: Record<string, unknown>) {
    const browser = createBrowser(product)
    await callback(browser, fake.authorize(await beginSignIn(browser), person))
    const { token } = await finishSignIn(browser)
    return async () => (await browser.go('/api/sessions', { headers: { 'x-auth': token } })).status
  }

  it('O13: ends the sign-ins of its session or of its subject, of nobody else, and only once', async () => {
    await using at = await started()
    const [one, two, other] = [
      await signedIn(at, { ...ADA, sid: 'one' }),
      await signedIn(at, { ...ADA, sid: 'two' }),
      await signedIn(at, MALLORY),
    ]
    const statuses = async () => [await one(), await two(), await other()]
    expect(await statuses()).toEqual([200, 200, 200])
    const token = await at.fake.logoutToken({ sub: ADA.sub, sid: 'one' })
    expect((await send(at.product, token)).status).toBe(200)
    expect(await statuses()).toEqual([401, 200, 200])
    expect((await send(at.product, token)).status).toBe(400)
    expect((await send(at.product, await at.fake.logoutToken({ sub: ADA.sub }))).status).toBe(200)
    expect(await statuses()).toEqual([401, 401, 200])
  })

  it('O14: is refused if it is unsigned, foreign, for somebody else, old, without the event, with a nonce, or an ID token', async () => {
    await using at = await started()
    const here = await signedIn(at, { ...ADA, sid: 'one' })
    const now = Math.floor(Date.now() / 1000)
    const of = { sub: ADA.sub }
    const wrong = [
      at.fake.logoutToken(of, { signature: 'none' }),
      at.fake.logoutToken(of, { signature: 'public-key' }),
      at.fake.logoutToken(of, { signature: 'foreign' }),
      at.fake.logoutToken({ ...of, iss: 'https://evil.example' }),
      at.fake.logoutToken({ ...of, aud: 'another' }),
      at.fake.logoutToken({ ...of, iat: now - 600 }),
      at.fake.logoutToken({ ...of, exp: now - 300 }),
      at.fake.logoutToken({ ...of, iat: now + 3600 }),
      at.fake.logoutToken({ ...of, jti: undefined }),
      at.fake.logoutToken({ ...of, events: undefined }),
      at.fake.logoutToken({ ...of, events: { 'urn:another': {} } }),
      at.fake.logoutToken({ ...of, events: { 'http://schemas.openid.net/event/backchannel-logout': true } }),
      at.fake.logoutToken({ ...of, nonce: 'n' }),
      at.fake.logoutToken(of, { typ: 'at+jwt' }),
      at.fake.logoutToken({}),
      Promise.resolve(''),
      Promise.resolve('x.y.z'),
    ]
    for (const token of wrong) expect((await send(at.product, await token)).status).toBe(400)
    expect(await here()).toBe(200)
  })
})

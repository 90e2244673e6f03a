import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { addDirectory, enter as enterDirectory, fieldsFor } from '../ldap/directory.ts'
import { person, startSlapd } from '../ldap/slapd.ts'
import { addProvider, beginSignIn, callback, createBrowser, FIELDS, finishSignIn } from '../oidc/browser.ts'
import { type FakeProvider, startFakeProvider } from '../oidc/fake-provider.ts'
import { type Product, startProduct } from './world.ts'

// What a third attacker found: each attack succeeded once.
setDefaultTimeout(60_000)

const PASSWORD = 'a password of ada'

/** Ada, who came by the provider and chose a password here; asks as she does. */
async function ada(product: Product, fake: FakeProvider) {
  await addProvider(product, fake.issuer)
  const browser = createBrowser(product)
  const at = await beginSignIn(browser)
  await callback(browser, fake.authorize(at, { sub: 'subject-of-ada', preferred_username: 'ada' }))
  await finishSignIn(browser)
  await product.world.users.setPassword((await product.account('ada')).id, PASSWORD)
  const login = { method: 'POST', headers: { 'x-satchel-web': '1' }, body: JSON.stringify({ username: 'ada', password: PASSWORD }) }
  const token = await (await browser.go('/api/login', login)).text()
  return async (body: object): Promise<{ status: number; code: unknown }> => {
    const headers = { 'x-auth': token, 'x-satchel-web': '1', accept: 'application/json' }
    const answer = await browser.go('/api/oidc/connections/idp', { method: 'DELETE', headers, body: JSON.stringify(body) })
    const text = await answer.text()
    return { status: answer.status, code: answer.ok ? null : (JSON.parse(text) as { code?: unknown }).code }
  }
}

const connected = async (product: Product) => (await product.as('root').providers.links({})).map(({ username }) => username)

describe('people-attack3-1: somebody at a session that was left open', () => {
  it('does not disconnect the account from its provider without a proof', async () => {
    await using product = await startProduct()
    await using fake = await startFakeProvider()
    const disconnect = await ada(product, fake)
    product.pass(6 * 60_000)
    expect(await disconnect({})).toEqual({ status: 403, code: 'proof-needed' })
    expect(await disconnect({ current_password: 'a guess' })).toEqual({ status: 403, code: 'proof-needed' })
    expect(await connected(product)).toEqual(['ada'])
    expect((await disconnect({ current_password: PASSWORD })).status).toBeLessThan(300)
    expect(await connected(product)).toEqual([])
  })
})

describe('people-attack3-2: an administrator who changes where a provider is', () => {
  const update = (product: Product, fields: { issuer: string; clientSecret?: string }) =>
    product.as('root').providers.update({ params: { id: 'idp' }, body: { ...FIELDS, ...fields } })
  const stored = async (product: Product) => {
    const { issuer, hasSecret } = (await product.as('root').providers.list({})).providers[0] ?? {}
    return { issuer, hasSecret }
  }

  for (const issuer of ['https://idp.example.org/mine', 'https://other.example.org/one', 'https://idp.example.org:8443/one'])
    it(`does not get the secret sent to ${issuer}`, async () => {
      await using product = await startProduct()
      await addProvider(product, 'https://idp.example.org/one', { clientSecret: 'canary-secret' })
      await expect(update(product, { issuer })).rejects.toMatchObject({ code: 'secret-needed' })
      expect(await stored(product)).toEqual({ issuer: 'https://idp.example.org/one', hasSecret: true })
      await update(product, { issuer, clientSecret: 'another' })
      expect(await stored(product)).toEqual({ issuer, hasSecret: true })
    })

  it('types no secret where there is none, or where only a slash at the end is another', async () => {
    await using product = await startProduct()
    await addProvider(product, 'https://idp.example.org/one', { clientSecret: 'canary-secret' })
    await update(product, { issuer: 'https://idp.example.org/one/' })
    expect(await stored(product)).toEqual({ issuer: 'https://idp.example.org/one/', hasSecret: true })
    await update(product, { issuer: 'https://idp.example.org/two', clientSecret: '' })
    await update(product, { issuer: 'https://idp.example.org/three' })
    expect(await stored(product)).toEqual({ issuer: 'https://idp.example.org/three', hasSecret: false })
  })
})

describe('people-attack3-3: the connections of an account', () => {
  it('say which of them only an administrator can end', async () => {
    using slapd = await startSlapd(person('ada'))
    await using product = await startProduct()
    await addDirectory(product, fieldsFor(slapd))
    const { text: token } = await enterDirectory(product, 'ada')
    const ofAda = async () => {
      const answer = await product.ask('/api/oidc/connections', { headers: { 'x-auth': token } })
      return ((await answer.json()) as { connections: unknown[] }).connections
    }
    expect(await ofAda()).toMatchObject([{ id: 'corp', isFixed: true }])
    await product.db.updateTable('users').set({ lock_password: 0 }).where('username', '=', 'ada').execute()
    product.world.bus.announce('user.changed', { userId: (await product.account('ada')).id })
    expect(await ofAda()).toMatchObject([{ id: 'corp', isFixed: false }])
  })
})

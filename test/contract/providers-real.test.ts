import { expect, it, setDefaultTimeout } from 'bun:test'
import { addProvider, beginSignIn, callback, createBrowser, finishSignIn } from '../oidc/browser.ts'
import { createPerson, type Person } from '../oidc/person.ts'
import { CLIENT, type RealProvider, startRealProvider } from '../oidc/real-provider.ts'
import { type Product, startProduct } from './world.ts'
import { until } from './until.ts'

// Keys are made and hashes computed, on a machine that may be busy.
setDefaultTimeout(30_000)

async function enter(product: Product, person: Person, login: string) {
  const browser = createBrowser(product)
  const back = await callback(browser, await person.signIn(await beginSignIn(browser), login))
  return { browser, back, ...(await finishSignIn(browser)) }
}

async function started(): Promise<AsyncDisposable & { product: Product; provider: RealProvider }> {
  const product = await startProduct({ storage: 'local' })
  const address = `http://127.0.0.1:${product.port}`
  const provider = await startRealProvider(address)
  await addProvider(product, provider.issuer, { clientSecret: CLIENT.secret, admin: { claim: 'groups', values: ['admins'] } })
  return {
    product,
    provider,
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]()
      await product[Symbol.asyncDispose]()
    },
  }
}

it('signs in through oidc-provider, with claims of the userinfo endpoint, and finds the account again', async () => {
  await using at = await started()
  at.provider.people.set('subject-1', { preferred_username: 'ada', groups: ['admins'] })
  const first = await enter(at.product, createPerson(), 'subject-1')
  expect(first.username).toBe('ada')
  expect((await at.product.account('ada')).perm.admin).toBe(true)
  at.provider.people.set('subject-1', { preferred_username: 'ada.king', groups: [] })
  const second = await enter(at.product, createPerson(), 'subject-1')
  expect([second.username, (await at.product.account('ada')).perm.admin]).toEqual(['ada', false])
})

it('says that somebody cancelled at the provider', async () => {
  await using at = await started()
  const browser = createBrowser(at.product)
  const back = await callback(browser, await createPerson().cancel(await beginSignIn(browser)))
  expect(back.query['problem']).toBe('refused')
})

it('signs out at the provider too, and is signed out by it', async () => {
  await using at = await started()
  const person = createPerson()
  const here = await enter(at.product, person, 'ada')
  const elsewhere = await enter(at.product, createPerson(), 'bob')
  const headers = (token: string) => ({ 'x-auth': token })
  const { url } = (await (await here.browser.go('/api/oidc/leave', { method: 'POST', headers: headers(here.token) })).json()) as {
    url: string
  }
  expect(new URL(url).origin).toBe(at.provider.issuer)
  // Still signed in here; the provider then tells us by its back channel.
  const status = async ({ browser, token }: typeof here) => (await browser.go('/api/sessions', { headers: headers(token) })).status
  expect(await status(here)).toBe(200)
  const end = await person.signOut(url)
  expect(end).toBe(`http://127.0.0.1:${at.product.port}/login`)
  await until(async () => (await status(here)) === 401)
  expect(await status(elsewhere)).toBe(200)
  const again = await beginSignIn(createBrowser(at.product))
  expect(await person.asksForPassword(again)).toBe(true)
})

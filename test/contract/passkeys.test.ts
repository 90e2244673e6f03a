import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { type Authenticator, createAuthenticator } from './authenticator.ts'
import { createCalls, ORIGIN, type Told } from './second-factors.ts'
import { type Product, startProduct } from './world.ts'

const SECOND = '/api/login/second/challenge'
const ALONE = '/api/login/passkey/challenge'

let product: Product
let calls: ReturnType<typeof createCalls>
let key: Authenticator
beforeEach(async () => {
  product = await startProduct()
  product.stopClock()
  calls = createCalls(product)
  key = createAuthenticator()
})
afterEach(() => product[Symbol.asyncDispose]())

/** Signs in with the passkey alone. */
async function alone(behaviour: Partial<Parameters<Authenticator['get']>[1]> = {}): Promise<Told> {
  const { ticket, options } = await calls.passkeyChallenge(ALONE, null)
  return calls.send('/api/login/passkey', { ticket, passkey: key.get(options, { origin: ORIGIN, ...behaviour }) })
}

async function second(behaviour: Partial<Parameters<Authenticator['get']>[1]> = {}): Promise<Told> {
  const ticket = await calls.ticketOf('ann')
  const { options } = await calls.passkeyChallenge(SECOND, { ticket })
  return calls.second({ ticket, passkey: key.get(options, { origin: ORIGIN, ...behaviour }) })
}

describe('a passkey', () => {
  it('signs in alone, without a name, and as second factor', async () => {
    const token = await product.signIn('ann')
    const added = await calls.addPasskey(token, key)
    expect(added.status).toBe(200)
    expect(added.json().recoveryCodes).toHaveLength(10)
    const done = await alone()
    expect(done.status).toBe(200)
    expect(await calls.list(done.text)).toMatchObject({
      totp: null,
      passkeys: [{ name: 'Key', site: 'files.example.org' }],
      recoveryCodes: 10,
    })
    expect((await second()).status).toBe(200)
  })

  it('asks nothing of the person alone, and names those of the account as second factor', async () => {
    const token = await product.signIn('ann')
    await calls.addPasskey(token, key)
    const { options: anybody } = await calls.passkeyChallenge(ALONE, null)
    expect(anybody).toMatchObject({ rpId: 'files.example.org', userVerification: 'required', allowCredentials: [] })
    const { options } = await calls.passkeyChallenge(SECOND, { ticket: await calls.ticketOf('ann') })
    expect(options).toMatchObject({ userVerification: 'preferred', allowCredentials: [{ type: 'public-key' }] })
  })

  it('has a name, one of several, and is gone when it is removed', async () => {
    const token = await product.signIn('ann')
    await calls.addPasskey(token, key)
    product.pass(1000)
    await calls.addPasskey(token, createAuthenticator())
    const { passkeys } = await calls.list(token)
    expect(passkeys).toHaveLength(2)
    const address = `/api/factors/passkeys/${passkeys[0]?.id}`
    expect((await calls.send(address, { name: ' Laptop ' }, { token, method: 'PUT' })).status).toBe(200)
    expect((await calls.list(token)).passkeys.map(({ name }) => name)).toEqual(['Laptop', 'Key'])
    expect((await calls.send(address, null, { token, method: 'DELETE' })).status).toBe(200)
    expect((await alone()).code).toBe('wrong-credentials')
    expect((await second()).code).toBe('wrong-code')
    const { id } = await product.account('root')
    expect((await calls.send(`/api/factors/passkeys/${id}`, null, { token, method: 'DELETE' })).status).toBe(404)
  })

  it('that did not verify its user is only a second factor', async () => {
    await calls.addPasskey(await product.signIn('ann'), key)
    expect((await alone({ verifies: false })).code).toBe('wrong-credentials')
    expect((await second({ verifies: false })).status).toBe(200)
  })

  it('of an account that is switched off lets nobody in', async () => {
    await calls.addPasskey(await product.signIn('ann'), key)
    await product.world.users.setDisabled((await product.account('ann')).id, { disabled: true })
    expect((await alone()).code).toBe('wrong-credentials')
  })

  it('proves again who somebody is, without the password', async () => {
    const token = await product.signIn('ann')
    await calls.addPasskey(token, key)
    product.pass(6 * 60_000)
    expect((await calls.send('/api/factors/recovery', null, { token })).code).toBe('proof-needed')
    const { ticket, options } = await calls.passkeyChallenge('/api/proof/challenge', null, { token })
    const passkey = key.get(options, { origin: ORIGIN })
    expect((await calls.send('/api/proof', { ticket, passkey }, { token })).status).toBe(200)
    expect((await calls.send('/api/factors/recovery', null, { token })).status).toBe(200)
    // Once.
    expect((await calls.send('/api/proof', { ticket, passkey }, { token })).code).toBe('proof-needed')
  })
})

describe('an answer to a challenge', () => {
  beforeEach(async () => void (await calls.addPasskey(await product.signIn('ann'), key)))

  it('counts once (SF4)', async () => {
    const { ticket, options } = await calls.passkeyChallenge(ALONE, null)
    const passkey = key.get(options, { origin: ORIGIN })
    const kept = await product.db.selectFrom('sign_in_tickets').selectAll().where('kind', '=', 'passkey').execute()
    expect((await calls.send('/api/login/passkey', { ticket, passkey })).status).toBe(200)
    expect((await calls.send('/api/login/passkey', { ticket, passkey })).code).toBe('wrong-credentials')
    // Without that, and without counters, it would count again.
    await product.db.insertInto('sign_in_tickets').values(kept).execute()
    await product.db.updateTable('second_factors').set({ counter: 0 }).execute()
    expect((await calls.send('/api/login/passkey', { ticket, passkey })).status).toBe(200)
  })

  it('counts for two minutes (SF4)', async () => {
    const { ticket, options } = await calls.passkeyChallenge(ALONE, null)
    const passkey = key.get(options, { origin: ORIGIN })
    product.pass(2 * 60_000)
    expect((await calls.send('/api/login/passkey', { ticket, passkey })).code).toBe('wrong-credentials')
  })

  it('counts for its own ticket only (SF4)', async () => {
    const { options } = await calls.passkeyChallenge(ALONE, null)
    const { ticket: other } = await calls.passkeyChallenge(ALONE, null)
    const passkey = key.get(options, { origin: ORIGIN })
    expect((await calls.send('/api/login/passkey', { ticket: other, passkey })).code).toBe('wrong-credentials')
    const { ticket: proof } = await calls.passkeyChallenge('/api/proof/challenge', null, { token: await alone().then(({ text }) => text) })
    expect((await calls.send('/api/login/passkey', { ticket: proof, passkey })).code).toBe('wrong-credentials')
  })

  it('was made on a page of another origin: refused (SF5)', async () => {
    for (const origin of [
      'https://files.example.org.evil.test',
      'https://evil.test',
      'http://files.example.org',
      'https://files.example.org:8443',
    ])
      expect([origin, (await alone({ origin })).code]).toEqual([origin, 'wrong-credentials'])
    expect((await alone()).status).toBe(200)
  })

  it('was made for another site that the attacker led somebody to: refused (SF5)', async () => {
    const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'same-origin', accept: 'application/json' }
    const answer = await product.ask('/api/login/passkey/challenge', { method: 'POST', headers })
    const { ticket, options } = (await answer.json()) as { ticket: string; options: Parameters<Authenticator['get']>[0] }
    expect(options.rpId).toBe('evil.test')
    const passkey = key.get(options, { origin: 'https://evil.test' })
    expect((await calls.send('/api/login/passkey', { ticket, passkey })).code).toBe('wrong-credentials')
  })

  it('has a counter that went back, as of a copied authenticator: refused (SF6)', async () => {
    expect((await alone({ counter: 5 })).status).toBe(200)
    for (const counter of [5, 4, 1]) expect([counter, (await alone({ counter })).code]).toEqual([counter, 'wrong-credentials'])
    expect((await alone({ counter: 6 })).status).toBe(200)
    await product.db.updateTable('second_factors').set({ counter: 0 }).execute()
    expect((await alone({ counter: 5 })).status).toBe(200)
  })

  it('is signed by another key: refused', async () => {
    const real = key
    key = createAuthenticator()
    const forged = await alone()
    expect(forged.code).toBe('wrong-credentials')
    key = real
    expect((await alone()).status).toBe(200)
  })

  it('may be asked for thirty times at once by one network, and no more: challenges do not fill the disk (SF7)', async () => {
    const codes = []
    for (let i = 0; i < 40; i++) codes.push((await calls.send(ALONE, null)).status)
    expect(codes.filter((status) => status === 200).length).toBeLessThanOrEqual(30)
    expect(codes.at(-1)).toBe(429)
    expect((await calls.send(ALONE, null, { peer: '198.51.100.99' })).status).toBe(200)
  })
})

it('somebody else’s passkey is no second factor for this account', async () => {
  const token = await product.signIn('ann')
  await calls.addPasskey(token, key)
  const foreign = createAuthenticator()
  await calls.addPasskey(await product.signIn('root'), foreign)
  const ticket = await calls.ticketOf('ann')
  const { options } = await calls.passkeyChallenge(SECOND, { ticket })
  expect((await calls.second({ ticket, passkey: foreign.get(options, { origin: ORIGIN }) })).code).toBe('wrong-code')
})

it('a passkey is not added by somebody else’s challenge, by another origin, or twice', async () => {
  const token = await product.signIn('ann')
  const challenge = async () => (await calls.send('/api/factors/passkeys/challenge', null, { token })).json()
  const { ticket, options } = await challenge()
  const passkey = key.create(options, { origin: ORIGIN })
  const root = await product.signIn('root')
  expect((await calls.send('/api/factors/passkeys', { ticket, name: 'x', passkey }, { token: root })).code).toBe('wrong-code')
  const evil = key.create(options, { origin: 'https://evil.test' })
  expect((await calls.send('/api/factors/passkeys', { ticket, name: 'x', passkey: evil }, { token })).code).toBe('wrong-code')
  expect((await calls.send('/api/factors/passkeys', { ticket, name: 'x', passkey }, { token })).code).toBe('wrong-code')
  expect((await calls.addPasskey(token, key)).status).toBe(200)
  expect((await calls.addPasskey(token, key)).code).toBe('wrong-code')
  expect((await calls.list(token)).passkeys).toHaveLength(1)
})

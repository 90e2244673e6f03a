import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { createCalls } from './second-factors.ts'
import { PASSWORD, type Product, startProduct } from './world.ts'

/** Somebody knows ann’s password and wants to get in without her second factor. */
let product: Product
let calls: ReturnType<typeof createCalls>
let ann: { token: string; code: () => string; codes: string[] }
beforeEach(async () => {
  product = await startProduct()
  product.stopClock()
  calls = createCalls(product)
  await product.seed({ 'diary.txt': 'dear diary' })
  const token = await product.signIn('ann')
  ann = { token, ...(await calls.setUpTotp(token)) }
})
afterEach(() => product[Symbol.asyncDispose]())

const read = (headers: Record<string, string>, query = '') =>
  product.ask(`/api/raw/diary.txt${query}`, { headers }).then(({ status }) => status)
const remove = async () => {
  await product.db.updateTable('users').set({ second_factor: 0 }).where('username', '=', 'ann').execute()
}

describe('who knows the password alone', () => {
  it('gets in where there is no second factor, and not where there is one (GHSA-gv5w-8q25-785v)', async () => {
    expect((await calls.login('ann')).code).toBe('second-factor-needed')
    await remove()
    expect((await calls.login('ann')).status).toBe(200)
  })

  it('gets nothing by the ticket of a half-done sign-in: it is no session, whatever header, cookie or address carries it (CVE-2026-45690, CVE-2026-45691, CVE-2026-57490)', async () => {
    const ticket = await calls.ticketOf('ann', { web: true })
    const jwt = `${ann.token.split('.').slice(0, 2).join('.')}.${ticket}`
    const basic = (secret: string) => `Basic ${Buffer.from(`ann:${secret}`).toString('base64')}`
    for (const secret of [ticket, jwt]) {
      const headers: Record<string, string>[] = [
        { 'x-auth': secret },
        { authorization: `Bearer ${secret}` },
        { authorization: basic(secret) },
        { cookie: `satchel=${secret}` },
        { cookie: `auth=${secret}` },
        { cookie: `satchel-device-2=${secret}` },
      ]
      for (const header of headers) expect([header, await read(header)]).toEqual([header, 401])
      expect(await read({}, `?auth=${secret}`)).toBe(401)
      expect((await calls.send('/api/renew', null, { token: secret })).status).toBe(401)
    }
    expect(await read({ authorization: basic(PASSWORD) })).toBe(401)
    const opened = await calls.second({ ticket, code: ann.code() })
    expect(await read({ 'x-auth': opened.text })).toBe(200)
  })

  it('cannot set up, renew or remove a factor with the ticket (SF1)', async () => {
    const token = await calls.ticketOf('ann')
    for (const [method, address] of [
      ['POST', '/api/factors/totp'],
      ['POST', '/api/factors/recovery'],
      ['DELETE', '/api/factors/totp'],
      ['POST', '/api/factors/passkeys/challenge'],
      ['POST', '/api/proof'],
    ] as const)
      expect((await calls.send(address, {}, { token, method })).status).toBe(401)
  })

  it('cannot make recovery codes before the owner has a second factor, and use them after (GHSA-54qx-8p8w-xhg8)', async () => {
    const attacker = await product.signIn('root')
    expect((await calls.send('/api/factors/recovery', null, { token: attacker })).status).toBe(404)
    const owner = await product.signIn('root')
    const { codes } = await calls.setUpTotp(owner)
    // The session that knew the password alone has ended as well.
    expect((await calls.send('/api/factors/recovery', null, { token: attacker })).status).toBe(401)
    await calls.send('/api/factors/totp', null, { token: owner, method: 'DELETE' })
    const again = await calls.setUpTotp(owner)
    expect((await calls.second({ ticket: await calls.ticketOf('root'), recovery: codes[0] })).code).toBe('wrong-code')
    expect((await calls.second({ ticket: await calls.ticketOf('root'), recovery: again.codes[0] })).status).toBe(200)
  })

  it('gets no session by a link that sets a password: the second factor is still asked for (GHSA-hw5f-6wvv-xcrh)', async () => {
    const { id } = await product.account('ann')
    const params = { id: String(id) }
    const { secret } = await product.as('root').passwordLinks.create({ params, body: { mail: false, current_password: PASSWORD } })
    const password = 'another long password'
    const used = await calls.send('/api/password-link', { secret, password })
    expect([used.status, used.text, used.cookies]).toEqual([200, '200 OK\n', []])
    expect((await calls.login('ann', { password })).code).toBe('second-factor-needed')
    expect((await product.account('ann')).secondFactor).toBe(true)
  })

  it('cannot set another password, or prove anything, with the password of an open session (GHSA-hw5f-6wvv-xcrh, SF2)', async () => {
    const { id } = await product.account('ann')
    const body = { what: 'user', which: ['password'], data: { id, password: 'a password of theirs' }, current_password: PASSWORD }
    const change = () => calls.send(`/api/users/${id}`, body, { token: ann.token, method: 'PUT' })
    product.pass(6 * 60_000)
    expect((await change()).code).toBe('proof-needed')
    expect((await calls.send('/api/proof', { password: PASSWORD }, { token: ann.token })).code).toBe('proof-needed')
    expect((await calls.send('/api/factors/totp', null, { token: ann.token, method: 'DELETE' })).code).toBe('proof-needed')
    // A wrong password with a right code, and the other way round, get the same answer; the code is not used up by the first.
    const code = ann.code()
    const wrong = await calls.send('/api/proof', { password: 'something else', code }, { token: ann.token })
    const other = await calls.send('/api/proof', { password: PASSWORD, code: '000000' }, { token: ann.token })
    expect([wrong.text, wrong.status]).toEqual([other.text, other.status])
    expect((await calls.send('/api/proof', { password: PASSWORD, code }, { token: ann.token })).status).toBe(200)
    expect((await change()).status).toBe(200)
  })

  it('on a trusted device proves nothing: what matters is asked for with the factor (SF2)', async () => {
    const done = await calls.second({ ticket: await calls.ticketOf('ann'), code: ann.code(), trust: true }, { web: true })
    const cookie = done.cookies.find((line) => line.startsWith('satchel-device-'))?.split(';', 1)[0] ?? ''
    const { text: token } = await calls.login('ann', { cookie })
    expect(await read({ 'x-auth': token })).toBe(200)
    expect((await calls.send('/api/factors/totp', null, { token, method: 'DELETE' })).code).toBe('proof-needed')
    const renewed = await calls.send('/api/renew', null, { token })
    expect((await calls.send('/api/factors/totp', null, { token: renewed.text, method: 'DELETE' })).code).toBe('proof-needed')
  })

  it('with the setting for old clients still cannot change factors without the factor (SF2)', async () => {
    await product.world.settings.change((before) => ({ ...before, compatibility: true }))
    product.pass(6 * 60_000)
    for (const [method, address] of [
      ['POST', '/api/factors/totp'],
      ['POST', '/api/factors/recovery'],
      ['DELETE', '/api/factors/totp'],
      ['POST', '/api/factors/passkeys/challenge'],
    ] as const)
      expect((await calls.send(address, {}, { token: ann.token, method })).code).toBe('proof-needed')
  })
})

describe('a ticket', () => {
  it('counts once, and of two at the same time one (SF1)', async () => {
    const ticket = await calls.ticketOf('ann')
    const both = await Promise.all([calls.second({ ticket, code: ann.code() }), calls.second({ ticket, recovery: ann.codes[0] })])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    expect((await calls.second({ ticket, recovery: ann.codes[1] })).code).toBe('sign-in-needed')
  })

  it('counts for five minutes (SF1)', async () => {
    const ticket = await calls.ticketOf('ann')
    product.pass(5 * 60_000)
    expect((await calls.second({ ticket, code: ann.code() })).code).toBe('sign-in-needed')
  })

  it('ends with the password, with the account and with its factors (SF1)', async () => {
    const { id } = await product.account('ann')
    const tickets = [await calls.ticketOf('ann'), await calls.ticketOf('ann'), await calls.ticketOf('ann')] as const
    await product.world.users.setDisabled(id, { disabled: true })
    expect((await calls.second({ ticket: tickets[0], code: ann.code() })).code).toBe('sign-in-needed')
    await product.world.users.setDisabled(id, { disabled: false })
    // What ended all sessions ended this too.
    expect((await calls.second({ ticket: tickets[1], code: ann.code() })).code).toBe('sign-in-needed')
    const fresh = await calls.ticketOf('ann')
    await product.world.users.setPassword(id, 'another long password')
    expect((await calls.second({ ticket: fresh, code: ann.code() })).code).toBe('sign-in-needed')
    await product.world.users.setPassword(id, PASSWORD)
    const last = await calls.ticketOf('ann')
    await product.world.factors.removeAll(id, {
      viewer: (await product.world.sessions.identify({ token: await product.signIn('root'), cookies: [] })) ?? never(),
      address: null,
    })
    expect((await calls.second({ ticket: last, code: ann.code() })).code).toBe('sign-in-needed')
  })

  it('is stored as a hash (SF1)', async () => {
    const ticket = await calls.ticketOf('ann')
    const done = await calls.second({ ticket: await calls.ticketOf('ann'), code: ann.code(), trust: true }, { web: true })
    const device = done.cookies.find((line) => line.startsWith('satchel-device-'))?.split(/[=;]/)[1] ?? ''
    const stored = JSON.stringify([
      await product.db.selectFrom('sign_in_tickets').selectAll().execute(),
      await product.db.selectFrom('trusted_devices').selectAll().execute(),
    ])
    expect(device).not.toBe('')
    for (const secret of [ticket, device]) expect(stored).not.toContain(secret)
  })
})

describe('a code', () => {
  it('counts once, also at the same time, and none that is older (SF3)', async () => {
    const code = ann.code()
    const tickets = [await calls.ticketOf('ann'), await calls.ticketOf('ann'), await calls.ticketOf('ann')] as const
    const both = await Promise.all([calls.second({ ticket: tickets[0], code }), calls.second({ ticket: tickets[1], code })])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403])
    product.pass(29_000)
    expect((await calls.second({ ticket: tickets[2], code })).code).toBe('wrong-code')
    // Without that it would count again.
    await product.db.updateTable('second_factors').set({ counter: 0 }).execute()
    expect((await calls.second({ ticket: tickets[2], code })).status).toBe(200)
  })

  it('can be guessed five times with one ticket (SF3)', async () => {
    const ticket = await calls.ticketOf('ann')
    for (let i = 0; i < 5; i++) expect((await calls.second({ ticket, code: '000000' })).code).toBe('wrong-code')
    expect((await calls.second({ ticket, code: ann.code() })).code).toBe('sign-in-needed')
    await product.db.updateTable('sign_in_tickets').set({ tries: 0 }).execute()
    expect((await calls.second({ ticket, code: ann.code() })).status).toBe(200)
  })

  it('cannot be guessed from many addresses, and right passwords between the guesses do not reset the count (SF3, CVE-2021-41177)', async () => {
    let tried = 0
    for (let i = 0; i < 300; i++) {
      const peer = `198.51.${100 + (i % 100)}.7`
      const { code, json } = await calls.login('ann', { peer })
      if (code !== 'second-factor-needed') continue
      const { ticket } = json().detail
      const told = await calls.second({ ticket, code: '000000' }, { peer })
      if (told.code === 'wrong-code') tried += 1
      else expect(told.code).toBe('too-many-requests')
    }
    expect(tried).toBeGreaterThan(3)
    expect(tried).toBeLessThan(20)
  })

  it('cannot be guessed with a recovery code’s or a proof’s name instead (SF3)', async () => {
    product.pass(6 * 60_000)
    const told: string[] = []
    for (let i = 0; i < 40; i++)
      told.push((await calls.send('/api/proof', { password: PASSWORD, code: '000000' }, { token: ann.token })).code)
    expect(told.filter((code) => code === 'proof-needed').length).toBeLessThan(20)
    expect(told.at(-1)).toBe('too-many-requests')
  })

  it('wrong from others does not keep the owner out where they signed in before (SF3)', async () => {
    expect((await calls.second({ ticket: await calls.ticketOf('ann'), code: ann.code() })).status).toBe(200)
    product.pass(60_000)
    for (let i = 0; i < 100; i++) {
      const peer = `198.51.100.${i}`
      const { code, json } = await calls.login('ann', { peer })
      if (code === 'second-factor-needed') await calls.second({ ticket: json().detail.ticket, code: '000000' }, { peer })
    }
    expect((await calls.second({ ticket: await calls.ticketOf('ann'), code: ann.code() })).status).toBe(200)
  })
})

it('two removals of the last two factors at the same time leave nobody locked out', async () => {
  const codes = await Promise.all([
    calls.send('/api/factors/totp', null, { token: ann.token, method: 'DELETE' }),
    calls.send('/api/factors/totp', null, { token: ann.token, method: 'DELETE' }),
  ])
  expect(codes.map(({ status }) => status)).toContain(200)
  expect((await calls.login('ann')).status).toBe(200)
})

function never(): never {
  throw new Error('no viewer')
}

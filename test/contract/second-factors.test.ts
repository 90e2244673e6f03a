import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { endpointsOf } from '../../src/shared/contract/endpoint.ts'
import { api } from '../../src/shared/contract/index.ts'
import { createCalls } from './second-factors.ts'
import { type Product, startProduct } from './world.ts'

let product: Product
let calls: ReturnType<typeof createCalls>
beforeEach(async () => {
  product = await startProduct()
  product.stopClock()
  calls = createCalls(product)
  await product.seed({ 'diary.txt': 'dear diary' })
})
afterEach(() => product[Symbol.asyncDispose]())

const canRead = async (token: string): Promise<boolean> =>
  (await product.ask('/api/raw/diary.txt', { headers: { 'x-auth': token } })).status === 200

describe('an authenticator app', () => {
  it('counts only after its first right code', async () => {
    const token = await product.signIn('ann')
    await calls.send('/api/factors/totp', null, { token })
    expect((await calls.login('ann')).status).toBe(200)
    expect(await calls.send('/api/factors/totp/confirm', { code: '000000' }, { token })).toMatchObject({ status: 403, code: 'wrong-code' })
    expect(await calls.list(token)).toMatchObject({ totp: null, recoveryCodes: 0 })
    await calls.setUpTotp(token)
    expect(await calls.list(token)).toMatchObject({ totp: { lastUsed: expect.any(Number) }, recoveryCodes: 10, required: false })
    expect((await calls.login('ann')).code).toBe('second-factor-needed')
  })

  it('is asked for after the right password, and lets in with its code', async () => {
    const { code } = await calls.setUpTotp(await product.signIn('ann'))
    const told = await calls.login('ann')
    expect(told.code).toBe('second-factor-needed')
    expect(told.json().detail).toEqual({ ticket: expect.any(String), ways: ['totp', 'recovery'] })
    const { ticket } = told.json().detail
    const done = await calls.second({ ticket, code: code() })
    expect(done.status).toBe(200)
    expect(await canRead(done.text)).toBe(true)
  })

  it('tells clients that cannot ask for a code what to do instead', async () => {
    await calls.setUpTotp(await product.signIn('ann'))
    const body = JSON.stringify({ username: 'ann', password: 'correct horse battery' })
    const answer = await product.ask('/api/login', { method: 'POST', body })
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('use an API token')
  })

  it('is told to nobody who does not know the password', async () => {
    const before = await calls.login('ann', { password: 'wrong password here' })
    await calls.setUpTotp(await product.signIn('ann'))
    const after = await calls.login('ann', { password: 'wrong password here' })
    expect({ ...after, json: null }).toEqual({ ...before, json: null })
  })

  it('ends other sign-ins when it is set up, because they began with a password alone, and keeps this one', async () => {
    const other = await product.signIn('ann')
    const token = await product.signIn('ann')
    await calls.setUpTotp(token)
    expect([await canRead(other), await canRead(token)]).toEqual([false, true])
  })

  it('can be replaced by another one, and the old one counts until then', async () => {
    const token = await product.signIn('ann')
    const first = await calls.setUpTotp(token)
    await calls.send('/api/factors/totp', null, { token })
    expect((await calls.second({ ticket: await calls.ticketOf('ann'), code: first.code() })).status).toBe(200)
    const { codes, code } = await calls.setUpTotp(token)
    expect(codes).toEqual([])
    expect((await calls.second({ ticket: await calls.ticketOf('ann'), code: first.code() })).code).toBe('wrong-code')
    expect((await calls.second({ ticket: await calls.ticketOf('ann'), code: code() })).status).toBe(200)
  })

  it('is not asked for any more after it was removed', async () => {
    const token = await product.signIn('ann')
    await calls.setUpTotp(token)
    expect((await calls.send('/api/factors/totp', null, { token, method: 'DELETE' })).status).toBe(200)
    expect(await calls.list(token)).toMatchObject({ totp: null, recoveryCodes: 0 })
    expect((await calls.login('ann')).status).toBe(200)
  })
})

describe('recovery codes', () => {
  it('each let in once, however they are typed', async () => {
    const { codes } = await calls.setUpTotp(await product.signIn('ann'))
    expect(new Set(codes).size).toBe(10)
    const [one = '', two = ''] = codes
    expect((await calls.second({ ticket: await calls.ticketOf('ann'), recovery: one })).status).toBe(200)
    expect((await calls.second({ ticket: await calls.ticketOf('ann'), recovery: one })).code).toBe('wrong-code')
    const done = await calls.second({ ticket: await calls.ticketOf('ann'), recovery: ` ${two.toUpperCase().replaceAll('-', ' ')}` })
    expect(await calls.list(done.text)).toMatchObject({ recoveryCodes: 8 })
  })

  it('can be renewed, which ends the old ones; only their hashes are stored', async () => {
    const token = await product.signIn('ann')
    const { codes } = await calls.setUpTotp(token)
    const { recoveryCodes } = (await calls.send('/api/factors/recovery', null, { token })).json()
    expect((await calls.second({ ticket: await calls.ticketOf('ann'), recovery: codes[0] })).code).toBe('wrong-code')
    expect((await calls.second({ ticket: await calls.ticketOf('ann'), recovery: recoveryCodes[0] })).status).toBe(200)
    const stored = JSON.stringify(await product.db.selectFrom('recovery_codes').selectAll().execute())
    for (const code of recoveryCodes) expect(stored).not.toContain(code)
  })
})

describe('a trusted device', () => {
  const trusted = async (code: () => string): Promise<string> => {
    const done = await calls.second({ ticket: await calls.ticketOf('ann'), code: code(), trust: true }, { web: true })
    return done.cookies.find((line) => line.startsWith('satchel-device-'))?.split(';', 1)[0] ?? ''
  }

  it('is not asked for 30 days, by a cookie of its own that scripts cannot read', async () => {
    const { code } = await calls.setUpTotp(await product.signIn('ann'))
    const done = await calls.second({ ticket: await calls.ticketOf('ann'), code: code(), trust: true }, { web: true })
    const line = done.cookies.find((one) => one.startsWith('satchel-device-')) ?? ''
    expect(line).toMatch(/^satchel-device-\d+=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
    const cookie = line.split(';', 1)[0] ?? ''
    expect((await calls.login('ann', { cookie })).status).toBe(200)
    expect((await calls.login('ann')).code).toBe('second-factor-needed')
    // Somebody else’s trust is not theirs.
    const { code: roots } = await calls.setUpTotp(await product.signIn('root'))
    expect(roots()).toMatch(/^\d{6}$/)
    expect((await calls.login('root', { cookie })).code).toBe('second-factor-needed')
    product.pass(30 * 24 * 3600_000)
    expect((await calls.login('ann', { cookie })).code).toBe('second-factor-needed')
  })

  it('is listed, and ends when it is taken back, with the factor, with the password, and by administrators', async () => {
    const token = await product.signIn('ann')
    const { code } = await calls.setUpTotp(token)
    const isAsked = async (cookie: string) => (await calls.login('ann', { cookie })).code === 'second-factor-needed'

    const first = await trusted(code)
    const { devices } = await calls.list(token)
    expect(devices).toHaveLength(1)
    expect((await calls.send(`/api/factors/devices/${devices[0]?.id}`, null, { token, method: 'DELETE' })).status).toBe(200)
    expect(await isAsked(first)).toBe(true)

    product.pass(60_000)
    const second = await trusted(code)
    expect(await isAsked(second)).toBe(false)
    const { id } = await product.account('ann')
    await product.world.users.setPassword(id, 'another long password')
    expect((await calls.login('ann', { cookie: second, password: 'another long password' })).code).toBe('second-factor-needed')
    await product.world.users.setPassword(id, 'correct horse battery')

    const root = await product.signIn('root')
    product.pass(60_000)
    const third = await trusted(code)
    expect((await calls.send(`/api/users/${id}/factors`, null, { token: root, method: 'DELETE' })).status).toBe(200)
    await calls.setUpTotp(await product.signIn('ann'))
    expect(await isAsked(third)).toBe(true)
  })
})

describe('a required second factor', () => {
  const require = (secondFactorFor: 'administrators' | 'everybody') =>
    product.world.settings.change((before) => ({ ...before, secondFactorFor }))

  it('is set up at the next sign-in, before anything else', async () => {
    await require('everybody')
    const token = await product.signIn('ann')
    const { id } = await product.account('ann')
    for (const { name, call } of endpointsOf(api)) {
      if (call.by === 'anyone' || call.beforeSecondFactor === true) continue
      const address = call.path.replace(/\*path$/, 'diary.txt').replace(/:\w+/g, String(id))
      const accept = [call.accept ?? '', 'application/json'].join()
      const answer = await product.ask(address, { method: call.method, headers: { 'x-auth': token, accept } })
      const told = call.method === 'HEAD' ? '' : await answer.text()
      expect([name, answer.status, told]).toEqual([
        name,
        403,
        call.method === 'HEAD' ? '' : '{"code":"second-factor-setup-needed","detail":{}}',
      ])
    }
    expect(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({ user: { mustSetUpFactor: true } })
    const { codes } = await calls.setUpTotp(token)
    expect(codes).toHaveLength(10)
    expect(await canRead(token)).toBe(true)
  })

  it('may be required of administrators alone', async () => {
    await require('administrators')
    expect(await canRead(await product.signIn('ann'))).toBe(true)
    expect(await canRead(await product.signIn('root'))).toBe(false)
  })

  it('also holds back sessions that are open when it is required', async () => {
    const token = await product.signIn('ann')
    expect(await canRead(token)).toBe(true)
    await require('everybody')
    expect(await canRead(token)).toBe(false)
  })
})

describe('administrators', () => {
  it('see who has a second factor, and remove it for people who lost theirs', async () => {
    await calls.setUpTotp(await product.signIn('ann'))
    const { id } = await product.account('ann')
    const token = await product.signIn('root')
    const people = await product.as('root').users.list({})
    expect(people.map(({ username, secondFactor }) => [username, secondFactor])).toEqual([
      ['root', false],
      ['ann', true],
    ])
    expect((await calls.send(`/api/users/${id}/factors`, null, { token: await product.signIn('root'), method: 'DELETE' })).status).toBe(200)
    expect((await calls.login('ann')).status).toBe(200)
    const { entries } = (await calls.send('/api/audit?kind=factors-changed', null, { token, method: 'GET' })).json()
    expect(entries[0]).toMatchObject({ who: 'root', subject: 'ann', details: [{ place: 'everything', before: null, after: null }] })
    expect((await calls.send(`/api/users/${id}/factors`, null, { token: await product.signIn('ann'), method: 'DELETE' })).status).toBe(403)
  })

  it('must have proven who they are within five minutes', async () => {
    await calls.setUpTotp(await product.signIn('ann'))
    const token = await product.signIn('root')
    product.pass(6 * 60_000)
    const { id } = await product.account('ann')
    expect((await calls.send(`/api/users/${id}/factors`, null, { token, method: 'DELETE' })).code).toBe('proof-needed')
    expect((await calls.send('/api/proof', { password: 'correct horse battery' }, { token })).status).toBe(200)
    expect((await calls.send(`/api/users/${id}/factors`, null, { token, method: 'DELETE' })).status).toBe(200)
  })
})

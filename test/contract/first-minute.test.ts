import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { endpointsOf } from '../../src/shared/contract/endpoint.ts'
import { api } from '../../src/shared/contract/index.ts'
import { WelcomeStep } from '../../src/shared/contract/users.ts'
import { hashOf } from '../../src/server/db/secret.ts'
import { PASSWORD, type Product, startProduct } from './world.ts'

const OWN = 'a password of my own'
const STEPS = WelcomeStep.options

let product: Product
beforeEach(async () => {
  product = await startProduct()
  await product.seed({ 'diary.txt': 'dear diary' })
})
afterEach(() => product[Symbol.asyncDispose]())

/** As after a first start: the password of `root` was printed. */
async function print({ steps = [] as readonly WelcomeStep[] } = {}): Promise<number> {
  const { id, passwordHash } = await product.account('root')
  const welcome = { userId: id, steps: [...steps] }
  await product.world.settings.change((before) => ({ ...before, printedPassword: hashOf(passwordHash), welcome }))
  return id
}

async function passwordAnswer(token: string, id: number, password: string, which: readonly string[] = ['password']): Promise<Response> {
  const body = JSON.stringify({ what: 'user', which, data: { id, password, username: 'mallory' } })
  return product.ask(`/api/users/${id}`, { method: 'PUT', headers: { 'x-auth': token, accept: 'application/json' }, body })
}

const statusOf = async (token: string, address: string, init: RequestInit = {}): Promise<number> =>
  (await product.ask(address, { ...init, headers: { 'x-auth': token } })).status

describe('the password that the first start printed', () => {
  it('A25: can read files for anyone who finds it in a log, if no change is required', async () => {
    const token = await product.signIn('root')
    expect(await statusOf(token, '/api/raw/diary.txt')).toBe(200)
  })

  it('A25: only allows setting another password, and its session is invalid after that', async () => {
    const id = await print()
    const token = await product.signIn('root')
    const before = await product.snapshot()
    for (const { name, call } of endpointsOf(api)) {
      if (call.by === 'anyone' || call.beforeOwnPassword === true) continue
      const address = call.path.replace(/\*path$/, 'diary.txt').replace(/:\w+/g, String(id))
      const accept = [call.accept ?? '', 'application/json'].join()
      const answer = await product.ask(address, { method: call.method, headers: { 'x-auth': token, accept } })
      const told = call.method === 'HEAD' ? '' : await answer.text()
      expect([name, answer.status, told]).toEqual([name, 403, call.method === 'HEAD' ? '' : '{"code":"own-password-needed","detail":{}}'])
    }
    expect(await product.snapshot()).toEqual(before)

    // Nothing but the password, nobody else’s, and not the same again.
    const { id: other } = await product.account('ann')
    expect((await passwordAnswer(token, id, OWN, ['password', 'username'])).status).toBe(403)
    expect((await passwordAnswer(token, id, OWN, [])).status).toBe(403)
    expect((await passwordAnswer(token, other, OWN)).status).toBe(403)
    for (const again of [PASSWORD, ` ${PASSWORD}`, `${PASSWORD} `, `\u00a0${PASSWORD}\n`]) {
      const same = await passwordAnswer(token, id, again)
      expect([same.status, await same.json()]).toEqual([400, { code: 'invalid-input', detail: { issues: ['data.password: printed'] } }])
    }

    const stolen = await product.signIn('root')
    expect((await passwordAnswer(token, id, OWN)).status).toBe(200)
    expect(await statusOf(token, '/api/raw/diary.txt')).toBe(200)
    expect(await statusOf(stolen, '/api/raw/diary.txt')).toBe(401)
    const again = await product.ask('/api/login', { method: 'POST', body: JSON.stringify({ username: 'root', password: PASSWORD }) })
    expect(again.status).toBe(403)
  })

  it('can be replaced once: a second window or another session cannot replace the first choice', async () => {
    const id = await print()
    const token = await product.signIn('root')
    const choose = (password: string): Promise<Response> => {
      const body = JSON.stringify({ what: 'user', which: ['password'], data: { id, password }, replaces_printed: true })
      return product.ask(`/api/users/${id}`, { method: 'PUT', headers: { 'x-auth': token, accept: 'application/json' }, body })
    }
    const signInStatus = async (password: string): Promise<number> =>
      (await product.ask('/api/login', { method: 'POST', body: JSON.stringify({ username: 'root', password }) })).status

    // At the same time, and one after the other.
    const both = await Promise.all([choose(OWN), choose('the other window')])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const [kept, refused] = both[0].status === 200 ? [OWN, 'the other window'] : ['the other window', OWN]
    const late = await choose('a later window')
    expect([late.status, await late.json()]).toEqual([409, { code: 'own-password-chosen', detail: {} }])
    expect((await choose(kept)).status).toBe(409)
    expect([await signInStatus(kept), await signInStatus(refused), await signInStatus('a later window')]).toEqual([200, 403, 403])

    // A later change is an ordinary one.
    expect((await passwordAnswer(token, id, 'another one again')).status).toBe(200)
    expect(await signInStatus('another one again')).toBe(200)
  })

  it('lets a File Browser client sign in, renew, read its own record and change its password, and explains other refusals', async () => {
    const id = await print()
    const token = await product.signIn('root')
    expect(await statusOf(token, '/api/renew', { method: 'POST' })).toBe(200)
    expect(await (await product.ask(`/api/users/${id}`, { headers: { 'x-auth': token } })).json()).toMatchObject({
      username: 'root',
      mustChangePassword: true,
    })
    const refused = await product.ask('/api/resources/', { headers: { 'x-auth': token } })
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringMatching(/^403 Forbidden \(the password of this account is/)])
    expect((await passwordAnswer(token, id, OWN)).status).toBe(200)
    expect(await statusOf(token, '/api/resources/')).toBe(200)
    expect(await statusOf(token, '/api/logout', { method: 'POST' })).toBe(200)
  })

  it('requires no change without password sign-in, and affects no other account', async () => {
    // Over HTTP, accounts of tests that have one password have one hash as well.
    await product.world.users.setPassword((await product.account('root')).id, OWN)
    await print()
    expect(await statusOf(await product.signIn('ann'), '/api/resources/')).toBe(200)
    await product.world.settings.change((before) => ({ ...before, authMethod: 'noauth' }))
    const token = await (await product.ask('/api/login', { method: 'POST', body: '{"username":"","password":""}' })).text()
    expect(await statusOf(token, '/api/resources/')).toBe(200)
  })
})

describe('the steps after it', () => {
  it('are reported only to the first account, in its record and its token, until each is done', async () => {
    await print({ steps: STEPS })
    const { id } = await product.account('root')
    await product.world.settings.change((before) => ({ ...before, printedPassword: '' }))
    const stepsOf = async (who: string): Promise<unknown> => {
      const account = await product.account(who)
      const answer = await product.ask(`/api/users/${account.id}`, { headers: { 'x-auth': await product.signIn(who) } })
      return ((await answer.json()) as { welcome?: unknown }).welcome
    }
    const claimed = async (): Promise<unknown> => {
      const [, claims = ''] = (await product.signIn('root')).split('.')
      return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { user: { welcome?: unknown } }).user.welcome
    }
    const done = async (who: string, steps: readonly WelcomeStep[]): Promise<number> =>
      (await product.ask('/api/welcome', { method: 'POST', who, body: JSON.stringify({ done: steps }) })).status
    expect([await stepsOf('root'), await claimed(), await stepsOf('ann')]).toEqual([STEPS, STEPS, undefined])
    expect(await done('root', ['language'])).toBe(200)
    expect(await done('ann', ['name', 'person', 'link'])).toBe(200)
    expect(await stepsOf('root')).toEqual(['name', 'person', 'link'])
    expect(await done('root', ['name', 'person', 'link'])).toBe(200)
    expect([await stepsOf('root'), await claimed()]).toEqual([undefined, undefined])
    expect(await done('root', ['person'])).toBe(200)
    expect(id).toBe((await product.account('root')).id)
  })
})

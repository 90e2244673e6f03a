import { describe, expect, it } from 'bun:test'
import { endpointsOf } from '../../src/shared/contract/endpoint.ts'
import { api } from '../../src/shared/contract/index.ts'
import { type Device, session } from '../../src/shared/contract/session.ts'
import { type EndpointName, type LooseArgs, requestOf, samples } from './samples.ts'
import { HOUR_MS, onEachStorage, PASSWORD, type Product, startProduct, withToken } from './world.ts'

const READ_FROM_THE_ADDRESS = new Set(['raw.get', 'previews.get', 'command.socket'])

const SECOND = 1000
const ME = '/api/resources/'

onEachStorage((product) => {
  const login = (body: unknown, headers: Record<string, string> = {}) =>
    product().ask('/api/login', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers })
  const statusWith = async (token: string) => (await product().ask(ME, withToken({}, token))).status
  const renew = (token: string) => product().ask('/api/renew', withToken({ method: 'POST' }, token))

  describe('signing in', () => {
    it('returns the bare token, which old clients can read (T8)', async () => {
      const response = await login({ username: 'ann', password: PASSWORD, recaptcha: '' })
      const token = await response.text()
      expect([response.status, response.headers.get('content-type'), response.headers.get('set-cookie')]).toEqual([200, 'text/plain', null])
      expect(token.split('.')).toHaveLength(3)
      const { user, exp, iat } = claimsOf(token)
      expect(user).toMatchObject({ username: 'ann', perm: { admin: false, create: true } })
      expect(Number(exp) - Number(iat)).toBe(7200)
      for (const secret of ['scope', 'password', 'rules', 'passwordHash']) expect(user).not.toHaveProperty(secret)
      expect(await statusWith(token)).toBe(200)
    })

    it('returns the same error for a wrong password and an unknown name', async () => {
      const wrong = await login({ username: 'ann', password: 'wrong' })
      const nobody = await login({ username: 'nobody', password: 'wrong' })
      expect([wrong.status, await wrong.text()]).toEqual([403, '403 Forbidden\n'])
      expect([nobody.status, await nobody.text()]).toEqual([403, '403 Forbidden\n'])
    })

    it('is delayed for clients that guess, and for no others', async () => {
      const { token } = await product().signInWeb('root')
      product().stopClock()
      const statuses: number[] = []
      for (let i = 0; i < 20; i++) statuses.push((await login({ username: 'ann', password: `guess ${i}` })).status)
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
      const refused = await login({ username: 'ann', password: PASSWORD })
      expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
      product().pass(60 * SECOND)
      expect((await login({ username: 'ann', password: PASSWORD })).status).toBe(200)
      expect(token).not.toBe('')
    })

    it('is refused from a page of another origin, but not from our own or from programs', async () => {
      const right = { username: 'ann', password: PASSWORD }
      const host = new URL((await product().ask('/api/none')).url || 'http://satchel.test').host
      expect((await login(right, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
      expect((await login(right, { origin: 'https://evil.test' })).status).toBe(403)
      expect((await login(right, { origin: 'null' })).status).toBe(403)
      for (const headers of sameSite(host)) expect((await login(right, headers)).status).toBe(200)
    })

    it('ignores the content type, as the predecessor’s clients send none', async () => {
      for (const type of ['', 'text/plain', 'application/x-www-form-urlencoded', 'application/json'])
        expect((await login({ username: 'ann', password: PASSWORD }, type === '' ? {} : { 'content-type': type })).status).toBe(200)
    })

    it('returns 400 for an invalid body', async () => {
      for (const body of ['', '{', 'null', '[]', '"ann"', '{}', '{"username":"ann"}', '{"username":{"$ne":1},"password":["x"]}'])
        expect([body, (await login(body)).status]).toEqual([body, 400])
    })
  })

  describe('a session of the web interface', () => {
    it('has a token that is useless without its cookie', async () => {
      const { token, cookie } = await product().signInWeb('ann')
      expect(cookie).toStartWith('satchel=')
      expect(await statusWith(token)).toBe(401)
      expect((await product().ask(ME, withToken({ headers: { cookie: `${cookie}x` } }, token))).status).toBe(401)
      expect((await product().ask(ME, withToken({ headers: { cookie } }, token))).status).toBe(200)
    })

    it('has a cookie that scripts cannot read and other sites cannot send (R7)', async () => {
      const response = await login({ username: 'ann', password: PASSWORD }, { 'x-satchel-web': '1' })
      const line = response.headers.get('set-cookie') ?? ''
      expect(line).toContain('; HttpOnly')
      expect(line).toContain('; SameSite=Lax')
      expect(line).toContain('; Path=/')
      expect(line).not.toContain('Domain')
    })

    it('can only read with the cookie alone (I16, CVE-2026-54459)', async () => {
      const { cookie } = await product().signInWeb('ann')
      await product().seed({ '/a.txt': 'x', '/b.txt': 'y' })
      const before = await product().snapshot()
      const headers = { cookie, 'sec-fetch-site': 'same-origin' }
      for (const { name, call } of endpointsOf(api)) {
        if (call.by === 'anyone') continue
        const { address, init } = requestOf(call, samples[name as EndpointName][0].args('2') as LooseArgs)
        if (address.includes('film')) continue
        const response = await product().ask(address, {
          ...init,
          headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers },
        })
        const reads = call.method === 'GET' || call.method === 'HEAD'
        expect([name, response.status === 401]).toEqual([name, !reads])
      }
      expect(await product().snapshot()).toEqual(before)
    })

    it('cannot use the predecessor’s cookie, which reads for a plain token only', async () => {
      const token = await product().signIn('ann')
      const bound = await product().signInWeb('ann')
      const status = async (cookie: string, method = 'GET') => (await product().ask(ME, { method, headers: { cookie } })).status
      expect(await status(`auth=${token}`)).toBe(200)
      expect(await status(`auth=${token}`, 'DELETE')).toBe(401)
      expect(await status(`auth=${bound.token}`)).toBe(401)
    })
  })

  describe('the token in the URL', () => {
    it('is accepted by raw, previews and the command socket only', async () => {
      await product().seed({ '/a.txt': 'x' })
      const token = await product().signIn('ann')
      expect((await product().ask(`/api/raw/a.txt?auth=${token}`)).status).toBe(200)
      expect((await product().ask(`/api/raw/a.txt?auth=${token}&auth=${token}`)).status).toBe(401)
      for (const { name, call } of endpointsOf(api)) {
        if (READ_FROM_THE_ADDRESS.has(name) || call.by === 'anyone') continue
        const { address, init } = requestOf(call, samples[name as EndpointName][0].args('2') as LooseArgs)
        const response = await product().ask(`${address}${address.includes('?') ? '&' : '?'}auth=${token}`, init)
        expect([name, response.status]).toEqual([name, 401])
      }
    })

    it('is never logged', async () => {
      const token = await product().signIn('ann')
      await product().ask(`/api/raw/none?auth=${token}`)
      await product().ask(`/api/resources/none?auth=${token}`)
      expect(product().logged.join('\n')).not.toContain(token.split('.')[2] ?? token)
      expect(product().logged.length).toBeGreaterThan(0)
    })
  })

  describe('the devices of a user', () => {
    const devices = async (token: string): Promise<Device[]> =>
      session.list.result.parse(await (await product().ask('/api/sessions', withToken({}, token))).json())
    const end = (token: string, id: string) => product().ask(`/api/sessions/${id}`, withToken({ method: 'DELETE' }, token))

    it('are listed once each, most recently used first, however often they renewed', async () => {
      const agent = { headers: { 'user-agent': 'A browser' }, method: 'POST' }
      const first = await product().signIn('ann')
      product().pass(2 * 60 * SECOND)
      const second = await product().signIn('ann')
      await product().signIn('root')
      product().pass(2 * 60 * SECOND)
      const renewed = await (await product().ask('/api/renew', withToken(agent, first))).text()
      const list = await devices(renewed)
      expect(list.map(({ current }) => current)).toEqual([true, false])
      expect(list[0]).toMatchObject({ userAgent: 'A browser' })
      expect((list[0]?.lastSeen ?? 0) - (list[0]?.created ?? 0)).toBeGreaterThanOrEqual(4 * 60 * SECOND)
      expect((await devices(second)).find(({ current }) => current)?.id).toBe(list[1]?.id)
      expect(JSON.stringify(list)).not.toContain(renewed.split('.')[2] ?? '')
    })

    it('can be signed out individually with all their tokens, and are then no longer listed', async () => {
      const [mine, other] = [await product().signIn('ann'), await product().signIn('ann')]
      const renewed = await (await renew(other)).text()
      const { id = '' } = (await devices(mine)).find(({ current }) => !current) ?? {}
      const answer = await end(mine, id)
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null])
      expect([await statusWith(mine), await statusWith(other), await statusWith(renewed)]).toEqual([200, 401, 401])
      expect((await devices(mine)).map(({ current }) => current)).toEqual([true])
      expect((await end(mine, id)).status).toBe(404)
    })

    it('include the current one, which loses its cookie when it is signed out', async () => {
      const mine = await product().signIn('ann')
      const answer = await end(mine, (await devices(mine))[0]?.id ?? '')
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, expect.stringContaining('satchel=; Path=/; Max-Age=0')])
      expect(await statusWith(mine)).toBe(401)
    })

    it('are visible to nobody else, including administrators', async () => {
      const [ann, root] = [await product().signIn('ann'), await product().signIn('root')]
      const { id = '' } = (await devices(ann))[0] ?? {}
      for (const name of [id, 'none', '%00', id.toUpperCase()]) expect([name, (await end(root, name)).status]).toEqual([name, 404])
      expect(await statusWith(ann)).toBe(200)
    })

    it('are not listed once their session has ended in another way', async () => {
      await Promise.all([product().signIn('ann'), product().signIn('ann')])
      await product().world.users.endSessions((await product().account('ann')).id)
      expect(await devices(await product().signIn('ann'))).toHaveLength(1)
    })
  })

  describe('a session ends (A5-4)', () => {
    it('T1: at sign-out, for every call and after a restart', async () => {
      const token = await product().signIn('ann')
      expect(await statusWith(token)).toBe(200)
      expect((await product().ask('/api/logout', withToken({ method: 'POST' }, token))).status).toBe(200)
      await refusedEverywhere(product(), token)
      product().restart()
      await refusedEverywhere(product(), token)
    })

    it('T1: at “sign out everywhere”, with all others', async () => {
      const tokens = await Promise.all(['ann', 'ann', 'root'].map((who) => product().signIn(who)))
      const [first = '', second = '', other = ''] = tokens
      expect((await product().ask('/api/sessions', withToken({ method: 'DELETE' }, first))).status).toBe(200)
      expect([await statusWith(first), await statusWith(second), await statusWith(other)]).toEqual([401, 401, 200])
    })

    it('T2: at a change of the password', async () => {
      const tokens = [await product().signIn('ann'), await product().signIn('ann')]
      const { token, cookie } = await product().signInWeb('ann')
      await product().world.users.setPassword((await product().account('ann')).id, 'another good password')
      for (const old of tokens) expect(await statusWith(old)).toBe(401)
      expect((await product().ask(ME, withToken({ headers: { cookie } }, token))).status).toBe(401)
      expect((await product().ask(ME, { headers: { cookie } })).status).toBe(401)
    })

    it('T3: with its whole family when a replaced token of our web is renewed again after its grace period', async () => {
      const { token: old, cookie } = await product().signInWeb('ann')
      const ask = (token: string, address: string, method = 'GET') =>
        product().ask(address, { method, headers: { 'x-auth': token, cookie } })
      const renewed = (token: string) => ask(token, '/api/renew', 'POST')
      const status = async (token: string) => (await ask(token, ME)).status
      const fresh = await (await renewed(old)).text()
      expect(fresh).not.toBe(old)
      expect((await renewed(old)).status).toBe(200)
      expect(await status(old)).toBe(200)
      product().pass(31 * SECOND)
      expect(await status(old)).toBe(200)
      expect((await renewed(old)).status).toBe(401)
      expect([await status(old), await status(fresh)]).toEqual([401, 401])
      expect(product().logged.join('\n')).toContain('renewed again')
    })

    it('T6: when the account is deleted or disabled', async () => {
      const token = await product().signIn('ann')
      const { id } = await product().account('ann')
      await product().world.users.setDisabled(id, { disabled: true })
      expect(await statusWith(token)).toBe(401)
      expect((await login({ username: 'ann', password: PASSWORD })).status).toBe(403)
      await product().world.users.setDisabled(id, { disabled: false })
      expect(await statusWith(token)).toBe(401)
      const again = await product().signIn('ann')
      await product().world.users.remove(id)
      expect([await statusWith(again), (await renew(again)).status]).toEqual([401, 401])
    })

    it('at its expiry', async () => {
      const token = await product().signIn('ann')
      product().pass(2 * HOUR_MS - SECOND)
      expect(await statusWith(token)).toBe(200)
      product().pass(2 * SECOND)
      expect(await statusWith(token)).toBe(401)
    })

    it('T11: but not when the clock jumps back by a day', async () => {
      const token = await product().signIn('ann')
      product().pass(-24 * HOUR_MS)
      expect(await statusWith(token)).toBe(200)
      product().pass(48 * HOUR_MS)
      expect(await statusWith(token)).toBe(401)
    })
  })

  describe('a token', () => {
    it('T4: is not trusted for its claims', async () => {
      const [header = '', , secret = ''] = (await product().signIn('ann')).split('.')
      const claims = { user: { id: 1, username: 'root', perm: { admin: true } }, exp: 9_999_999_999 }
      const forged = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${secret}`
      expect(await statusWith(forged)).toBe(200)
      expect((await product().ask('/api/users/1', withToken({}, forged))).status).toBe(403)
      expect((await product().ask('/api/users/1', withToken({}, `x.y.${secret}`))).status).toBe(403)
      product().pass(2 * HOUR_MS)
      expect(await statusWith(forged)).toBe(401)
    })

    it('T5: with a foreign third part is rejected', async () => {
      const [header = '', claims = '', secret = ''] = (await product().signIn('ann')).split('.')
      const odd = [
        '',
        'x',
        secret.slice(1),
        `${secret}A`,
        secret.toUpperCase(),
        `${secret}=`,
        'A'.repeat(43),
        'A'.repeat(8000),
        '"',
        "' or 1=1 --",
        '%00',
      ]
      for (const third of odd) expect(await statusWith(`${header}.${claims}.${third}`)).toBe(401)
      for (const token of ['', '.', '..', '...', secret, `.${secret}`, `${header}.${claims}.${secret}.`, `${header}.${claims}.${secret}.x`])
        expect(await statusWith(token)).toBe(401)
      const twice = new Headers([
        ['x-auth', `${header}.${claims}.${secret}`],
        ['x-auth', `${header}.${claims}.${secret}`],
      ])
      expect((await product().ask(ME, { headers: twice })).status).toBe(401)
    })

    it('T7: is not stored in the database, nor are cookies and passwords', async () => {
      const token = await product().signIn('ann')
      const { token: bound, cookie } = await product().signInWeb('ann')
      const rows = JSON.stringify([
        await product().db.selectFrom('sessions').selectAll().execute(),
        await product().db.selectFrom('users').selectAll().execute(),
      ])
      for (const secret of [token.split('.')[2], bound.split('.')[2], cookie.split('=')[1], PASSWORD])
        expect(rows).not.toContain(secret ?? '?')
      for (const { key_hash } of await product().db.selectFrom('sessions').select('key_hash').execute())
        expect(await statusWith(`a.b.${Buffer.from(key_hash, 'hex').toString('base64url')}`)).toBe(401)
    })

    it('requests renewal in its second half, and is replaced by a new one of the same user', async () => {
      const token = await product().signIn('ann')
      const asked = async (which: string) => (await product().ask(ME, withToken({}, which))).headers.get('x-renew-token')
      expect(await asked(token)).toBeNull()
      product().pass(HOUR_MS + SECOND)
      expect(await asked(token)).toBe('true')
      const renewed = await renew(token)
      expect([renewed.status, renewed.headers.get('content-type'), renewed.headers.get('x-renew-token')]).toEqual([
        200,
        'text/plain',
        'false',
      ])
      const fresh = await renewed.text()
      expect(claimsOf(fresh).user).toMatchObject({ username: 'ann' })
      expect(await asked(fresh)).toBeNull()
      product().pass(HOUR_MS + SECOND)
      expect([await statusWith(token), await statusWith(fresh)]).toEqual([401, 200])
    })
  })
})

describe('under a base URL', () => {
  it('every call works with and without it, and URLs sent to clients include it', async () => {
    await using product = await startProduct({ baseUrl: '/base' })
    const { cookie } = await product.signInWeb('ann')
    const login = await product.ask('/base/api/login', {
      method: 'POST',
      headers: { 'x-satchel-web': '1' },
      body: JSON.stringify({ username: 'ann', password: PASSWORD }),
    })
    expect(login.headers.get('set-cookie')).toContain('; Path=/base;')
    for (const address of ['/base/api/resources/', '/api/resources/'])
      expect((await product.ask(address, { headers: { cookie } })).status).toBe(200)
    for (const address of ['/basement/api/resources/', '/base/base/api/resources/', '/base'])
      expect((await product.ask(address, { headers: { cookie } })).status).toBe(404)
    const created = await product.ask('/base/api/tus/a%20b.txt', { method: 'POST', who: 'ann', headers: { 'upload-length': '3' } })
    expect([created.status, created.headers.get('location')]).toEqual([201, '/base/api/tus/a%20b.txt'])
  })
})

async function refusedEverywhere(product: Product, token: string): Promise<void> {
  for (const { name, call } of endpointsOf(api)) {
    if (call.by === 'anyone') continue
    const { address, init } = requestOf(call, samples[name as EndpointName][0].args('2') as LooseArgs)
    const response = await product.ask(address, withToken(init, token))
    expect([name, response.status, await response.text()]).toEqual([
      name,
      401,
      call.method === 'HEAD' ? '' : '{"code":"sign-in-needed","detail":{}}',
    ])
  }
}

/** How our own page, the address bar, and programs come. */
function sameSite(host: string): Record<string, string>[] {
  return [{}, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, { origin: `http://${host}` }]
}

function claimsOf(token: string): { user: Record<string, unknown>; exp: unknown; iat: unknown } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

import { describe, expect, it } from 'bun:test'
import { endpoint } from '../../shared/contract/endpoint.ts'
import { authenticate } from '../http/authenticate.ts'
import { fail } from '../../shared/errors.ts'
import { errorResponse, incidentFrom } from '../http/errors.ts'
import { mount } from '../http/mount.ts'
import { createRouter } from '../http/router.ts'
import { createOwnOrigin } from '../http/own-origin.ts'
import { mountSessions } from './routes.ts'
import { createWorld, HOUR_MS, PASSWORD } from './test-world.ts'
import { newSecret } from '../db/secret.ts'

describe('POST /api/login', () => {
  it('returns the bare token as text, as old clients expect', async () => {
    const { call } = await server()
    const response = await call('POST', '/api/login', { body: ANN })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain'])
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect((await response.text()).split('.')).toHaveLength(3)
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  it('returns 403 for wrong credentials, as text or JSON', async () => {
    const { call } = await server()
    const body = { username: 'ann', password: 'wrong' }
    expect(await (await call('POST', '/api/login', { body })).text()).toBe('403 Forbidden\n')
    const json = await call('POST', '/api/login', { body, headers: { accept: 'application/json' } })
    expect([json.status, await json.json()]).toEqual([403, { code: 'wrong-credentials', detail: {} }])
  })

  it('returns 400 without a name and a password', async () => {
    const { call } = await server()
    for (const body of [
      '',
      '{',
      'null',
      '[]',
      {},
      { username: 'ann' },
      { username: ['ann'], password: PASSWORD },
      { username: 1, password: 2 },
    ]) {
      expect([body, (await call('POST', '/api/login', { body })).status]).toEqual([body, 400])
    }
  })

  it('returns 429 with Retry-After after many guesses', async () => {
    const { call } = await server()
    const guess = () => call('POST', '/api/login', { body: { username: 'ann', password: 'wrong' } })
    for (let i = 0; i < 10; i++) await guess()
    const response = await guess()
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1'])
  })

  it('refuses requests from other sites (I16)', async () => {
    const { call } = await server()
    const status = async (headers: Record<string, string>) => (await call('POST', '/api/login', { body: ANN, headers })).status
    expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await status({ origin: 'https://evil.test', host: 'files.test' })).toBe(403)
    expect(await status({ origin: 'null', host: 'files.test' })).toBe(403)
    expect(await status({ 'sec-fetch-site': 'same-origin', origin: 'https://files.test', host: 'inner:8080' })).toBe(200)
    expect(await status({ origin: 'http://files.test', host: 'files.test' })).toBe(200)
    expect(await status({ origin: 'http://files.test', host: 'inner:8080', 'x-forwarded-host': 'files.test' })).toBe(200)
  })

  it('binds a session of our web app to an HttpOnly cookie', async () => {
    const { call } = await server({ baseUrl: '/files', secure: true })
    const response = await call('POST', '/api/login', { body: ANN, headers: WEB })
    expect(response.headers.get('set-cookie')).toMatch(/^satchel=[\w-]{43}; Path=\/files; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/)
    expect(await response.text()).not.toContain(cookieOf(response).split('=')[1] ?? '?')
  })
})

describe('a call', () => {
  it('with the token in X-Auth is authenticated, for any method', async () => {
    const { call, login } = await server()
    const { token } = await login()
    for (const method of METHODS) expect([method, (await call(method, '/api/me', { token })).status]).toEqual([method, 200])
  })

  it('without a valid token gets 401; public endpoints are served (T5)', async () => {
    const { call } = await server()
    for (const token of [undefined, 'null', '..', `a.b.${newSecret()}`, `a.b.${'x'.repeat(5000)}`, 'a.b.c, a.b.c']) {
      expect([token, (await call('GET', '/api/me', { token })).status]).toEqual([token, 401])
      expect([token, (await call('GET', '/api/open', { token })).status]).toEqual([token, 200])
    }
  })

  it('with two X-Auth headers is refused (T5)', async () => {
    const { app, login } = await server()
    const { token } = await login()
    const headers = new Headers([
      ['x-auth', token],
      ['x-auth', token],
    ])
    expect((await app.request('/api/me', { headers }, { peer: PEER })).status).toBe(401)
  })

  it('with the cookie alone is read-only (GHSA-72wf-hwcq-65h9)', async () => {
    const { call, login } = await server()
    const { cookie } = await login(WEB)
    for (const method of METHODS) {
      const expected = method === 'GET' || method === 'HEAD' ? 200 : 401
      expect([method, (await call(method, '/api/me', { headers: { cookie } })).status]).toEqual([method, expected])
    }
  })

  it('with a token of our web app also needs its cookie', async () => {
    const { call, login } = await server()
    const { token, cookie } = await login(WEB)
    expect((await call('POST', '/api/me', { token })).status).toBe(401)
    expect((await call('POST', '/api/me', { token, headers: { cookie: `a=b; satchel=other; ${cookie}; c=d` } })).status).toBe(200)
  })

  it('with the cookie set by old clients is read-only', async () => {
    const { call, login } = await server()
    const { token } = await login()
    const cookie = `auth=${token}`
    expect((await call('GET', '/api/me', { headers: { cookie } })).status).toBe(200)
    expect((await call('POST', '/api/me', { headers: { cookie } })).status).toBe(401)
  })

  it('with a token of our web app in the old cookie is refused', async () => {
    const { call, login } = await server()
    const { token } = await login(WEB)
    expect((await call('GET', '/api/me', { headers: { cookie: `auth=${token}` } })).status).toBe(401)
  })

  it('accepts a token in the URL for raw files, previews and sockets only (GHSA-rmwh-g367-mj4x)', async () => {
    const { call, login } = await server()
    const { token } = await login()
    const status = async (method: string, path: string) => (await call(method, `${path}?auth=${token}`)).status
    expect([await status('GET', '/api/raw/a'), await status('GET', '/api/preview/b'), await status('GET', '/api/command/')]).toEqual([
      200, 200, 200,
    ])
    expect([await status('GET', '/api/me'), await status('POST', '/api/raw/a'), await status('GET', '/api/rawish/a')]).toEqual([
      401, 401, 401,
    ])
    expect((await call('GET', `/api/raw/a?auth=${token}&auth=${token}`)).status).toBe(401)
  })

  it('does not fall back to a cookie if X-Auth is invalid', async () => {
    const { call, login } = await server()
    const { cookie } = await login(WEB)
    expect((await call('GET', '/api/me', { token: `a.b.${newSecret()}`, headers: { cookie } })).status).toBe(401)
  })
})

describe('X-Renew-Token', () => {
  it('is sent after half of the lifetime, also with errors, until renewal', async () => {
    const { call, login, pass } = await server()
    const { token } = await login()
    expect((await call('GET', '/api/me', { token })).headers.get('x-renew-token')).toBeNull()
    pass(HOUR_MS + 1)
    expect((await call('GET', '/api/me', { token })).headers.get('x-renew-token')).toBe('true')
    expect((await call('GET', '/api/broken', { token })).headers.get('x-renew-token')).toBe('true')
    const renewed = await call('POST', '/api/renew', { token })
    expect([renewed.status, renewed.headers.get('x-renew-token')]).toEqual([200, 'false'])
    const fresh = await renewed.text()
    expect(fresh).not.toBe(token)
    expect((await call('GET', '/api/me', { token: fresh })).headers.get('x-renew-token')).toBeNull()
  })

  it('T3: renewing a replaced token after half a minute ends both', async () => {
    const { call, login, pass } = await server()
    const { token, cookie } = await login(WEB)
    const headers = { cookie }
    const fresh = await (await call('POST', '/api/renew', { token, headers })).text()
    expect((await call('POST', '/api/renew', { token, headers })).status).toBe(200)
    pass(30_001)
    expect((await call('POST', '/api/renew', { token, headers })).status).toBe(401)
    expect((await call('GET', '/api/me', { token: fresh, headers })).status).toBe(401)
  })
})

describe('signing out', () => {
  it('T1: POST /api/logout ends the token and removes the cookie (GHSA-7xwp-2cpp-p8r7)', async () => {
    const { call, login } = await server()
    const { token, cookie } = await login(WEB)
    const response = await call('POST', '/api/logout', { token, headers: { cookie } })
    expect([response.status, response.headers.get('set-cookie')]).toEqual([200, 'satchel=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
    for (const path of ['/api/me', '/api/raw/a']) expect((await call('GET', path, { token, headers: { cookie } })).status).toBe(401)
    expect((await call('GET', '/api/me', { headers: { cookie } })).status).toBe(401)
    expect((await call('POST', '/api/renew', { token, headers: { cookie } })).status).toBe(401)
  })

  it('DELETE /api/sessions ends every session of the caller', async () => {
    const { call, login } = await server()
    const [here, there] = [await login(), await login(WEB)]
    expect((await call('DELETE', '/api/sessions', { token: here.token })).status).toBe(200)
    expect((await call('GET', '/api/me', { token: here.token })).status).toBe(401)
    expect((await call('GET', '/api/me', { headers: { cookie: there.cookie } })).status).toBe(401)
  })
})

const ANN = { username: 'ann', password: PASSWORD }
const WEB = { 'x-satchel-web': '1' }
const PEER = '192.0.2.1'
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

interface Sent {
  body?: unknown
  token?: string
  headers?: Record<string, string>
}

/** The session routes with a few calls to make, as app.ts puts them together. */
async function server({ baseUrl = '', secure = false } = {}) {
  const world = await createWorld()
  await world.addUser('ann')
  const app = createRouter()
  app.use(
    authenticate({
      identifyToken: () => null,
      refuseToken: async () => fail('invalid-token', {}),
      identify: world.sessions.identify,
      during: world.sessions.during,
      cookieName: 'satchel',
      changes: { version: () => ({ changes: 0, writes: 0, at: 0 }), isFresh: () => false, on: () => () => undefined },
      origins: createOwnOrigin(),
      baseUrl,
    }),
  )
  app.onError((error, c) =>
    errorResponse(
      incidentFrom(error, () => {}),
      c.header('accept') ?? '',
    ),
  )
  mountSessions(app, {
    sessions: world.sessions,
    signup: world.signup,
    endTokens: async () => undefined,
    cookie: { name: 'satchel', baseUrl },
  })
  for (const method of METHODS) {
    mount(app, endpoint('user', `${method} /api/me`, { result: 'text' }), async ({ viewer }) => viewer.username)
  }
  for (const path of ['/api/raw/*path', '/api/preview/*path', '/api/command/*path', '/api/rawish/*path'] as const) {
    mount(app, endpoint('user', `GET ${path}`, { result: 'text' }), async () => 'bytes')
    mount(app, endpoint('user', `POST ${path}`, { result: 'text' }), async () => 'bytes')
  }
  mount(app, endpoint('anyone', 'GET /api/open', { result: 'text' }), async () => 'open')
  mount(app, endpoint('user', 'GET /api/broken', { result: 'text' }), async () => {
    throw new Error('broken')
  })

  async function call(method: string, path: string, { body, token, headers }: Sent = {}): Promise<Response> {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const sent = { ...(token !== undefined && { 'x-auth': token }), ...headers }
    return app.request(path, { method, body: text, headers: sent }, { peer: PEER, secure })
  }

  async function login(headers: Record<string, string> = {}) {
    const response = await call('POST', '/api/login', { body: ANN, headers })
    return { token: await response.text(), cookie: cookieOf(response) }
  }

  return { app, call, login, pass: world.pass }
}

function cookieOf(response: Response): string {
  return (response.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
}

import { describe, expect, it } from 'bun:test'
import * as z from 'zod/mini'
import { endpoint } from '../../shared/contract/endpoint.ts'
import { errorResponse, incidentFrom } from './errors.ts'
import { mount, refuseOtherMethods } from './mount.ts'
import { type Bindings, createRouter, rawPath, type Router } from './router.ts'

const echo = endpoint('anyone', 'POST /api/echo/*path', { body: z.object({ n: z.number() }), result: z.unknown() })
const queried = endpoint('anyone', 'GET /api/query', {
  query: z.object({ path: z.union([z.string(), z.array(z.string())]), text: z.optional(z.string()) }),
  result: z.unknown(),
})
const secret = endpoint('user', 'GET /api/secret/:id', { result: 'text' })
const broken = endpoint('anyone', 'GET /api/broken', { result: 'text' })

describe('a mounted endpoint', () => {
  it('passes the path decoded once, and the validated body', async () => {
    const response = await post('/api/echo/a%20b/%2541', '{"n":1}')
    expect(await response.json()).toEqual({ path: '/a b/%41', slash: false, n: 1 })
  })

  it('passes a path in the query with the bytes of names that are not UTF-8, and other parameters as text', async () => {
    const at = (query: string) => app().request(`/api/query?${query}`, {}, BINDINGS)
    expect(await (await at('path=%2Fa+b%FF&path=/%C3%A9%2&text=%FF')).json()).toEqual({ path: ['/a b\udcff', '/é%2'], text: '\ufffd' })
    expect(await (await at('p%61th=x&path&path=/a=b')).json()).toEqual({ path: ['x', '', '/a=b'] })
  })

  it('is served without a trailing slash', async () => {
    expect(await (await post('/api/echo', '{"n":1}')).json()).toEqual({ path: '/', slash: true, n: 1 })
  })

  it('ignores the content type, because existing clients send none', async () => {
    const response = await app().request(
      '/api/echo/',
      { method: 'POST', body: '{"n":2}', headers: { 'content-type': 'text/plain' } },
      BINDINGS,
    )
    expect(response.status).toBe(200)
  })

  it('answers invalid input with 400 and a code, never with a stack trace', async () => {
    for (const body of ['', '{', '[]', '{"n":"1"}', 'null', '{"n":1', '\0']) {
      const response = await post('/api/echo/', body)
      expect([body, response.status]).toEqual([body, 400])
      expect(await response.json()).toMatchObject({ code: 'invalid-input' })
    }
  })

  it('stops reading a body that is too large, whatever length it declared', async () => {
    const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(65536)) })
    const response = await app().request('/api/echo/', { method: 'POST', body: endless, headers: ACCEPT_JSON }, BINDINGS)
    expect(response.status).toBe(413)
  })

  it('requires a session before reading the body', async () => {
    const response = await app().request('/api/secret/1', {}, BINDINGS)
    expect(response.status).toBe(401)
    expect(await response.text()).toBe('401 Unauthorized\n')
  })

  it('refuses other methods with the list of allowed ones', async () => {
    const response = await app().request('/api/secret/1', { method: 'DELETE' }, BINDINGS)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('schemathesis-1: allows the methods of every pattern that matches the address, and no others', async () => {
    const router = createRouter()
    router.onError((error, c) =>
      errorResponse(
        incidentFrom(error, () => {}),
        c.header('accept') ?? '',
      ),
    )
    const calls = [
      endpoint('anyone', 'GET /api/effect/*path', { result: 'text' }),
      endpoint('anyone', 'POST /api/effect', { result: 'text' }),
      endpoint('anyone', 'GET /api/share/*path', { result: 'text' }),
      endpoint('anyone', 'DELETE /api/share/:hash', { result: 'text' }),
    ]
    for (const call of calls) mount(router, call, async () => 'served')
    refuseOtherMethods(router, calls)
    const allowed = async (path: string) => (await router.request(path, { method: 'OPTIONS' }, BINDINGS)).headers.get('allow')
    expect(await allowed('/api/effect')).toBe('GET, HEAD, POST')
    expect(await allowed('/api/effect/a')).toBe('GET, HEAD')
    expect(await allowed('/api/share/a')).toBe('DELETE, GET, HEAD')
    expect(await allowed('/api/share/a/b')).toBe('GET, HEAD')
  })

  it('turns an unexpected error into an incident number for the client and a stack trace in the log', async () => {
    const lines: string[] = []
    const response = await app((line) => lines.push(line)).request('/api/broken', { headers: ACCEPT_JSON }, BINDINGS)
    const body: unknown = await response.json()
    expect(response.status).toBe(500)
    expect(JSON.stringify(body)).not.toContain('/home/secret')
    expect(lines.join()).toContain('/home/secret')
  })
})

describe('the raw path of a request', () => {
  it('keeps percent-encodings and drops the query', () => {
    expect(rawPath('http://host:1/a%2Fb/%E2?x=/y')).toBe('/a%2Fb/%E2')
    expect(rawPath('http://host')).toBe('/')
  })

  it('A21: is complete if the runtime gives a URL without a host', () => {
    expect(rawPath('/x/api/resources/?a=/b#c')).toBe('/x/api/resources/')
    expect(rawPath('/health')).toBe('/health')
    expect(rawPath('//other/a://b/c')).toBe('//other/a://b/c')
    expect(rawPath('/?to=http://host/api/resources/')).toBe('/')
    expect(rawPath('http://host?to=http://other/b')).toBe('/')
  })
})

const BINDINGS: Bindings = { peer: null }
const ACCEPT_JSON = { accept: 'application/json' }

function app(log: (line: string) => void = () => {}): Router {
  const router = createRouter()
  router.onError((error, c) => errorResponse(incidentFrom(error, log), c.header('accept') ?? ''))
  mount(router, echo, async ({ params, body }) => ({ ...params, ...body }))
  mount(router, queried, async ({ query }) => query)
  mount(router, secret, async () => 'secret')
  mount(router, broken, async () => {
    throw new Error('ENOENT /home/secret')
  })
  refuseOtherMethods(router, [echo, secret, broken])
  return router
}

function post(path: string, body: string): Response | Promise<Response> {
  return app().request(path, { method: 'POST', body, headers: ACCEPT_JSON }, BINDINGS)
}

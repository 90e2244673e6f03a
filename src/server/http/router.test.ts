import { describe, expect, it } from 'bun:test'
import { fail, isAppError } from '../../shared/errors.ts'
import { createRouter, type Router, rawPath } from './router.ts'

const said = async (router: Router, address: string, method = 'GET'): Promise<string> => {
  const response = await router.request(address, { method })
  return `${response.status} ${await response.text()}`
}

function routerWithErrors(): Router {
  const router = createRouter()
  router.onError((error) => new Response(isAppError(error) ? error.code : 'other', { status: isAppError(error, 'not-found') ? 404 : 500 }))
  return router
}

describe('the router', () => {
  it('finds the first route that matches path and method, whatever named segments other routes have', async () => {
    const router = routerWithErrors()
    router.get('/api/files/recursive/*', () => new Response('recursive'))
    router.get('/api/files/*', () => new Response('files'))
    router.on(['POST', 'PUT'], '/api/files/*', () => new Response('changed'))
    router.all('/api/*', () => new Response('any'))
    router.get('*', () => new Response('page'))
    expect(await said(router, '/api/files/recursive/a')).toBe('200 recursive')
    expect(await said(router, '/api/files/recursively')).toBe('200 files')
    expect(await said(router, '/api/files')).toBe('200 files')
    expect(await said(router, '/api/files/a', 'PUT')).toBe('200 changed')
    expect(await said(router, '/api/files/a', 'DELETE')).toBe('200 any')
    expect(await said(router, '/api/filesystem')).toBe('200 any')
    expect(await said(router, '/elsewhere')).toBe('200 page')
    expect(await said(router, '/elsewhere', 'POST')).toBe('404 not-found')
  })

  it('passes named segments as they were sent, and the pattern', async () => {
    const router = routerWithErrors()
    router.get('/dl/:hash/:size/*', (c) => new Response(JSON.stringify([c.route, c.params, c.path])))
    expect(await said(router, '/dl/a%2Fb/big/x%0Ay?z')).toBe(
      '200 ["/dl/:hash/:size/*",{"hash":"a%2Fb","size":"big"},"/dl/a%2Fb/big/x%0Ay"]',
    )
    expect(await said(router, '/dl//big/x')).toBe('404 not-found')
  })

  it('goes on to the next route when one answers null', async () => {
    const router = routerWithErrors()
    router.get('/a', (c) => (c.header('accept') === 'text/csv' ? new Response('csv') : null))
    router.get('/a', () => new Response('json'))
    expect(await (await router.request('/a', { headers: { accept: 'text/csv' } })).text()).toBe('csv')
    expect(await said(router, '/a')).toBe('200 json')
  })

  it('answers HEAD as GET without the body, errors too, and cancels what the body holds', async () => {
    const router = routerWithErrors()
    let cancelled = 0
    router.get('/now', () => new Response('text', { headers: { etag: '"1"' } }))
    router.get('/later', async () => new Response(new ReadableStream({ cancel: () => void cancelled++ })))
    router.get('/fails', () => fail('not-found', {}))
    const now = await router.request('/now', { method: 'HEAD' })
    expect([now.status, now.headers.get('etag'), await now.text()]).toEqual([200, '"1"', ''])
    expect(await said(router, '/later', 'HEAD')).toBe('200 ')
    expect(cancelled).toBe(1)
    expect(await said(router, '/fails', 'HEAD')).toBe('404 ')
    expect(await said(router, '/missing', 'HEAD')).toBe('404 ')
  })

  it('answers errors of handlers and layers, thrown at once or later, and layers see the response', async () => {
    const router = routerWithErrors()
    const seen: unknown[] = []
    router.use(async (c, next) => {
      const response = await next()
      seen.push([response.status, c.error instanceof Error])
      return response
    })
    router.use((c, next) => (c.path === '/refused' ? fail('forbidden', { right: 'x' }) : next()))
    router.get('/now', () => fail('busy', {}))
    router.get('/later', async () => fail('busy', {}))
    expect(await said(router, '/now')).toBe('500 busy')
    expect(await said(router, '/later')).toBe('500 busy')
    expect(await said(router, '/refused')).toBe('500 forbidden')
    expect(seen).toEqual([
      [500, true],
      [500, true],
      [500, true],
    ])
  })

  it('answers without a promise where nothing waits', () => {
    const router = routerWithErrors()
    router.use((_, next) => next())
    router.get('/a', () => new Response('a'))
    expect(router.request('/a')).toBeInstanceOf(Response)
    expect(router.request('/missing')).toBeInstanceOf(Response)
  })

  it('A21: takes the path of a request without a valid host from its target', () => {
    expect(rawPath('/api/x?y#z')).toBe('/api/x')
    expect(rawPath('http://host/a%2e%2e/b?c')).toBe('/a%2e%2e/b')
    expect(rawPath('http://host#/a')).toBe('/')
  })
})

import { expect, it } from 'bun:test'
import { protect } from './headers.ts'
import { createRouter } from './router.ts'

it('sends Strict-Transport-Security over TLS, unless the operator has disabled it', async () => {
  const said = async (hsts: boolean, secure: boolean): Promise<string | null> => {
    const app = createRouter()
    app.use(protect({ hsts }))
    app.get('/', () => new Response('fine'))
    return (await app.request('/', {}, { peer: null, secure })).headers.get('strict-transport-security')
  }
  expect(await said(true, true)).toBe('max-age=31536000')
  expect([await said(true, false), await said(false, true), await said(false, false)]).toEqual([null, null, null])
})

import { expect, it } from 'bun:test'
import { Hono } from 'hono'
import { protect } from './headers.ts'
import type { Env } from './mount.ts'

it('sends Strict-Transport-Security over TLS, unless the operator has disabled it', async () => {
  const said = async (hsts: boolean, secure: boolean): Promise<string | null> => {
    const app = new Hono<Env>()
    app.use(protect({ hsts }))
    app.get('/', (c) => c.text('fine'))
    return (await app.request('/', {}, { peer: null, secure })).headers.get('strict-transport-security')
  }
  expect(await said(true, true)).toBe('max-age=31536000')
  expect([await said(true, false), await said(false, true), await said(false, false)]).toEqual([null, null, null])
})

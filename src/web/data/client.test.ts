import { afterEach, beforeEach, describe, expect, it, type Mock, spyOn } from 'bun:test'
import { setSessionHooks, send } from './client.ts'

let token: string | null = 'worn'
let comesBack = true
let asked: string[] = []
let fetched: Mock<typeof fetch>

beforeEach(() => {
  fetched = spyOn(globalThis, 'fetch')
  token = 'worn'
  asked = []
  comesBack = true
  // Whoever has a fresh token is let in.
  const answer = (_: unknown, init?: RequestInit) =>
    Promise.resolve(new Response(null, { status: new Headers(init?.headers).get('x-auth') === 'fresh' ? 200 : 401 }))
  fetched.mockImplementation(Object.assign(answer, { preconnect: () => undefined }))
  setSessionHooks({
    token: () => token,
    onRenewAsked: () => undefined,
    onHeldBack: () => undefined,
    async onRefused(worn) {
      asked.push(worn)
      if (comesBack) token = 'fresh'
      return comesBack
    },
  })
})
afterEach(() => {
  fetched.mockRestore()
  setSessionHooks({ token: () => null, onRenewAsked: () => undefined, onHeldBack: () => undefined, onRefused: async () => false })
})

describe('a call whose session has ended', () => {
  it('is repeated with the same content after a new sign-in', async () => {
    const response = await send('/api/resources/a.txt', { method: 'POST', body: 'text', headers: { 'x-other': 'kept' } })
    expect([response.status, asked]).toEqual([200, ['worn']])
    const [address, init] = fetched.mock.lastCall ?? []
    expect([address, init?.method, init?.body, new Headers(init?.headers).get('x-other')]).toEqual([
      '/api/resources/a.txt',
      'POST',
      'text',
      'kept',
    ])
  })

  it('fails if the user does not sign in again, and does not ask twice', async () => {
    comesBack = false
    expect((await send('/api/resources/', { method: 'GET' })).status).toBe(401)
    expect([asked, fetched.mock.calls.length]).toEqual([['worn'], 1])
  })

  it('does not ask about links, about sessions themselves, or without a signed-in user', async () => {
    for (const path of ['/api/public/share/x', '/api/login', '/api/renew', '/api/logout']) await send(path, { method: 'POST' })
    token = null
    await send('/api/resources/', { method: 'GET' })
    expect(asked).toEqual([])
  })
})

import { withDocument } from '../test-dom.ts'
import { afterEach, beforeEach, describe, expect, it, type Mock, spyOn } from 'bun:test'
import { finishSignIn } from './provider-sign-in.ts'
import { storedToken, useSession } from './session.ts'

withDocument()

let fetched: Mock<typeof fetch>
let answers: Record<string, () => Response>

beforeEach(() => {
  fetched = spyOn(globalThis, 'fetch')
  const respond = async (address: RequestInfo | URL) => {
    const { pathname } = new URL(String(address instanceof Request ? address.url : address), 'http://here.example')
    return answers[pathname]?.() ?? problem(500, 'unexpected')
  }
  fetched.mockImplementation(Object.assign(respond, { preconnect: () => undefined }))
})
afterEach(() => {
  fetched.mockRestore()
  localStorage.clear()
  useSession.setState({ token: null, user: null, complete: false, firstMinute: {}, ended: null })
})

describe('a sign-in that a provider has led back from', () => {
  it('replaces the session that was there before', async () => {
    localStorage.setItem('jwt', tokenFor('before'))
    answers = { '/api/oidc/finish': () => new Response(tokenFor('after')) }
    await finishSignIn()
    expect([storedToken(), useSession.getState().token]).toEqual([tokenFor('after'), tokenFor('after')])
  })

  it('that is used up or another’s leaves the session that was there before', async () => {
    localStorage.setItem('jwt', tokenFor('before'))
    answers = { '/api/oidc/finish': () => problem(403, 'wrong-credentials'), '/api/renew': () => new Response(tokenFor('renewed')) }
    await finishSignIn()
    expect(useSession.getState().token).toBe(tokenFor('renewed'))
  })

  it('fails if there is neither', async () => {
    answers = { '/api/oidc/finish': () => problem(403, 'wrong-credentials') }
    await expect(finishSignIn()).rejects.toMatchObject({ code: 'wrong-credentials' })
    expect(useSession.getState().token).toBeNull()
  })
})

function problem(status: number, code: string): Response {
  return new Response(JSON.stringify({ code, detail: {} }), { status, headers: { 'content-type': 'application/json' } })
}

const PERM = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }

/** @param mark tells one token from another */
function tokenFor(mark: string): string {
  const claims = { exp: 4_102_444_800, iat: 0, user: { id: 1, viewMode: 'list', perm: PERM } }
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${mark}`
}

import { withDocument } from '../test-dom.ts'
import { afterEach, beforeEach, describe, expect, it, type Mock, spyOn } from 'bun:test'
import { isSettled, renew, startSession, storedToken, useSession } from './session.ts'

withDocument()

let fetched: Mock<typeof fetch>
let warned: Mock<typeof console.warn>
let answer: () => Promise<Response>

beforeEach(() => {
  fetched = spyOn(globalThis, 'fetch')
  fetched.mockImplementation(Object.assign(() => answer(), { preconnect: () => undefined }))
  warned = spyOn(console, 'warn').mockImplementation(() => undefined)
  localStorage.setItem('jwt', TOKEN)
})
afterEach(() => {
  fetched.mockRestore()
  warned.mockRestore()
  localStorage.clear()
  useSession.setState({ token: null, user: null, complete: false, firstMinute: {}, ended: null })
})

describe('a stored token', () => {
  it.each<[string, () => Promise<Response>]>([
    ['the server cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['the page is left while the response arrives', async () => new Response(brokenBody())],
    ['the response is cut off', async () => new Response('eyJ')],
    ['the database cannot be written', async () => problem(507, 'storage-full')],
    ['the server is busy', async () => problem(503, 'busy')],
    ['the server fails', async () => problem(500, 'unexpected')],
  ])('is kept if %s', async (_, respond) => {
    answer = respond
    await startSession()
    expect([storedToken(), useSession.getState().token]).toEqual([TOKEN, TOKEN])
  })

  it('is dropped if the server refuses it', async () => {
    answer = async () => problem(401, 'sign-in-needed')
    await startSession()
    expect([storedToken(), useSession.getState().token]).toEqual([null, null])
  })

  it('says nothing of the first minute: what is left of it is in the fresh one', async () => {
    const told = (firstMinute: object): string => tokenWith({ ...CLAIMS, user: { ...CLAIMS.user, ...firstMinute } })
    localStorage.setItem('jwt', told({ mustChangePassword: true, welcome: ['language', 'name'] }))
    answer = async () => new Response(told({ welcome: ['name'] }))
    await startSession()
    expect(useSession.getState().firstMinute.welcome).toEqual(['name'])
    // A step that was done here is not asked again by a token that was issued just before.
    useSession.setState({ firstMinute: { welcome: [] } })
    await renew()
    expect(useSession.getState().firstMinute.welcome).toEqual([])
    useSession.setState({ firstMinute: {} })
    localStorage.setItem('jwt', told({ mustChangePassword: true, welcome: ['name'] }))
    answer = async () => new Response(TOKEN)
    await startSession()
    expect(isSettled(useSession.getState())).toBe(true)
  })

  it('is neither renewed nor dropped where a provider has led back to', async () => {
    await startSession({ isReturning: true })
    expect([storedToken(), useSession.getState().token]).toEqual([TOKEN, null])
    expect(fetched).not.toHaveBeenCalled()
  })

  it('is dropped if it is none', async () => {
    localStorage.setItem('jwt', 'no token')
    await startSession()
    expect([storedToken(), useSession.getState().token]).toEqual([null, null])
    expect(warned).toHaveBeenCalledTimes(1)
  })
})

/** What a browser gives for a response whose connection was broken. */
function brokenBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.error(new TypeError('network error')) })
}

function problem(status: number, code: string): Response {
  return new Response(JSON.stringify({ code, detail: {} }), { status, headers: { 'content-type': 'application/json' } })
}

const PERM = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }
/** Without a name, so that no dialog asks for the password. */
const CLAIMS = { exp: 4_102_444_800, iat: 0, user: { id: 1, viewMode: 'list', perm: PERM } }
const TOKEN = tokenWith(CLAIMS)

function tokenWith(claims: object): string {
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`
}

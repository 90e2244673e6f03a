import { factors as factorCalls } from '../../shared/contract/factors.ts'
import { secondSteps as steps } from '../../shared/contract/second-steps.ts'
import { session as calls } from '../../shared/contract/session.ts'
import { originOf as pageOf } from '../factors/passkeys.ts'
import { TRUST_MS } from '../factors/trusted-devices.ts'
import { cookiesByPrefix, cookiesNamed } from '../http/cookies.ts'
import type { Viewer } from '../access/viewer.ts'
import { statusResponse } from '../http/errors.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { MAX_SIGN_IN_MS } from './session-lifetime.ts'
import type { Opened, Origin } from './opened.ts'
import type { Sessions } from './sessions.ts'
import type { Signup } from './signup.ts'

export interface SessionsDeps {
  sessions: Sessions
  signup: Signup
  /** Revokes all API tokens of a viewer. */
  endTokens: (viewer: Viewer, address: string | null) => Promise<void>
  cookie: CookieOptions
}

export interface CookieOptions {
  name: string
  /** The base URL without trailing slash; empty at the root. */
  baseUrl: string
}

export function mountSessions(app: Router, { sessions, signup, endTokens, cookie }: SessionsDeps): void {
  mount(
    app,
    calls.login,
    async ({ body: { username, password, recaptcha: captcha, remember }, headers, request, peer, secure, trusted }) => {
      const assertion = { headers: request.headers, trusted }
      const devices = devicesIn(request, cookie)
      const asked = { username, password, captcha, assertion, devices, web: isWeb(headers), from: originOf(request, peer, cookie) }
      return tokenResponse(await sessions.signIn(asked), { ...cookie, secure, remember })
    },
  )

  mount(app, steps.second, async ({ body: { remember, ...asked }, headers, request, peer, secure }) => {
    const { opened, device } = await sessions.complete(asked, { web: isWeb(headers), from: originOf(request, peer, cookie) })
    const response = tokenResponse(opened, { ...cookie, secure, remember })
    if (device !== null) {
      const how = { ...cookie, name: deviceCookie(cookie, device.userId), secure, maxAgeSeconds: TRUST_MS / 1000 }
      response.headers.append('set-cookie', cookieLine(device.secret, how))
    }
    return response
  })

  mount(app, steps.secondChallenge, async ({ body: { ticket }, request }) => ({
    options: await sessions.challenge(ticket, pageOf(request)),
  }))

  mount(app, steps.passkeyChallenge, ({ request, peer }) => sessions.passkeyChallenge(pageOf(request), { address: peer }))

  mount(app, steps.passkey, async ({ body: { remember, ...asked }, headers, request, peer, secure }) => {
    const opened = await sessions.byPasskey(asked, { web: isWeb(headers), from: originOf(request, peer, cookie) })
    return tokenResponse(opened, { ...cookie, secure, remember })
  })

  mount(app, factorCalls.proofChallenge, ({ viewer, request }) => sessions.proofChallenge(viewer, pageOf(request)))

  mount(app, factorCalls.prove, async ({ body, viewer, peer: address }) => {
    await sessions.prove(body, { viewer, address })
    return statusResponse(200)
  })

  mount(app, calls.signup, async ({ body: { username, password, recaptcha: captcha }, peer }) => {
    await signup.signUp({ username, password, captcha, address: peer })
    return statusResponse(200)
  })

  mount(app, calls.renew, async ({ viewer, headers, request, peer, secure }) => {
    const opened = await sessions.renew(viewer.sessionId, { web: isWeb(headers), from: originOf(request, peer, cookie) })
    const response = tokenResponse(opened, { ...cookie, secure, remember: true })
    response.headers.set('X-Renew-Token', 'false')
    return response
  })

  mount(app, calls.logout, async ({ viewer, peer, secure }) => {
    await sessions.signOut(viewer.sessionId, { address: peer })
    return statusResponse(200, { 'set-cookie': cookieLine('', { ...cookie, secure, maxAgeSeconds: 0 }) })
  })

  mount(app, calls.list, ({ viewer }) => sessions.devices(viewer))

  mount(app, calls.end, async ({ viewer, params, peer, secure }) => {
    const { current } = await sessions.endDevice(viewer, params.id, { address: peer })
    return statusResponse(200, current ? { 'set-cookie': cookieLine('', { ...cookie, secure, maxAgeSeconds: 0 }) } : {})
  })

  mount(app, calls.everywhere, async ({ viewer, query, peer, secure }) => {
    if (query.tokens) await endTokens(viewer, peer)
    await sessions.endAllOf(viewer.userId, { address: peer })
    return statusResponse(200, { 'set-cookie': cookieLine('', { ...cookie, secure, maxAgeSeconds: 0 }) })
  })
}

function isWeb(headers: { 'x-satchel-web'?: string }): boolean {
  return headers['x-satchel-web'] === '1'
}

/** Each account has a trust of its own in a browser that several people use. */
function deviceCookie({ name }: CookieOptions, userId: number | ''): string {
  return `${name}-device-${userId}`
}

/** The secrets of trusted devices in the cookies of a request. */
export function devicesIn(request: Request, cookie: CookieOptions): string[] {
  return cookiesByPrefix(deviceCookie(cookie, ''), request)
}

/** Where a call comes from. */
export function originOf(request: Request, peer: string | null, cookie: CookieOptions): Origin {
  const [browser = ''] = cookiesNamed(browserCookie(cookie), request).filter((secret) => BROWSER_SECRET.test(secret))
  return { address: peer, userAgent: request.headers.get('user-agent') ?? '', browser }
}

const BROWSER_SECRET = /^[\w-]{43}$/
/** As long as browsers keep a cookie. */
const BROWSER_KEPT_SECONDS = 400 * 24 * 3600

/** A browser is known to all accounts by the same cookie. */
function browserCookie({ name }: CookieOptions): string {
  return `${name}-browser`
}

/** The bare token as text, as clients of the predecessor expect. */
export function tokenResponse(
  opened: Opened,
  { remember, ...cookie }: Omit<CookieLine, 'maxAgeSeconds'> & { remember: boolean },
): Response {
  const headers = new Headers({ 'content-type': 'text/plain', 'cache-control': 'no-cache, no-store, must-revalidate' })
  const maxAgeSeconds = remember ? MAX_SIGN_IN_MS / 1000 : null
  if (opened.cookie !== null) headers.set('set-cookie', cookieLine(opened.cookie, { ...cookie, maxAgeSeconds }))
  if (opened.browser)
    headers.append(
      'set-cookie',
      cookieLine(opened.browser, { ...cookie, name: browserCookie(cookie), maxAgeSeconds: BROWSER_KEPT_SECONDS }),
    )
  return new Response(opened.token, { headers })
}

/** It outlives the browser, as the token in its storage does, unless the user does not want to be remembered; the server decides when both expire. */
function cookieLine(value: string, { name, baseUrl, secure, maxAgeSeconds }: CookieLine): string {
  const path = baseUrl === '' ? '/' : baseUrl
  const life = maxAgeSeconds === null ? '' : `; Max-Age=${maxAgeSeconds}`
  return `${name}=${value}; Path=${path}${life}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

interface CookieLine extends CookieOptions {
  secure: boolean
  /** Null for a session cookie. */
  maxAgeSeconds: number | null
}

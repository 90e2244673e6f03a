import { fail } from '../../shared/errors.ts'
import { type AccessChanges, createLatest } from '../access/latest.ts'
import type { Viewer } from '../access/viewer.ts'
import { sendingOf, whileOpen } from './bytes.ts'
import { cookiesNamed } from './cookies.ts'
import type { OwnOrigin } from './own-origin.ts'
import { type PresentedToken, presentedTokenIn } from './presented-token.ts'
import { type Answer, type Context, type Layer, type Reauthenticate, redirect, after } from './router.ts'
import { wantsSocket } from './socket.ts'
import { shareAddress } from './through-share.ts'
import { viewingAddress } from './while-viewing.ts'

/** The credentials of a request. */
export interface Presented {
  readonly token: string | null
  readonly cookies: readonly string[]
  /** An API token; the others are empty then. */
  readonly api?: PresentedToken
}

/** Finds the viewer by token and cookies, or by the cookies alone without a token. `passive`: the session does not count as used. */
export type Identify = (presented: Presented, options?: { passive?: boolean }) => Viewer | null | Promise<Viewer | null>

export interface AuthenticateOptions {
  readonly identify: Identify
  readonly identifyToken: (token: PresentedToken, how: { address: string | null; passive?: boolean }) => ReturnType<Identify>
  /** Counts a wrong API token and fails with `invalid-token` or `too-many-requests`. */
  readonly refuseToken: (token: PresentedToken, address: string | null) => Promise<never>
  /** A call by this viewer starts; `end` gets a function that tells whether its response is still being sent. */
  readonly during: (viewer: Viewer) => { end(isAtWork: (() => boolean) | null): Promise<void> | undefined }
  readonly cookieName: string
  readonly changes: AccessChanges
  readonly origins: OwnOrigin
  /** Base path of the server, without trailing slash. */
  readonly baseUrl: string
}

/** Where the query may contain the token, for players and sockets that cannot send headers. */
const TOKEN_IN_ADDRESS = /^\/api\/(raw|preview|command)(\/|$)/

const RAW = '/api/raw/'

/** The cookie in which scripts of the predecessor's clients keep their token. */
const LEGACY_COOKIE = 'auth'

/**
 * Sets the viewer on the context, or null: endpoints that need one respond 401 themselves. If `X-Auth` is sent, it alone counts, and then an API token in
 * `Authorization`; a wrong API token fails with `invalid-token`, whatever the call. A cookie alone is
 * enough for GET and HEAD only, and only from our own pages: browsers also send it with requests from pages of other origins (A2). Refuses with
 * `forbidden` every socket opened by a page of another origin, and every change that such a page requests without a token: sign-in, sign-up, uploads
 * of visitors.
 */
export function authenticate(options: AuthenticateOptions): Layer {
  const { identify, identifyToken, refuseToken, during, cookieName, origins, baseUrl } = options
  /** The credentials of a request, in order of precedence. */
  function presentedIn(request: Request, path: string, { cookiesCount }: { cookiesCount: boolean }): Presented[] {
    const cookies = cookiesNamed(cookieName, request)
    const header = request.headers.get('x-auth')
    if (header !== null && header !== '') return [{ token: header, cookies }]
    if (!readsOnly(request, path)) return []
    const legacy = cookiesCount ? cookiesNamed(LEGACY_COOKIE, request) : []
    const tokens = [...legacy, ...tokensInAddress(request, path)]
    return [...(!cookiesCount || cookies.length === 0 ? [] : [{ token: null, cookies }]), ...tokens.map((token) => ({ token, cookies }))]
  }

  /** The viewer with an access that stays current during the call, as long as the credentials still open a session. */
  function withLiveAccess(viewer: Viewer, reauthenticate: Reauthenticate): Viewer {
    const ask = async () => ((await reauthenticate({ passive: true })) ?? fail('sign-in-needed', {})).access
    return { ...viewer, access: { ...viewer.access, latest: createLatest(viewer.access, ask, options.changes) } }
  }

  /** Of the only credentials of a request; the next request with them, which gives the same object, has it too. */
  const known = new WeakMap<Viewer, Viewer>()

  function liveViewer(viewer: Viewer, reauthenticate: Reauthenticate, { isSure }: { isSure: boolean }): Viewer {
    if (!isSure) return withLiveAccess(viewer, reauthenticate)
    const live = known.get(viewer) ?? withLiveAccess(viewer, reauthenticate)
    known.set(viewer, live)
    return live
  }

  function proceed(c: Context, viewer: Viewer | null, { isSure, next }: { isSure: boolean; next: () => Answer }): Answer {
    const { request, path, cookiesCount, reauthenticate } = c
    if (viewer === null) {
      const hasCookie = !cookiesCount && [cookieName, LEGACY_COOKIE].some((name) => cookiesNamed(name, request).length > 0)
      c.withheld = hasCookie
      // Somebody followed a link to a file from a page elsewhere, such as webmail: our own page shows it.
      if (hasCookie && isFileNavigation(request, path))
        return redirect(`${baseUrl}${shareAddress(c.share)}${viewingAddress(c.viewing)}/files/${path.slice(RAW.length)}`)
      return next()
    }
    c.viewer = liveViewer(viewer, reauthenticate, { isSure })
    const answer = next()
    // A handler that has responded already is not a running request of the session.
    const call = answer instanceof Promise ? during(viewer) : null
    return after(answer, (response) => {
      if (viewer.shouldRenew && !response.headers.has('x-renew-token')) response.headers.set('X-Renew-Token', 'true')
      const ending = call?.end(sendingOf(response))
      return ending === undefined ? response : whileOpen(response, () => ending).then(() => response)
    })
  }

  return (c, next) => {
    const { request, path } = c
    if (!path.startsWith('/api/') && path !== '/api') return next()
    const sender = origins.senderOf(request, { secure: c.bindings.secure === true })
    const isSocket = wantsSocket(request)
    const api = presentedTokenIn(request, { sender })
    const hasToken = api !== null || (request.headers.get('x-auth') ?? '') !== ''
    const changes = !(request.method === 'OPTIONS' || readsOnly(request, path)) && !hasToken
    if (sender === 'foreign' && (isSocket || changes)) fail('forbidden', { right: 'origin' })
    // A browser always states which page opens a socket; a program has a token.
    const cookiesCount = isSocket ? sender === 'own' : sender !== 'foreign'
    c.cookiesCount = cookiesCount
    // Read now: after an upgrade the request has no headers any more.
    const presented = api === null ? presentedIn(request, path, { cookiesCount }) : [{ token: null, cookies: [], api }]
    const { peer } = c.bindings
    const identifyEither: Identify = (one, how) =>
      one.api === undefined ? identify(one, how) : identifyToken(one.api, { ...how, address: peer })
    c.reauthenticate = async (how) => firstKnown(identifyEither, presented, how)
    return after<Viewer | null, Answer>(firstKnown(identifyEither, presented), (viewer) => {
      if (viewer === null && api !== null) return refuseToken(api, peer)
      return proceed(c, viewer, { isSure: presented.length === 1, next })
    })
  }
}

/** The viewer of the first credentials that open a session. */
function firstKnown(identify: Identify, [first, ...rest]: readonly Presented[], how?: { passive?: boolean }): ReturnType<Identify> {
  if (first === undefined) return null
  return after<Viewer | null, ReturnType<Identify>>(identify(first, how), (viewer) => viewer ?? firstKnown(identify, rest, how))
}

/** Renewing changes something, whatever the method. */
function readsOnly({ method }: Request, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && path !== '/api/renew'
}

function isFileNavigation({ method, headers }: Request, path: string): boolean {
  return method === 'GET' && headers.get('sec-fetch-mode') === 'navigate' && path.startsWith(RAW)
}

function tokensInAddress(request: Request, path: string): string[] {
  if (request.method !== 'GET' || !TOKEN_IN_ADDRESS.test(path)) return []
  const query = request.url.split('?', 2)[1] ?? ''
  if (!/auth|%/.test(query)) return []
  const tokens = new URLSearchParams(query).getAll('auth')
  return tokens.length === 1 ? tokens : []
}

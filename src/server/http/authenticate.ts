import type { MiddlewareHandler } from 'hono'
import { fail } from '../../shared/errors.ts'
import { type AccessChanges, createLatest } from '../access/latest.ts'
import type { Viewer } from '../access/viewer.ts'
import { sendingOf, whileOpen } from './bytes.ts'
import type { Reauthenticate, Env } from './mount.ts'
import type { OwnOrigin } from './own-origin.ts'
import { wantsSocket } from './socket.ts'

/** The credentials of a request. */
export interface Presented {
  readonly token: string | null
  readonly cookies: readonly string[]
}

/** Finds the viewer by token and cookies, or by the cookies alone without a token. `passive`: the session does not count as used. */
export type Identify = (presented: Presented, options?: { passive?: boolean }) => Promise<Viewer | null>

export interface AuthenticateOptions {
  readonly identify: Identify
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
 * Sets the viewer on the context, or null: endpoints that need one respond 401 themselves. If `X-Auth` is sent, it alone counts. A cookie alone is
 * enough for GET and HEAD only, and only from our own pages: browsers also send it with requests from pages of other origins (A2). Refuses with
 * `forbidden` every socket opened by a page of another origin, and every change that such a page requests without a token: sign-in, sign-up, uploads
 * of visitors.
 */
export function authenticate(options: AuthenticateOptions): MiddlewareHandler<Env> {
  const { identify, during, cookieName, origins, baseUrl } = options
  /** The credentials of a request, in order of precedence. */
  function presentedIn(request: Request, path: string, { cookiesCount }: { cookiesCount: boolean }): Presented[] {
    const cookies = cookiesNamed(cookieName, request.headers.get('cookie'))
    const header = request.headers.get('x-auth')
    if (header !== null && header !== '') return [{ token: header, cookies }]
    if (!readsOnly(request, path)) return []
    const legacy = cookiesCount ? cookiesNamed(LEGACY_COOKIE, request.headers.get('cookie')) : []
    const tokens = [...legacy, ...tokensInAddress(request, path)]
    return [...(!cookiesCount || cookies.length === 0 ? [] : [{ token: null, cookies }]), ...tokens.map((token) => ({ token, cookies }))]
  }

  /** The viewer with an access that stays current during the call, as long as the credentials still open a session. */
  function withLiveAccess(viewer: Viewer, reauthenticate: Reauthenticate): Viewer {
    const ask = async () => ((await reauthenticate({ passive: true })) ?? fail('sign-in-needed', {})).access
    return { ...viewer, access: { ...viewer.access, latest: createLatest(viewer.access, ask, options.changes) } }
  }

  return async (c, next) => {
    const request = c.req.raw
    const sender = origins.senderOf(request, { secure: c.env.secure === true })
    const isSocket = wantsSocket(request)
    const changes = !(request.method === 'OPTIONS' || readsOnly(request, c.get('path'))) && (request.headers.get('x-auth') ?? '') === ''
    if (sender === 'foreign' && (isSocket || changes)) fail('forbidden', { right: 'origin' })
    // A browser always states which page opens a socket; a program has a token.
    const cookiesCount = isSocket ? sender === 'own' : sender !== 'foreign'
    c.set('cookiesCount', cookiesCount)
    // Read now: after an upgrade the request has no headers any more.
    const presented = presentedIn(request, c.get('path'), { cookiesCount })
    const reauthenticate: Reauthenticate = async (how) => {
      for (const one of presented) {
        const found = await identify(one, how)
        if (found !== null) return found
      }
      return null
    }
    const viewer = await reauthenticate()
    c.set('viewer', viewer && withLiveAccess(viewer, reauthenticate))
    if (viewer === null && !cookiesCount) {
      const hasCookie = [cookieName, LEGACY_COOKIE].some((name) => cookiesNamed(name, request.headers.get('cookie')).length > 0)
      c.set('withheld', hasCookie)
      // Somebody followed a link to a file from a page elsewhere, such as webmail: our own page shows it.
      if (hasCookie && isFileNavigation(request, c.get('path'))) return c.redirect(`${baseUrl}/files/${c.get('path').slice(RAW.length)}`)
    }
    c.set('reauthenticate', reauthenticate)
    const call = viewer === null ? null : during(viewer)
    try {
      await next()
    } finally {
      const ending = call?.end(sendingOf(c.res))
      if (ending !== undefined) await whileOpen(c.res, () => ending)
    }
    // Set on the response itself: Hono's own way would wrap its body and lose sendfile.
    if (viewer?.shouldRenew === true && !c.res.headers.has('x-renew-token')) c.res.headers.set('X-Renew-Token', 'true')
  }
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

/** Every cookie of that name: a browser may have one for each of several paths. */
function cookiesNamed(name: string, header: string | null): string[] {
  if (header === null || !header.includes(`${name}=`)) return []
  const pairs = header.split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}

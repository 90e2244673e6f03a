import type { MiddlewareHandler } from 'hono'
import { fail } from '../../shared/errors.ts'
import { type AccessChanges, createLatest } from '../access/latest.ts'
import type { Viewer } from '../access/viewer.ts'
import { sendingOf, whileOpen } from './bytes.ts'
import type { Reauthenticate, Env } from './mount.ts'
import type { OwnOrigin } from './own-origin.ts'
import { wantsSocket } from './socket.ts'

/** What a request says about who sent it. */
export interface Presented {
  readonly token: string | null
  readonly cookies: readonly string[]
}

/** Who presents this token and these cookies; without a token the cookies alone. `passive`: being asked is no sign of life. */
export type Identify = (presented: Presented, options?: { passive?: boolean }) => Promise<Viewer | null>

export interface AuthenticateOptions {
  readonly identify: Identify
  /** Somebody's call begins; `end` is told how to ask whether its answer is still being sent. */
  readonly during: (viewer: Viewer) => { end(isAtWork: (() => boolean) | null): Promise<void> }
  readonly cookieName: string
  readonly changes: AccessChanges
  readonly origins: OwnOrigin
  /** Where the product is served, without trailing slash. */
  readonly baseUrl: string
}

/** Where the address may carry the token, for players and sockets that can send no header. */
const TOKEN_IN_ADDRESS = /^\/api\/(raw|preview|command)(\/|$)/

const RAW = '/api/raw/'

/** The name under which scripts of the predecessor's clients keep their token. */
const LEGACY_COOKIE = 'auth'

/**
 * Puts the viewer on the context, or null: what needs one says so itself, and says 401.
 * `X-Auth` decides alone where it is sent. A cookie alone is enough for GET and HEAD only, and only from our own pages: browsers send it along
 * with requests that pages of other origins make (A2). Refuses with `forbidden` every socket that a foreign page opens, and every change that
 * a foreign page asks for without a token: sign-in, sign-up, what visitors send.
 */
export function authenticate(options: AuthenticateOptions): MiddlewareHandler<Env> {
  const { identify, during, cookieName, origins, baseUrl } = options
  /** Everything a request presents, first what counts first. */
  function presentedIn(request: Request, path: string, { cookiesCount }: { cookiesCount: boolean }): Presented[] {
    const cookies = cookiesNamed(cookieName, request.headers.get('cookie'))
    const header = request.headers.get('x-auth')
    if (header !== null && header !== '') return [{ token: header, cookies }]
    if (!readsOnly(request, path)) return []
    const legacy = cookiesCount ? cookiesNamed(LEGACY_COOKIE, request.headers.get('cookie')) : []
    const tokens = [...legacy, ...tokensInAddress(request, path)]
    return [...(!cookiesCount || cookies.length === 0 ? [] : [{ token: null, cookies }]), ...tokens.map((token) => ({ token, cookies }))]
  }

  /** The viewer with an access that stays true while the call lasts: as long as what the request presents still opens a session. */
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
    // A browser always says which page opens a socket; a program has a token.
    const cookiesCount = isSocket ? sender === 'own' : sender !== 'foreign'
    c.set('cookiesCount', cookiesCount)
    // Read at once: after an upgrade the request has no headers any more.
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
      // Somebody followed a link to a file on a page elsewhere, such as their mail: our own page shows it.
      if (hasCookie && isFileNavigation(request, c.get('path'))) return c.redirect(`${baseUrl}/files/${c.get('path').slice(RAW.length)}`)
    }
    c.set('reauthenticate', reauthenticate)
    const call = viewer === null ? null : during(viewer)
    try {
      await next()
    } finally {
      await whileOpen(c.res, async () => call?.end(sendingOf(c.res)))
    }
    // Set on the response itself: Hono's own way would wrap its body and lose sendfile.
    if (viewer?.shouldRenew === true && !c.res.headers.has('x-renew-token')) c.res.headers.set('X-Renew-Token', 'true')
  }
}

/** Renewing changes something by whatever method. */
function readsOnly({ method }: Request, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && path !== '/api/renew'
}

function isFileNavigation({ method, headers }: Request, path: string): boolean {
  return method === 'GET' && headers.get('sec-fetch-mode') === 'navigate' && path.startsWith(RAW)
}

function tokensInAddress(request: Request, path: string): string[] {
  if (request.method !== 'GET' || !TOKEN_IN_ADDRESS.test(path)) return []
  const tokens = new URLSearchParams(request.url.split('?', 2)[1] ?? '').getAll('auth')
  return tokens.length === 1 ? tokens : []
}

/** Every cookie of that name: a browser may hold one for each of several paths. */
function cookiesNamed(name: string, header: string | null): string[] {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}

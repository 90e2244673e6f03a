import { fail } from '../../shared/errors.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Upgrade } from './socket.ts'

/** What can be answered at once is: each wait costs a small request more than its own work. */
export type Answer = Response | Promise<Response>

/** The current viewer, for work that goes on after the response. Null if the session has ended. `passive`: the session does not count as used. */
export type Reauthenticate = (options?: { passive?: boolean }) => Promise<Viewer | null>

/** What the listener knows of a request. */
export interface Bindings {
  readonly peer: string | null
  readonly secure?: boolean
  readonly trusted?: boolean
  readonly local?: boolean
  readonly upgrade?: Upgrade
}

/** Where a request goes: its path below the base URL, or below the address of a share with people or of a view as somebody else. */
export interface Place {
  readonly path: string
  readonly share: string | null
  readonly viewing: string | null
}

/** A request on its way to its response. */
export class Context {
  readonly request: Request
  /** As it was sent, percent-encodings untouched, below the base URL. */
  readonly path: string
  /** The share with people that the request is in. */
  readonly share: string | null
  /** The view as somebody else that the request is in. */
  readonly viewing: string | null
  readonly bindings: Bindings
  /** The pattern that matched, and its named segments as they were sent. */
  route = '/*'
  params: Readonly<Record<string, string>> = NO_PARAMS
  /** Set by `authenticate`, as is what follows. */
  viewer: Viewer | null = null
  reauthenticate: Reauthenticate = noViewer
  /** Whether cookies of this request count. */
  cookiesCount = true
  /** A cookie came with the request but did not count. */
  withheld = false
  /** What the response reports. */
  error: unknown = null

  constructor(request: Request, { path, share, viewing }: Place, bindings: Bindings) {
    this.request = request
    this.path = path
    this.share = share
    this.viewing = viewing
    this.bindings = bindings
  }

  /** A header of the request. */
  header(name: string): string | null {
    return this.request.headers.get(name)
  }
}

/** Surrounds the routes. `next` never fails: errors are responses by then. */
export type Layer = (c: Context, next: () => Answer) => Answer
/** Null leaves the request to the next route of the same address. */
export type Handle = (c: Context) => Answer | null

export interface Router {
  /** The first layer is the outermost. */
  use(layer: Layer): void
  /** `:name` is one segment, a trailing `/*` the rest, `*` everything. HEAD is answered by GET, without the body. The first match counts. */
  on(methods: readonly string[], pattern: string, handle: Handle): void
  get(pattern: string, handle: Handle): void
  /** Whatever the method. */
  all(pattern: string, handle: Handle): void
  onError(respond: (error: unknown, c: Context) => Response): void
  fetch(request: Request, bindings: Bindings): Answer
  /** For tests. */
  request(address: string, init?: RequestInit, bindings?: Bindings): Answer
}

interface Route {
  /** Null for every method. */
  readonly methods: ReadonlySet<string> | null
  readonly pattern: string
  readonly matches: RegExp
  readonly handle: Handle
}

/** @param options.placeOf by which path of a request its route is found */
export function createRouter({ placeOf = rawPlaceOf }: { placeOf?: (request: Request) => Place } = {}): Router {
  const layers: Layer[] = []
  const routes: Route[] = []
  let respond: (error: unknown, c: Context) => Response = (error) => {
    throw error
  }
  let compiled: ((c: Context) => Answer) | null = null

  function add(methods: readonly string[] | null, pattern: string, handle: Handle): void {
    compiled = null
    routes.push({ methods: methods && new Set(methods), pattern, matches: regExpOf(pattern), handle })
  }

  function failed(error: unknown, c: Context): Response {
    c.error = error
    const response = respond(error, c)
    return c.request.method === 'HEAD' ? headOf(response) : response
  }

  function guarded(c: Context, work: () => Answer): Answer {
    try {
      const answer = work()
      return answer instanceof Promise ? answer.catch((error: unknown) => failed(error, c)) : answer
    } catch (error) {
      return failed(error, c)
    }
  }

  function compile(): (c: Context) => Answer {
    const routesOf = indexOf(routes)
    const route = (c: Context): Answer => routed(c, routesOf(c.path))
    const inner = (c: Context): Answer => guarded(c, () => route(c))
    return layers.reduceRight<(c: Context) => Answer>((next, layer) => (c) => guarded(c, () => layer(c, () => next(c))), inner)
  }

  const router: Router = {
    use: (layer) => void layers.push(layer),
    on: add,
    get: (pattern, handle) => add(['GET'], pattern, handle),
    all: (pattern, handle) => add(null, pattern, handle),
    onError: (handler) => void (respond = handler),
    fetch(request, bindings) {
      const answer = (compiled ??= compile())
      return answer(new Context(request, placeOf(request), bindings))
    },
    request: (address, init, bindings = { peer: null }) =>
      router.fetch(new Request(new URL(address, 'http://localhost').href, init), bindings),
  }
  return router
}

export function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location } })
}

/** Something to do with an answer, at once if it is there. */
export function after<T, R>(answer: T | Promise<T>, work: (value: T) => R): R | Promise<Awaited<R>> {
  return answer instanceof Promise ? (answer.then(work) as Promise<Awaited<R>>) : work(answer)
}

/**
 * The path of a request as it was sent, percent-encodings untouched, without query. If a request has no valid host, the runtime returns the request
 * target, which begins with the path (A21).
 */
export function rawPath(url: string): string {
  const query = url.indexOf('?')
  const fragment = url.indexOf('#')
  const end = query < 0 || (fragment >= 0 && fragment < query) ? fragment : query
  const address = end < 0 ? url : url.slice(0, end)
  const start = address.startsWith('/') ? 0 : address.indexOf('/', address.indexOf('://') + 3)
  return start < 0 ? '/' : address.slice(start)
}

function rawPlaceOf({ url }: Request): Place {
  return { path: rawPath(url), share: null, viewing: null }
}

function routed(c: Context, candidates: readonly Route[]): Answer {
  const isHead = c.request.method === 'HEAD'
  const method = isHead ? 'GET' : c.request.method
  for (const { methods, pattern, matches, handle } of candidates) {
    if (methods !== null && !methods.has(method)) continue
    const found = matches.exec(c.path)
    if (found === null) continue
    c.route = pattern
    c.params = found.groups ?? NO_PARAMS
    const answer = handle(c)
    if (answer !== null) return isHead ? after(answer, headOf) : answer
  }
  return fail('not-found', {})
}

/** The response without its body; the body is cancelled, because it may hold files, programs, and a slot in a queue. */
function headOf(response: Response): Response {
  // Cancelled at once, but not awaited.
  void response.body?.cancel().catch(() => undefined)
  return new Response(null, response)
}

/** Finds the routes for a path by its first two segments, which most patterns name; each list is in the order of the routes. */
function indexOf(routes: readonly Route[]): (path: string) => readonly Route[] {
  const heads = new Map<string, Route[]>()
  const general: Route[] = []
  for (const route of routes) {
    if (isNamed(route.pattern)) {
      const head = headIn(route.pattern)
      const named = heads.get(head) ?? [...general]
      heads.set(head, named)
      named.push(route)
    } else {
      general.push(route)
      for (const named of heads.values()) named.push(route)
    }
  }
  return (path) => heads.get(headIn(path)) ?? general
}

function isNamed(pattern: string): boolean {
  return /^\/[\w.-]+\/[\w.-]+(\/|$)/.test(pattern)
}

function headIn(path: string): string {
  const end = path.indexOf('/', path.indexOf('/', 1) + 1)
  return end <= 0 ? path : path.slice(0, end)
}

function regExpOf(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+]/g, '\\$&')
    .replace(/:(\w+)/g, '(?<$1>[^/]+)')
    .replace(/\/\*$/, '(?:/.*)?')
    .replace(/^\*$/, '.*')
  return new RegExp(`^${source}$`, 's')
}

const NO_PARAMS: Readonly<Record<string, string>> = {}

async function noViewer(): Promise<null> {
  return null
}

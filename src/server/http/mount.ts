import * as z from 'zod/mini'
import { type TokenUse, tokenUseOf } from '../../shared/contract/by-token.ts'
import { type ShareUse, shareUseOf } from '../../shared/contract/in-share.ts'
import { type ViewingUse, viewingUseOf } from '../../shared/contract/in-viewing.ts'
import { OperationHeaders } from '../../shared/contract/operation.ts'
import { OPERATION_HEADER } from '../../shared/contract/operation-header.ts'
import type { BodyOf, Endpoint, HeadersOf, ParamsOf, QueryOf, ResultOf } from '../../shared/contract/endpoint.ts'
import { fail } from '../../shared/errors.ts'
import { decodeFilePath, decodeQueryPath, ROOT } from '../../shared/file-path.ts'
import { foldKeys } from '../../shared/fold-keys.ts'
import { MAX_JSON_BODY_BYTES } from '../../shared/limits.ts'
import { createLru } from '../../shared/lru.ts'
import { mayAnywhere } from '../access/access.ts'
import type { Gesture, Viewer, ViewerToken } from '../access/viewer.ts'
import { whenBodyStarted } from './bytes.ts'
import { statusResponse } from './errors.ts'
import type { Answer, Reauthenticate, Router } from './router.ts'
import type { Upgrade } from './socket.ts'

export interface Call<E extends Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  headers: HeadersOf<E>
  body: BodyOf<E>
  viewer: E['by'] extends 'anyone' ? Viewer | null : Viewer
  reauthenticate: Reauthenticate
  request: Request
  /** The client's address, from the socket or a trusted proxy; null on a unix socket. */
  peer: string | null
  /** Whether the client connected by TLS, to us or to a trusted proxy. */
  secure: boolean
  /** Whether the response stays on this machine, so that compressing it gains nothing. */
  local: boolean
  /** Upgrades the request to a socket; null if that is impossible. */
  upgrade: Upgrade | null
  /** Whether cookies of this request count: not if a page of another origin sent it. */
  cookiesCount: boolean
  /** Whether a trusted proxy sent this, so that it may assert the user. */
  trusted: boolean
}

export type Handler<E extends Endpoint> = (call: Call<E>) => ResultOf<E> | Response | Promise<ResultOf<E> | Response>

/**
 * Serves one endpoint of the contract: checks access, parses all input, calls the handler with typed values, and responds. HEAD endpoints are
 * registered as GET, by which the router answers HEAD.
 */
export function mount<E extends Endpoint>(router: Router, endpoint: E, handler: Handler<E>): void {
  const methods = [endpoint.method, ...(endpoint.alsoMethods ?? [])].map((method) => (method === 'HEAD' ? 'GET' : method))
  const readParams = paramsReader(endpoint)
  const queryOf = queryReader(endpoint)
  const { accept, withQuery, headers, body, maxBodyBytes } = endpoint
  const admitted = { ...endpoint, tokenUse: tokenUseOf(endpoint), shareUse: shareUseOf(endpoint), viewingUse: viewingUseOf(endpoint) }

  function answer(call: object, request: Request, gesture: Gesture | undefined): Answer {
    // Proven where the call is made: each part was parsed by the schema its type comes from.
    const result = handler(call as Call<E>)
    return result instanceof Promise ? replyLater(request, result, gesture) : reply(result)
  }

  router.on(methods, routeOf(endpoint.path), (c) => {
    const { request, path, bindings, reauthenticate, cookiesCount } = c
    if (accept !== undefined && !(c.header('accept') ?? '').includes(accept)) return null
    if (withQuery !== undefined && !hasParameter(c.request.url, withQuery)) return null
    const viewer = withGesture(endpoint, admit(admitted, c.viewer, c), request)
    const call = {
      params: readParams(path, c.params),
      query: queryOf(request.url),
      headers: headers === undefined ? {} : check(headers, Object.fromEntries(request.headers)),
      body: body === 'bytes' ? request.body : undefined,
      viewer,
      reauthenticate,
      request,
      get peer() {
        return bindings.peer
      },
      secure: bindings.secure === true,
      get local() {
        return bindings.local === true
      },
      upgrade: bindings.upgrade ?? null,
      trusted: bindings.trusted === true,
      cookiesCount,
    }
    if (body === undefined || body === 'bytes') return answer(call, request, viewer?.gesture)
    return readJson(body, request, maxBodyBytes).then((content) => answer({ ...call, body: content }, request, viewer?.gesture))
  })
}

/** For every address of the contract: other methods get 405 with the list of allowed ones. Call after the last mount. */
export function refuseOtherMethods(router: Router, endpoints: readonly Endpoint[]): void {
  const all = [...Map.groupBy(endpoints, (endpoint) => endpoint.path)].map(([path, calls]) => {
    const served = calls.flatMap(({ method, alsoMethods = [] }) => [method, ...alsoMethods])
    return { path, pattern: patternOf(path), methods: served.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])) }
  })
  for (const { path } of all) {
    router.all(routeOf(path), (c) => {
      // Several patterns may match an address, each with methods of its own.
      const allow = all.filter(({ pattern }) => pattern.test(c.path)).flatMap(({ methods }) => methods)
      return fail('method-not-allowed', { allow: [...new Set(allow)].toSorted() })
    })
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\/\*path$/, '(/.*)?').replace(/:\w+/g, '[^/]+')}$`)
}

/**
 * The path of a call as the predecessor's server read it: an encoded slash is a slash, and several slashes are one. Everything else stays as it was
 * sent and is decoded once where it is read. Other paths are unchanged.
 */
export function callPath(path: string): string {
  if (!path.includes('//') && !path.includes('%2')) return path
  if (!/^\/+(?:%2f)*api(?:\/|%2f)/i.test(path)) return path
  return path.replace(/(?:\/|%2f)+/gi, '/')
}

function admit(
  endpoint: Endpoint & { tokenUse: TokenUse; shareUse: ShareUse; viewingUse: ViewingUse },
  asking: Viewer | null,
  { withheld, share, viewing }: { withheld: boolean; share: string | null; viewing: string | null },
): Viewer | null {
  const viewer = viewing !== null ? inViewing(endpoint, asking) : share === null ? asking : inShare(endpoint, asking)
  const reason = viewer === null ? null : heldBack(endpoint, viewer)
  if (endpoint.by === 'anyone') return reason !== null || viewer?.token !== undefined ? null : viewer
  if (viewer === null) return withheld ? fail('forbidden', { right: 'origin' }) : fail('sign-in-needed', {})
  if (reason !== null) fail(reason, {})
  expectRights(endpoint, viewer)
  return viewer
}

function expectRights({ by, needs, tokenUse }: Endpoint & { tokenUse: TokenUse }, { access, token }: Viewer): void {
  if (token !== undefined && !suits(tokenUse, token)) fail('forbidden', { right: 'token' })
  if (by === 'admin' && !access.may.admin) fail('forbidden', { right: 'admin' })
  for (const right of needs) {
    // Which node it is about is not known yet: the Drive decides about that.
    if (mayAnywhere(access, right)) continue
    if (right === 'download') fail('download-refused', {})
    fail('forbidden', { right })
  }
}

/** For another protocol that does what a call of the contract does: fails as that call would for this person or token, whatever it is about. */
export function expectCallable(endpoint: Endpoint, viewer: Viewer): void {
  expectRights({ ...endpoint, tokenUse: tokenUseOf(endpoint) }, viewer)
}

/** Within a share with people only calls about its files have the access that it gives. Fails with `forbidden`, and with `not-found` for one that has ended. */
function inShare({ by, shareUse }: { by: Endpoint['by']; shareUse: ShareUse }, viewer: Viewer | null): Viewer | null {
  const through = viewer?.through
  if (through === undefined) return viewer
  if (shareUse === 'own' || (by === 'anyone' && shareUse === 'no')) return through.own
  if (shareUse === 'no') return fail('forbidden', { right: 'share' })
  return through.isOpen ? viewer : fail('not-found', {})
}

/**
 * While an administrator looks as somebody else, only calls that read files are answered with what that person sees, and those about the administrator
 * as outside. Everything else is refused, whatever it is about. Fails with `forbidden`, and with `not-found` for a view that has ended.
 */
function inViewing({ viewingUse }: { viewingUse: ViewingUse }, viewer: Viewer | null): Viewer | null {
  const looking = viewer?.looking
  if (looking === undefined) return viewer
  if (looking.own.token !== undefined) return fail('forbidden', { right: 'token' })
  if (viewingUse === 'own') return looking.own
  if (viewingUse === 'no') return fail('forbidden', { right: 'view' })
  return looking.isOpen ? viewer : fail('not-found', {})
}

/** Why a user may not make this call yet: first they choose their own password, then they set up the second factor that is required. */
function heldBack(endpoint: Endpoint, viewer: Viewer): 'own-password-needed' | 'second-factor-setup-needed' | null {
  if (viewer.mustChangePassword === true) return endpoint.beforeOwnPassword === true ? null : 'own-password-needed'
  if (viewer.mustSetUpFactor === true) return endpoint.beforeSecondFactor === true ? null : 'second-factor-setup-needed'
  return null
}

function suits(use: TokenUse, { folder }: ViewerToken): boolean {
  return use === 'yes' || (use === 'whole' && folder === ROOT)
}

/** A user's request that may change something belongs to a gesture: to the one that it names, or one of its own. Visitors have none. */
function withGesture({ by, method }: Endpoint, viewer: Viewer | null, request: Request): Viewer | null {
  if (viewer === null || by === 'anyone' || method === 'GET' || method === 'HEAD') return viewer
  const named = request.headers.get(OPERATION_HEADER)
  if (named !== null) check(OperationHeaders, { [OPERATION_HEADER]: named })
  return { ...viewer, gesture: { group: named ?? Bun.randomUUIDv7(), joins: named !== null, hasChanged: false } }
}

function paramsReader({ path: pattern }: Endpoint): (path: string, named: Readonly<Record<string, string>>) => unknown {
  const names = Array.from(pattern.matchAll(/:(\w+)/g), ([, name = '']) => name)
  // The tail starts after as many segments as the pattern has before it.
  const before = pattern.endsWith('/*path') ? pattern.split('/').length - 1 : null
  const tailOf = remembered((path) =>
    decodeFilePath(
      `/${path
        .split('/')
        .slice(before ?? 0)
        .join('/')}`,
    ),
  )
  return (path, sent) => {
    if (before !== null && names.length === 0) return tailOf(path)
    const named = Object.fromEntries(names.map((name) => [name, decodeName(sent[name] ?? '')]))
    return before === null ? named : { ...named, ...tailOf(path) }
  }
}

function decodeName(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    return fail('invalid-input', { issues: ['path: malformed percent-encoding'] })
  }
}

function queryReader({ query: schema }: Endpoint): (url: string) => unknown {
  const queryOf = remembered((text) => check(schema, readQuery(text)))
  return (url) => {
    const at = url.indexOf('?')
    return queryOf(at < 0 ? '' : url.slice(at + 1))
  }
}

/** The same requests come again and again: what a short address says is worked out once. Nobody may change it. */
function remembered<T>(work: (text: string) => T): (text: string) => T {
  const known = createLru<string, { readonly value: T }>(REMEMBERED)
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found.value
    const value = Object.freeze(work(text))
    if (text.length <= REMEMBERED_LENGTH) known.set(text, { value })
    return value
  }
}

const REMEMBERED = 1000
const REMEMBERED_LENGTH = 500

function hasParameter(url: string, name: string): boolean {
  const at = url.indexOf('?')
  return at >= 0 && new URLSearchParams(url.slice(at + 1)).has(name)
}

/** A parameter `path` keeps the bytes of names that are not UTF-8. */
function readQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {}
  for (const pair of text.split('&')) {
    for (const [key, decoded] of new URLSearchParams(`&${pair}`)) {
      const value = key === 'path' && pair.includes('=') ? decodeQueryPath(pair.slice(pair.indexOf('=') + 1)) : decoded
      const before = Object.hasOwn(query, key) ? query[key] : undefined
      query[key] = before === undefined ? value : [before, value].flat()
    }
  }
  return query
}

async function readJson(
  schema: Exclude<Endpoint['body'], 'bytes' | undefined>,
  request: Request,
  limit = MAX_JSON_BODY_BYTES,
): Promise<unknown> {
  const text = await readText(request, limit)
  try {
    return check(schema, foldKeys(schema, JSON.parse(text)))
  } catch (error) {
    if (error instanceof SyntaxError) fail('invalid-input', { issues: ['body: not JSON'] }, { cause: error })
    throw error
  }
}

/** The body as text; fails with `too-large` as soon as it exceeds `limit` bytes, whatever its Content-Length. */
export async function readText(request: Request, limit: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) fail('too-large', { limit })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > limit) fail('too-large', { limit })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function check(schema: Endpoint['query'], value: unknown): unknown {
  if (schema === undefined) return {}
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return parsed.data
  return fail('invalid-input', { issues: parsed.error.issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}`) })
}

function reply(result: unknown): Response {
  if (result instanceof Response) return result
  if (result === undefined) return statusResponse(200)
  if (typeof result === 'string') return new Response(result, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
  return Response.json(result, { headers: { 'content-type': 'application/json; charset=utf-8' } })
}

async function replyLater(request: Request, result: Promise<unknown>, gesture: Gesture | undefined): Promise<Response> {
  const response = reply(await result)
  if (gesture?.hasChanged === true) response.headers.set(OPERATION_HEADER, gesture.group)
  if (request.method === 'HEAD') return response
  await whenBodyStarted(response)
  // The client has gone: the runtime would neither send the body nor end it.
  if (request.signal.aborted) void response.body?.cancel().catch(() => undefined)
  return response
}

function routeOf(path: string): string {
  return path.replace(/\*path$/, '*')
}

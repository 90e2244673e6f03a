import type { Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { BodyOf, Endpoint, HeadersOf, ParamsOf, QueryOf, ResultOf } from '../../shared/contract/endpoint.ts'
import { fail } from '../../shared/errors.ts'
import { decodeFilePath } from '../../shared/file-path.ts'
import { foldKeys } from '../../shared/fold-keys.ts'
import { MAX_JSON_BODY_BYTES } from '../../shared/limits.ts'
import type { Viewer } from '../access/viewer.ts'
import { begun } from './bytes.ts'
import { statusResponse } from './errors.ts'
import type { Upgrade } from './socket.ts'

/** Values on Hono's context: set by `authenticate`, `peer` by the listener. */
export interface Env {
  Bindings: { peer: string | null; secure?: boolean; trusted?: boolean; local?: boolean; upgrade?: Upgrade }
  /** `withheld`: a cookie came with the request but did not count. */
  Variables: { viewer: Viewer | null; reauthenticate?: Reauthenticate; path: string; cookiesCount?: boolean; withheld?: boolean }
}

/** The current viewer, for work that goes on after the response. Null if the session has ended. `passive`: the session does not count as used. */
export type Reauthenticate = (options?: { passive?: boolean }) => Promise<Viewer | null>

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

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<ResultOf<E> | Response>

/**
 * Serves one endpoint of the contract: checks access, parses all input, calls the handler with typed values, and responds. HEAD endpoints are
 * registered as GET, because Hono answers HEAD through GET.
 */
export function mount<E extends Endpoint>(app: Hono<Env>, endpoint: E, handler: Handler<E>): void {
  const methods = [endpoint.method, ...(endpoint.alsoMethods ?? [])].map((method) => (method === 'HEAD' ? 'GET' : method))
  const readParams = paramsReader(endpoint)
  app.on(methods, honoPath(endpoint.path), async (c, next) => {
    if (endpoint.accept !== undefined && !(c.req.header('accept') ?? '').includes(endpoint.accept)) return next()
    const viewer = admit(endpoint, c.get('viewer'), { withheld: c.get('withheld') === true })
    const call = {
      params: readParams(c),
      query: check(endpoint.query, readQuery(c.req.raw.url)),
      headers: endpoint.headers === undefined ? {} : check(endpoint.headers, c.req.header()),
      body: endpoint.body === undefined ? undefined : await readBody(endpoint.body, c.req.raw, endpoint.maxBodyBytes),
      viewer,
      reauthenticate: c.get('reauthenticate') ?? (async () => null),
      request: c.req.raw,
      peer: c.env.peer,
      secure: c.env.secure === true,
      local: c.env.local === true,
      upgrade: c.env.upgrade ?? null,
      trusted: c.env.trusted === true,
      cookiesCount: c.get('cookiesCount') ?? true,
    }
    // Proven by the five lines above: each part was parsed by the schema its type comes from.
    const response = reply(await handler(call as unknown as Call<E>))
    if (c.req.method === 'HEAD') return headOf(response)
    await begun(response)
    // The client has gone: the runtime would neither send the body nor end it.
    if (c.req.raw.signal.aborted) void response.body?.cancel().catch(() => undefined)
    return response
  })
}

/** For every address of the contract: other methods get 405 with the list of allowed ones. Call after the last mount. */
export function refuseOtherMethods(app: Hono<Env>, endpoints: readonly Endpoint[]): void {
  for (const [path, methods] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const served = methods.flatMap(({ method, alsoMethods = [] }) => [method, ...alsoMethods])
    const allow = [...new Set(served.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
    app.all(honoPath(path), () => fail('method-not-allowed', { allow }))
  }
}

/**
 * The path of a request as it was sent, percent-encodings untouched, without query. If a request has no valid host, the runtime returns the request
 * target, which begins with the path (A21).
 */
export function rawPath(url: string): string {
  const end = url.search(/[?#]/)
  const address = end < 0 ? url : url.slice(0, end)
  const start = address.startsWith('/') ? 0 : address.indexOf('/', address.indexOf('://') + 3)
  return start < 0 ? '/' : address.slice(start)
}

/**
 * The path of a call as the predecessor's server read it: an encoded slash is a slash, and several slashes are one. Everything else stays as it was
 * sent and is decoded once where it is read. Other paths are unchanged.
 */
export function callPath(path: string): string {
  if (!/^\/+(?:%2f)*api(?:\/|%2f)/i.test(path)) return path
  return path.replace(/(?:\/|%2f)+/gi, '/')
}

function admit(endpoint: Endpoint, viewer: Viewer | null, { withheld }: { withheld: boolean }): Viewer | null {
  const isHeldBack = viewer?.mustChangePassword === true && endpoint.beforeOwnPassword !== true
  if (endpoint.by === 'anyone') return isHeldBack ? null : viewer
  if (viewer === null) return withheld ? fail('forbidden', { right: 'origin' }) : fail('sign-in-needed', {})
  if (isHeldBack) fail('own-password-needed', {})
  if (endpoint.by === 'admin' && !viewer.access.may.admin) fail('forbidden', { right: 'admin' })
  for (const right of endpoint.needs) {
    if (viewer.access.may[right]) continue
    if (right === 'download') fail('download-refused', {})
    fail('forbidden', { right })
  }
  return viewer
}

function paramsReader({ path }: Endpoint): (c: Context<Env>) => unknown {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)
  // The tail starts after as many segments as the pattern has before it.
  const before = path.endsWith('/*path') ? path.split('/').length - 1 : null
  return (c) => {
    const named = Object.fromEntries(names.map((name) => [name, decodeName(c.req.param(name) ?? '')]))
    return before === null ? named : { ...named, ...decodeFilePath(`/${c.get('path').split('/').slice(before).join('/')}`) }
  }
}

function decodeName(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    return fail('invalid-input', { issues: ['path: malformed percent-encoding'] })
  }
}

function readQuery(url: string): Record<string, string | string[]> {
  const at = url.indexOf('?')
  const query: Record<string, string | string[]> = {}
  if (at < 0) return query
  for (const [key, value] of new URLSearchParams(url.slice(at + 1))) {
    const before = Object.hasOwn(query, key) ? query[key] : undefined
    query[key] = before === undefined ? value : [before, value].flat()
  }
  return query
}

async function readBody(schema: NonNullable<Endpoint['body']>, request: Request, limit = MAX_JSON_BODY_BYTES): Promise<unknown> {
  if (schema === 'bytes') return request.body
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

/** The response without its body; the body is cancelled, because it may hold files, programs, and a slot in a queue. */
function headOf(response: Response): Response {
  // Cancelled at once, but not awaited.
  void response.body?.cancel().catch(() => undefined)
  return new Response(null, response)
}

function honoPath(path: string): string {
  return path.replace(/\*path$/, '*')
}

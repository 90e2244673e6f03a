import type * as z from 'zod/mini'
import { type FilePath, encodeFilePath, encodeName } from '../file-path.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'

/** Who may call an endpoint. `anyone` needs no session; access to nodes is decided by the Drive. */
export type By = 'anyone' | 'user' | 'admin'

/** The eight rights that an account can have. */
export type Right = 'admin' | 'create' | 'delete' | 'download' | 'execute' | 'modify' | 'rename' | 'share'

type Schema = z.core.$ZodType

/** Types that a client may pass as the bytes of a body. */
export type OutgoingBytes = Blob | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string

/** One API call: access, address, input and output. Everything else is derived from it. */
export interface Endpoint {
  readonly by: By
  /** Rights without which this call is refused whatever its arguments; the access matrix is generated from them. */
  readonly needs: readonly Right[]
  readonly method: Method
  /** Accepted as well, as the predecessor did; not used by our clients. */
  readonly alsoMethods?: readonly Method[]
  /** Served also to a user who has yet to replace the password that the first start printed. */
  readonly beforeOwnPassword?: true
  /** Served also to a user who has yet to set up the second factor that is required. */
  readonly beforeSecondFactor?: true
  /** `:name` is one segment; a trailing `*path` is the rest, as a FilePath. */
  readonly path: string
  /** Only for requests whose Accept header names this media type; the same address without it is another endpoint. */
  readonly accept?: string
  /** Only for requests with this parameter in their query; the same address without it is another endpoint. */
  readonly withQuery?: string
  readonly query?: Schema
  readonly headers?: Schema
  /** A schema is JSON; `bytes` is the unread stream. */
  readonly body?: Schema | 'bytes'
  /** Of a JSON body; `MAX_JSON_BODY_BYTES` by default. */
  readonly maxBodyBytes?: number
  /** A schema is JSON; `response` is a Response with its own status and headers. */
  readonly result: Schema | 'text' | 'empty' | 'response'
}

type Details = Omit<Endpoint, 'by' | 'method' | 'path' | 'needs' | 'result'> & Partial<Pick<Endpoint, 'needs' | 'result'>>

/** Most calls need no particular right and return a `response`: these may be left out. */
const DEFAULTS = { needs: [], result: 'response' } as const

/** @param route method and path, such as `GET /api/shares` */
export function endpoint<const B extends By, M extends Method, P extends string, const D extends Details = Record<never, never>>(
  by: B,
  route: `${M} ${P}`,
  details?: D,
): { readonly by: B; readonly method: M; readonly path: P } & Omit<typeof DEFAULTS, keyof D> & D {
  const [method, path] = route.split(' ')
  // The two parts of the route, as its type says, and the defaults of what is left out.
  return { by, method, path, ...DEFAULTS, ...details } as ReturnType<typeof endpoint<B, M, P, D>>
}

export interface PathParam {
  path: FilePath
  /** Whether the address ended with a slash, which means a folder. */
  slash?: boolean
}

type Names<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never
type Tail<P extends string> = P extends `${string}*path` ? PathParam : unknown

export type ParamsOf<E extends Endpoint> = { [K in Names<E['path'] extends `${infer Head}/*path` ? Head : E['path']>]: string } & Tail<
  E['path']
>
export type QueryOf<E extends Endpoint> = E['query'] extends Schema ? z.output<E['query']> : Record<string, never>
export type QueryInput<E extends Endpoint> = E['query'] extends Schema ? z.input<E['query']> : Record<string, never>
export type HeadersOf<E extends Endpoint> = E['headers'] extends Schema ? z.output<E['headers']> : Record<string, never>
export type HeadersInput<E extends Endpoint> = E['headers'] extends Schema ? z.input<E['headers']> : Record<string, never>
export type BodyOf<E extends Endpoint> = E['body'] extends Schema
  ? z.output<E['body']>
  : E['body'] extends 'bytes'
    ? ReadableStream<Uint8Array> | null
    : undefined
export type BodyInput<E extends Endpoint> = E['body'] extends Schema
  ? z.input<E['body']>
  : E['body'] extends 'bytes'
    ? OutgoingBytes
    : undefined
export type ResultOf<E extends Endpoint> = E['result'] extends Schema
  ? z.output<E['result']>
  : E['result'] extends 'text'
    ? string
    : E['result'] extends 'response'
      ? Response
      : undefined

export interface Api {
  readonly [area: string]: { readonly [call: string]: Endpoint }
}

/**
 * The address of a call, without base URL. If a more specific route would match the first segment (a folder called `recursive`), its first letter is
 * percent-encoded: routes match the raw address and paths are decoded afterwards, so it reaches the general route and means the same file.
 */
export function href<E extends Endpoint>(call: E, args: { params: ParamsOf<E>; query?: QueryInput<E> }): string {
  // The schema of a query is that of an object.
  return hrefOf(call.path, { params: args.params, query: args.query as object | undefined })
}

/** The same for any call, by its `path`. */
export function hrefOf(pattern: string, args: { params: object; query?: object }): string {
  const params: Record<string, unknown> & { path?: FilePath; slash?: boolean } = { ...args.params }
  const path = pattern.replace(/\/\*path$|:(\w+)/g, (_, name: string | undefined) => {
    if (name !== undefined) return encodeName(String(params[name]))
    const tail = encodeFilePath(params.path ?? ('/' as FilePath)).replace(/^\/recursive(?=\/|$)/, '/%72ecursive')
    return params.slash && !tail.endsWith('/') ? `${tail}/` : tail
  })
  const query = new URLSearchParams()
  const unencodable: string[] = []
  for (const [key, value] of Object.entries(args.query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      // A name that is not UTF-8 keeps its bytes.
      if (key === 'path' && typeof one === 'string' && !one.isWellFormed()) unencodable.push(`path=${encodeName(one)}`)
      else if (one !== undefined && one !== null) query.append(key, String(one))
    }
  }
  const text = [query.toString(), ...unencodable].filter((part) => part !== '').join('&')
  return text === '' ? path : `${path}?${text}`
}

/** Every call of the tree, as `area.call` with its definition. */
export function endpointsOf(api: Api): { name: string; call: Endpoint }[] {
  return Object.entries(api).flatMap(([area, calls]) => Object.entries(calls).map(([name, call]) => ({ name: `${area}.${name}`, call })))
}

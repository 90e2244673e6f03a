import { AppError, type ErrorCode, type ErrorDetails } from '../errors.ts'
import { type Endpoint, hrefOf, type OutgoingBytes } from './endpoint.ts'
import { OPERATION_HEADER } from './operation-header.ts'

/** Sends a request: the web application uses fetch with the token, tests use `app.request`. */
export type Send = (address: string, init: RequestInit) => Promise<Response>

export interface CallOptions {
  signal?: AbortSignal
  /** The request is sent although the page is left; limited to 64 KiB (Fetch §HTTP-network-or-cache fetch). */
  keepalive?: boolean
  /** The gesture that the call belongs to: the value of OPERATION_HEADER. */
  operation?: string
  /** Of the request, besides those of the call: `Range`, or a condition. */
  headers?: Record<string, string>
}

/** The arguments of any call. */
export interface LooseArgs {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  headers?: Record<string, string | undefined>
  body?: unknown
}

/** What a client has to know of an endpoint; its schemas may be stand-ins. */
export type WireCall = Pick<Endpoint, 'method' | 'path' | 'accept'> & { readonly body?: unknown; readonly result: unknown }

/** Makes a call, and fails with the same AppError as the server. @param read what to make of JSON in an answer */
export async function invoke(
  call: WireCall,
  { send, read }: { send: Send; read: (json: unknown) => unknown },
  args: LooseArgs,
  { operation, headers: more = {}, ...options }: CallOptions = {},
): Promise<unknown> {
  const address = hrefOf(call.path, { params: args.params ?? {}, query: args.query })
  const headers = new Headers({ accept: call.accept === undefined ? 'application/json' : `${call.accept}, application/json;q=0.9` })
  for (const [name, value] of Object.entries({ ...args.headers, ...more })) if (value !== undefined) headers.set(name, value)
  if (operation !== undefined) headers.set(OPERATION_HEADER, operation)
  const body = call.body === 'bytes' ? (args.body as OutgoingBytes) : call.body === undefined ? undefined : JSON.stringify(args.body)
  if (body !== undefined && call.body !== 'bytes') headers.set('content-type', 'application/json')
  const response = await reach(() => send(address, { method: call.method, headers, body, ...options }))
  if (!response.ok || response.status === 202) throw await errorFrom(response)
  if (call.result === 'response') return response
  if (call.result === 'text') return response.text()
  if (call.result === 'empty') return void (await response.body?.cancel())
  return read(await response.json())
}

/** The error that an answer means; `unexpected` with its status if it is none of ours. */
export async function errorFrom(response: Response): Promise<AppError> {
  const failure: unknown = await response.json().catch(() => null)
  return isFailure(failure) ? new AppError(failure.code, failure.detail) : new AppError('unexpected', { incident: String(response.status) })
}

/** The server and this client use the same list of codes. */
function isFailure(value: unknown): value is { code: ErrorCode; detail: ErrorDetails[ErrorCode] } {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('detail' in value)) return false
  return typeof value.code === 'string' && typeof value.detail === 'object' && value.detail !== null && !Array.isArray(value.detail)
}

/** A request that never reached the server is `offline`; an aborted one stays an abort. */
async function reach(attempt: () => Promise<Response>): Promise<Response> {
  try {
    return await attempt()
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new AppError('offline', {}, { cause })
  }
}

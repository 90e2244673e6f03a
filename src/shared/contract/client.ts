import * as z from 'zod/mini'
import { AppError, type ErrorCode, type ErrorDetails } from '../errors.ts'
import {
  type Api,
  type BodyInput,
  type Endpoint,
  type HeadersInput,
  href,
  type OutgoingBytes,
  type ParamsOf,
  type QueryInput,
  type ResultOf,
} from './endpoint.ts'
import { OPERATION_HEADER } from './operation.ts'

/** Sends a request: the web application uses fetch with the token, tests use `app.request`. */
export type Send = (address: string, init: RequestInit) => Promise<Response>

type Need<Key extends string, T> = [T] extends [undefined]
  ? unknown
  : Record<string, never> extends T
    ? { [K in Key]?: T }
    : { [K in Key]: T }

export type Args<E extends Endpoint> = Need<'params', ParamsOf<E>> &
  Need<'query', QueryInput<E>> &
  Need<'headers', HeadersInput<E>> &
  Need<'body', BodyInput<E>>

export interface CallOptions {
  signal?: AbortSignal
  /** The request is sent although the page is left; limited to 64 KiB (Fetch §HTTP-network-or-cache fetch). */
  keepalive?: boolean
  /** The gesture that the call belongs to: the value of OPERATION_HEADER. */
  operation?: string
}

export type Client<A extends Api> = {
  readonly [Area in keyof A]: {
    readonly [Call in keyof A[Area]]: (args: Args<A[Area][Call]>, options?: CallOptions) => Promise<ResultOf<A[Area][Call]>>
  }
}

const Failure = z.object({ code: z.string(), detail: z.record(z.string(), z.unknown()) })

/** The contract as functions. A failed call throws the same AppError as the server. */
export function createClient<A extends Api>(api: A, send: Send): Client<A> {
  const areas = Object.entries(api).map(([area, calls]) => {
    const functions = Object.entries(calls).map(([name, call]) => [
      name,
      (args: LooseArgs, options?: CallOptions) => invoke(call, send, args, options),
    ])
    return [area, Object.fromEntries(functions)]
  })
  // Proven by the loop above: one function for each call, under the same names.
  return Object.fromEntries(areas) as Client<A>
}

export async function errorFrom(response: Response): Promise<AppError> {
  const parsed = Failure.safeParse(await response.json().catch(() => null))
  if (!parsed.success) return new AppError('unexpected', { incident: String(response.status) })
  // The server and this client use the same list of codes.
  const { code, detail } = parsed.data as { code: ErrorCode; detail: ErrorDetails[ErrorCode] }
  return new AppError(code, detail)
}

interface LooseArgs {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  headers?: Record<string, string | undefined>
  body?: unknown
}

async function invoke(call: Endpoint, send: Send, args: LooseArgs, { operation, ...options }: CallOptions = {}): Promise<unknown> {
  const address = href(call, { params: args.params ?? {}, query: args.query as QueryInput<Endpoint> })
  const headers = new Headers({ accept: call.accept === undefined ? 'application/json' : `${call.accept}, application/json;q=0.9` })
  for (const [name, value] of Object.entries(args.headers ?? {})) if (value !== undefined) headers.set(name, value)
  if (operation !== undefined) headers.set(OPERATION_HEADER, operation)
  const body = call.body === 'bytes' ? (args.body as OutgoingBytes) : call.body === undefined ? undefined : JSON.stringify(args.body)
  if (body !== undefined && call.body !== 'bytes') headers.set('content-type', 'application/json')
  const response = await reach(() => send(address, { method: call.method, headers, body, ...options }))
  if (!response.ok || response.status === 202) throw await errorFrom(response)
  if (call.result === 'response') return response
  if (call.result === 'text') return response.text()
  if (call.result === 'empty') return void (await response.body?.cancel())
  return z.parse(call.result, await response.json())
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

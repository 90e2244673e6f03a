import * as z from 'zod/mini'
import type { Api, BodyInput, Endpoint, HeadersInput, ParamsOf, QueryInput, ResultOf } from './endpoint.ts'
import { type CallOptions, invoke, type LooseArgs, type Send } from './invoke.ts'

type Need<Key extends string, T> = [T] extends [undefined]
  ? unknown
  : Record<string, never> extends T
    ? { [K in Key]?: T }
    : { [K in Key]: T }

export type Args<E extends Endpoint> = Need<'params', ParamsOf<E>> &
  Need<'query', QueryInput<E>> &
  Need<'headers', HeadersInput<E>> &
  Need<'body', BodyInput<E>>

export type Client<A extends Api> = {
  readonly [Area in keyof A]: {
    readonly [Call in keyof A[Area]]: (args: Args<A[Area][Call]>, options?: CallOptions) => Promise<ResultOf<A[Area][Call]>>
  }
}

/** The contract as functions. A failed call throws the same AppError as the server. */
export function createClient<A extends Api>(api: A, send: Send): Client<A> {
  const areas = Object.entries(api).map(([area, calls]) => {
    const functions = Object.entries(calls).map(([name, call]) => [
      name,
      (args: LooseArgs, options?: CallOptions) => invoke(call, { send, read: (json) => parsed(call, json) }, args, options),
    ])
    return [area, Object.fromEntries(functions)]
  })
  // Proven by the loop above: one function for each call, under the same names.
  return Object.fromEntries(areas) as Client<A>
}

function parsed({ result }: Endpoint, json: unknown): unknown {
  return typeof result === 'string' ? json : z.parse(result, json)
}

import { type CallOptions, invoke, type LooseArgs, type WireCall } from '../shared/contract/invoke.ts'
import { parseFilePath } from '../shared/file-path.ts'
import type { ConnectOptions } from './connect-options.ts'
import type { Satchel } from './satchel.ts'

export type Calls = Readonly<Record<string, Readonly<Record<string, WireCall>>>>

/** The calls of a server as functions. Nothing is asked until one is called. @param calls every call of the contract, without its schemas */
export function connectWith(calls: Calls, options: ConnectOptions): Satchel {
  const wire = { send: (path: string, init: RequestInit) => send(options, path, init), read: (json: unknown) => json }
  const areas = Object.entries(calls).map(([area, all]) => {
    const functions = Object.entries(all).map(([name, call]) => [
      name,
      async (args: LooseArgs = {}, how?: CallOptions) => invoke(call, wire, withFilePath(args), how),
    ])
    return [area, Object.fromEntries(functions)]
  })
  // Proven by the loop above: one function for each call, under the same names.
  return Object.fromEntries(areas) as Satchel
}

/** Paths are texts here; a final slash means a folder. */
function withFilePath(args: LooseArgs): LooseArgs {
  const path = args.params?.path
  if (typeof path !== 'string') return args
  return { ...args, params: { slash: path.endsWith('/'), ...args.params, path: parseFilePath(path) } }
}

async function send(
  { address, token, cookie, fetch: fetchWith = fetch }: ConnectOptions,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const headers = new Headers(init.headers)
  const secret = typeof token === 'function' ? await token() : token
  if (secret !== undefined && secret !== '') headers.set('x-auth', secret)
  if (cookie !== undefined) headers.set('cookie', cookie)
  // A stream as a body needs it (Fetch standard); types of some runtimes lack the field.
  const streamed = init.body instanceof ReadableStream ? { duplex: 'half' as const } : {}
  return fetchWith(address.replace(/\/+$/, '') + path, { ...init, ...streamed, headers, credentials: 'same-origin' })
}

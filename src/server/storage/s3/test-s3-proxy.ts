import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'

/** What becomes of a request. `after`: the work is done, and the answer is an error. `cut`: the body of the answer ends after half of it. */
export type Fault =
  | { readonly kind: 'refuse'; readonly status: number; readonly code: string; readonly retryAfter?: number }
  | { readonly kind: 'after'; readonly status: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'hang'; readonly ms: number }
  | { readonly kind: 'ignore conditions' }

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
}

export interface FaultProxy {
  readonly endpoint: string
  /** Decides for each request from now on; null passes it on. */
  setFault(next: (request: SeenRequest) => Fault | null): void
  /** Methods of all requests since the last call, such as `PUT` or `GET list`. */
  seen(): string[]
  stop(): Promise<void>
}

/** Between an S3 storage and its service. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let faultFor: (request: SeenRequest) => Fault | null = () => null
  let seen: string[] = []

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray())
    const url = incoming.url ?? '/'
    const { pathname, searchParams: query } = new URL(url, target)
    const headers = new Headers(Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]))
    headers.delete('connection')
    const request: SeenRequest = { method: incoming.method ?? '', path: decodeURIComponent(pathname), query, headers }
    seen.push(nameOf(request))
    const fault = faultFor(request)
    if (fault?.kind === 'refuse') {
      const waiting: Record<string, string> = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }
      outgoing.writeHead(fault.status, waiting).end(`<Error><Code>${fault.code}</Code></Error>`)
      return
    }
    if (fault?.kind === 'hang') await Bun.sleep(fault.ms)
    if (fault?.kind === 'ignore conditions') headers.delete('if-none-match')
    const mayHaveBody = request.method !== 'GET' && request.method !== 'HEAD'
    const response = await fetch(target + url, {
      method: request.method,
      headers,
      redirect: 'manual',
      decompress: false,
      ...(mayHaveBody && { body }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (fault?.kind === 'after') {
      outgoing.writeHead(fault.status).end('<Error><Code>InternalError</Code></Error>')
      return
    }
    outgoing.writeHead(response.status, Object.fromEntries([...response.headers].filter(([name]) => !CONNECTION.has(name))))
    if (fault?.kind !== 'cut') outgoing.end(bytes)
    else outgoing.write(bytes.subarray(0, bytes.length / 2), () => setTimeout(() => outgoing.destroy(), CUT_AFTER_MS))
  }

  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing).catch(() => outgoing.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    setFault: (next) => void (faultFor = next),
    seen() {
      const all = seen
      seen = []
      return all
    },
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const CONNECTION = new Set(['connection', 'transfer-encoding', 'keep-alive'])
const CUT_AFTER_MS = 20

/** The kind of a request, as it is billed. */
function nameOf({ method, headers, path, query }: SeenRequest): string {
  if (method === 'GET' && path.endsWith('/bucket/')) return query.has('uploads') ? 'LIST uploads' : 'LIST'
  if (method === 'GET' && query.has('uploadId')) return 'LIST parts'
  if (method === 'PUT' && query.has('partNumber')) return headers.has('x-amz-copy-source') ? 'COPY part' : 'PUT part'
  if (method === 'PUT' && headers.has('x-amz-copy-source')) return 'COPY'
  if (method === 'POST' && query.has('delete')) return 'DELETE many'
  if (method === 'POST') return query.has('uploads') ? 'POST begin' : 'POST complete'
  return method
}

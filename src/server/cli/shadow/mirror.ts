import { ConfigError } from '../../config/config-error.ts'
import type { SeenRequest } from './requests.ts'

/** More waiting requests are dropped: the comparison must not hold up the proxy. */
const MOST_WAITING = 1000

/**
 * Requests that a proxy mirrors, until the program is interrupted. Each is answered at once; only its method, address and range are used, never the
 * credentials of the person.
 * @param address such as `127.0.0.1:9090`
 */
export async function* receiveMirrored(address: string, say: (line: string) => void): AsyncGenerator<SeenRequest> {
  const { hostname, port } = placeOf(address)
  const waiting: SeenRequest[] = []
  let wake = (): void => {}
  const over = new AbortController()
  const end = (): void => {
    over.abort()
    wake()
  }
  const server = Bun.serve({
    hostname,
    port,
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      if (waiting.length < MOST_WAITING)
        waiting.push({ method: request.method, target: pathname + search, range: request.headers.get('range') })
      wake()
      return new Response(null, { status: 204 })
    },
  })
  process.once('SIGINT', end).once('SIGTERM', end)
  say(`takes mirrored requests at ${hostname}:${server.port}; Ctrl+C ends with the report`)
  try {
    while (!over.signal.aborted) {
      const next = waiting.shift()
      if (next !== undefined) yield next
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end)
    await server.stop(true)
  }
}

function placeOf(address: string): { hostname: string; port: number } {
  const [, hostname = '', port = ''] = /^(.+):(\d{1,5})$/.exec(address) ?? []
  if (hostname === '' || Number(port) > 65_535) throw new ConfigError(`--listen ${address}: an address and a port, such as 127.0.0.1:9090`)
  return { hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
}

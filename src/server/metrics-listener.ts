import { ConfigError } from './config/config-error.ts'
import type { Endpoint } from './config/kinds.ts'
import { rawPath } from './http/router.ts'
import { OPENMETRICS } from './metrics/exposition.ts'

export type MetricsListener = ReturnType<typeof listenForMetrics>

/** Serves only `/metrics`, on its own address; the public one never does. Throws `ConfigError` if the address is in use. */
export function listenForMetrics({ host, port }: Endpoint, render: () => Promise<string>) {
  try {
    const server = Bun.serve({
      hostname: host,
      port,
      reusePort: false,
      development: false,
      async fetch(request) {
        if (rawPath(request.url) !== '/metrics') return new Response('404 Not Found\n', { status: 404 })
        if (!['GET', 'HEAD'].includes(request.method)) return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
        return new Response(await render(), { headers: { 'content-type': OPENMETRICS, 'cache-control': 'no-store' } })
      },
      error: () => new Response('500 Internal Server Error\n', { status: 500 }),
    })
    return {
      /** The address as one would type it. */
      url: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}/metrics`,
      stop: () => server.stop(true),
    }
  } catch (error) {
    throw new ConfigError(`--metricsAddress ${host}:${port} cannot be listened on; choose another`, { cause: error })
  }
}

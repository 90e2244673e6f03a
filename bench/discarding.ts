/** A server of the runtime that receives bodies and throws them away: no server on it receives faster. Says where it listens, as ours does. */
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  async fetch(request) {
    const reader = request.body?.getReader()
    for (;;) if ((await reader?.read())?.done !== false) break
    return new Response(null, { status: 204 })
  },
})
console.log(`at http://${server.hostname}:${server.port}/`)

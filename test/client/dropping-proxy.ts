import { connect, createServer, type Socket } from 'node:net'

export interface DroppingProxy {
  readonly url: string
  /** Connections that were cut. */
  readonly cut: () => number
  close(): void
}

/** Passes connections on to a server, and cuts the first ones in the middle: each after so many bytes, in either direction. */
export async function startDroppingProxy(target: string, afterBytes: readonly number[]): Promise<DroppingProxy> {
  const { hostname, port } = new URL(target)
  const limits = [...afterBytes]
  const sockets = new Set<Socket>()
  let cut = 0
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let passed = 0
    const pass = (to: Socket) => (bytes: Buffer) => {
      passed += bytes.length
      if (limits[0] !== undefined && passed > limits[0]) {
        limits.shift()
        cut += 1
        client.destroy()
        upstream.destroy()
      } else to.write(bytes)
    }
    client.on('data', pass(upstream))
    upstream.on('data', pass(client))
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut: () => cut,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

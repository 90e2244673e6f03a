import { closeSync, openSync, readSync } from 'node:fs'

const BUFFER_BYTES = 1024 * 1024

/** As the page's code reads it. */
export interface Answer {
  readonly status: number
  header(name: string): string | null
  text(): string
}

/** A part of a file as the body of a request. */
export interface FileRequest {
  readonly method: string
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly path: string
  readonly from: number
  readonly to: number
}

/**
 * Sends a part of a file as browsers do: reads it and writes it to the connection. `fetch` would use sendfile, which takes a third longer for this over
 * the loopback device (docs/performance.md), so that it would be measured instead of the server.
 */
export async function sendFilePart({ method, address, headers, path, from, to }: FileRequest): Promise<Answer> {
  const { hostname, port, pathname, search, host } = new URL(address)
  const all = { ...headers, host, connection: 'close', 'content-length': String(to - from) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const buffer = new Uint8Array(BUFFER_BYTES)
  const file = openSync(path, 'r')
  const answered = Promise.withResolvers<string>()
  let text = ''
  let at = from
  let pending: Uint8Array = new TextEncoder().encode(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`)

  function pump(socket: Bun.Socket): void {
    for (;;) {
      pending = pending.subarray(socket.write(pending))
      if (pending.length > 0 || at === to) return
      const count = readSync(file, buffer, 0, Math.min(buffer.length, to - at), at)
      if (count === 0) throw new Error(`${path} is shorter than ${to}`)
      at += count
      pending = buffer.subarray(0, count)
    }
  }

  try {
    await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open: pump,
        drain: pump,
        data: (_, bytes) => void (text += bytes.toString()),
        close: () => answered.resolve(text),
        error: (_, error) => answered.reject(error),
      },
    })
    return parsed(await answered.promise)
  } finally {
    closeSync(file)
  }
}

function parsed(response: string): Answer {
  const [head = '', body = ''] = response.split('\r\n\r\n', 2)
  const [status = '', ...fields] = head.split('\r\n')
  const headers = new Map(
    fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 1).trim()]),
  )
  return { status: Number(status.split(' ')[1]), header: (name) => headers.get(name.toLowerCase()) ?? null, text: () => body }
}

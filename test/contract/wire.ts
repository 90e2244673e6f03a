import { connect } from 'node:net'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  /** Everything that came, as latin1. */
  readonly text: string
}

/** One request, byte by byte as given, on a connection of its own. No header is added but Connection. */
export async function speak(port: number, line: string, { headers = {}, body = '' }: Spoken = {}): Promise<Reply> {
  const lines = [
    `${line} HTTP/1.1`,
    'Host: satchel.test',
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  if (body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  return readReply(await exchange(port, Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1')))
}

export interface Spoken {
  headers?: Record<string, string>
  body?: string
}

/** Sends bytes and reads until the other end closes. */
export function exchange(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.setTimeout(60_000, () => socket.destroy(new Error('no answer within 60 s')))
    socket.on('data', (chunk) => void chunks.push(Buffer.from(chunk)))
    socket.once('error', reject)
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
    socket.write(bytes)
  })
}

export function readReply(text: string): Reply {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Headers()
  for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim())
  return { status: Number(first.split(' ')[1]), headers, body: rest.join('\r\n\r\n'), text }
}

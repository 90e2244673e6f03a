import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Target } from './reach.ts'

/** Maximum size of the response head; the rest is never read. */
const MAX_HEAD_BYTES = 16 * 1024
const CONTINUE = /^HTTP\/1\.[01] 1\d\d [^]*?\r\n\r\n/
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})[ \r]/

/**
 * Sends one request to the exact address of the target and waits only for the status (RFC 9112): no redirects, no body. The hostname is used for the
 * certificate only. Fails with the connection's error, and when `signal` is aborted.
 * @param headers names in lower case; must not contain line ends
 */
export async function post(
  target: Target,
  { headers, body, signal }: { headers: Readonly<Record<string, string>>; body: string; signal: AbortSignal },
): Promise<number> {
  signal.throwIfAborted()
  const { address: host, port, tls, hostname } = target
  const socket = tls
    ? connectTls({ host, port, ...(/[a-z]/i.test(hostname) && !hostname.includes(':') && { servername: hostname }) })
    : connect({ host, port })
  const abort = (): void => void socket.destroy(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await exchange(socket, tls ? 'secureConnect' : 'connect', requestText(target, headers, body))
  } finally {
    signal.removeEventListener('abort', abort)
    socket.destroy()
  }
}

function exchange(socket: Socket, ready: 'connect' | 'secureConnect', request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = ''
    socket.once(ready, () => socket.write(request))
    socket.on('data', (bytes: Uint8Array) => {
      head = (head + Buffer.from(bytes).toString('latin1')).replace(CONTINUE, '')
      const status = STATUS_LINE.exec(head)
      if (status !== null && !(status[1] ?? '').startsWith('1')) resolve(Number(status[1]))
      else if (head.length > MAX_HEAD_BYTES || (head.includes('\n') && status === null)) reject(new Error('the answer is not HTTP'))
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection ended without an answer')))
  })
}

function requestText({ path, host }: Target, headers: Readonly<Record<string, string>>, body: string): string {
  const all = { host, connection: 'close', 'content-length': String(Buffer.byteLength(body)), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

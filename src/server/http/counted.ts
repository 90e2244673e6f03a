import { STATUS_CODES } from 'node:http'
import { type FilePart, readPart } from '../../shared/file-part.ts'
import { type CountedBody, countedBodyOf } from './bytes.ts'
import { type Connection, holdConnection, type SocketAddress } from './connection.ts'

/** Shorter responses come from memory, and the runtime sends their length. */
const WORTH_BYTES = 1024 * 1024
/** How long the runtime may take to notice that a connection has ended. */
const FAREWELL_MS = 1000
/** Bytes per sendfile call; others get a turn in between. */
const SENT_AT_ONCE = 1024 * 1024
/** Bytes read and written at a time when the kernel has no room. */
const READ_AT_ONCE = 64 * 1024

export interface CountedOptions {
  readonly peer: SocketAddress | null
  /** Our port of the connection. */
  readonly port: number
  /** Seconds without progress after which the client counts as gone. */
  readonly quietSeconds: number
}

/**
 * Sends a streamed response of known length with its Content-Length, which Bun 1.4 drops (oven-sh/bun#10507, docs/decisions/007): we write head and
 * body to the connection ourselves, as HTTP/1.1 with `Connection: close`, while the runtime waits for a response that it never has to send. Plain TCP
 * only.
 * @returns null, without any effect, for every other response; otherwise a promise that resolves when the connection has ended
 */
export function sendCounted(request: Request, response: Response, { peer, port, quietSeconds }: CountedOptions): Promise<void> | null {
  const body = countedBodyOf(response)
  if (body === null || peer === null || body.length < WORTH_BYTES || request.signal.aborted) return null
  const connection = holdConnection(peer, port)
  if (connection === null) return null
  return send(connection, request, response, { body, quietSeconds })
}

async function send(
  connection: Connection,
  request: Request,
  response: Response,
  { body, quietSeconds }: { body: CountedBody; quietSeconds: number },
): Promise<void> {
  const gone = new Promise<void>((resolve) => request.signal.addEventListener('abort', () => resolve(), { once: true }))
  const writer = await openWriter(connection, quietSeconds)
  // Ends the wait for the client or the disk when the client disconnects.
  void gone.then(() => writer.end())
  void gone.then(body.close)
  try {
    await writer.write(headOf(response))
    let left = body.length
    for await (const part of body.parts) {
      left -= part instanceof Uint8Array ? part.length : part.end - part.start
      // Fewer or more bytes than announced: the client must not take it for complete.
      if (left < 0) break
      await (part instanceof Uint8Array ? writer.write(part) : sendPart(writer, part))
    }
  } catch {
    // The client is gone, or the source failed: in either case the connection ends before its time.
  } finally {
    await body.close()
    writer.end()
    await Promise.race([gone, Bun.sleep(FAREWELL_MS)])
  }
}

/** Through the kernel as long as it has room; if not, a small write waits for room. */
async function sendPart(writer: Writer, part: FilePart): Promise<void> {
  for (let at = part.start; at < part.end;) {
    const sent = writer.sendFile(part.descriptor, at, Math.min(SENT_AT_ONCE, part.end - at))
    if (sent > 0) {
      at += sent
      await new Promise<void>((resolve) => void setImmediate(resolve))
      continue
    }
    const bytes = await readPart(part, at, READ_AT_ONCE)
    await writer.write(bytes)
    at += bytes.length
  }
}

interface Writer extends Pick<Connection, 'sendFile'> {
  /** Resolves when the kernel has taken it; rejects when the connection has ended. */
  write(bytes: Uint8Array): Promise<void>
  /** What was written before still arrives. */
  end(): void
}

/** Takes over the descriptor of the connection. */
async function openWriter(connection: Connection, quietSeconds: number): Promise<Writer> {
  // After that, the number may belong to another connection.
  let closed = false
  let wake = (): void => undefined
  const ended = (): void => {
    closed = true
    wake()
  }
  // The types do not know `fd`, which net.Socket is made with.
  const place = { fd: connection.fd } as unknown as { unix: string }
  const socket = await Bun.connect({
    ...place,
    socket: {
      // Read by the runtime, which holds the connection too.
      data: () => undefined,
      drain: () => wake(),
      timeout: end,
      close: ended,
      error: ended,
    },
  })
  socket.pause()
  socket.timeout(quietSeconds)

  function end(): void {
    if (closed) return
    // For the runtime too, which holds it as well.
    connection.shutDown()
    ended()
    // Not `terminate`: it resets the connection and discards what the client has not read yet.
    socket.end()
  }

  /** Restarts the idle timeout when the client has taken bytes, which the runtime does not do. @returns how many */
  function moved(bytes: number): number {
    if (bytes <= 0) return 0
    socket.timeout(quietSeconds)
    return bytes
  }

  function expectOpen(): void {
    if (closed) throw new Error('the client has left')
  }

  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length;) {
        expectOpen()
        const room = new Promise<void>((resolve) => (wake = resolve))
        at += moved(socket.write(bytes.subarray(at)))
        if (at < bytes.length && !closed) await room
      }
    },
    sendFile(descriptor, start, length) {
      expectOpen()
      return moved(connection.sendFile(descriptor, start, length))
    },
    end,
  }
}

/** Header values are bytes, one per character. */
function headOf({ status, headers }: Response): Uint8Array {
  const lines = [...headers].filter(([name]) => name !== 'connection').map(([name, value]) => `${writtenName(name)}: ${value}`)
  const own = [`Date: ${new Date().toUTCString()}`, 'Connection: close']
  return Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${[...lines, ...own].join('\r\n')}\r\n\r\n`, 'latin1')
}

/** `Headers` tells names in lower case; here too they leave as the protocols write them (decision 035). */
function writtenName(name: string): string {
  return name === 'etag' ? 'ETag' : name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase())
}

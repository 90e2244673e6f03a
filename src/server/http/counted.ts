import { STATUS_CODES } from 'node:http'
import { lengthOf } from './bytes.ts'
import { type Connection, holdConnection, type SocketAddress } from './connection.ts'

/** Shorter answers come from memory, and the runtime tells their length. */
const WORTH_BYTES = 1024 * 1024
/** How long the runtime may take to see that a connection has ended. */
const FAREWELL_MS = 1000

export interface CountedOptions {
  readonly peer: SocketAddress | null
  /** Ours, where the connection came in. */
  readonly port: number
  /** Seconds without a byte taken, after which the client is taken for gone. */
  readonly quietSeconds: number
}

/**
 * Sends a streamed answer whose length is known with its Content-Length, which Bun 1.4 takes away (oven-sh/bun#10507, docs/decisions/007): head and
 * body are written to the connection by ourselves, as HTTP/1.1 with `Connection: close`, while the runtime waits for an answer that it never has
 * to send. Plain TCP only.
 * @returns null, with nothing done, for every other answer; else a promise of the time when the connection has ended
 */
export function sendCounted(request: Request, response: Response, { peer, port, quietSeconds }: CountedOptions): Promise<void> | null {
  const length = lengthOf(response) ?? 0
  if (peer === null || length < WORTH_BYTES || request.signal.aborted) return null
  const connection = holdConnection(peer, port)
  if (connection === null) return null
  return send(connection, request, response, { length, quietSeconds })
}

async function send(
  connection: Connection,
  request: Request,
  response: Response,
  { length, quietSeconds }: { length: number; quietSeconds: number },
): Promise<void> {
  const body = (response.body ?? new Blob([]).stream()).getReader()
  const gone = new Promise<void>((resolve) => request.signal.addEventListener('abort', () => resolve(), { once: true }))
  const writer = await openWriter(connection.fd, quietSeconds)
  // Whoever waits for the client or for the disk hears of its leaving.
  void gone.then(() => writer.end())
  try {
    await writer.write(headOf(response))
    for (let left = length; left > 0;) {
      const { value, done } = await body.read()
      // Fewer or more bytes than were told: the client shall not take it for whole.
      if (done || value.length > left) break
      await writer.write(value)
      left -= value.length
    }
    await body.cancel()
  } catch (error) {
    // The client is gone, or the source failed: in either case the connection ends before its time.
    await body.cancel(error).catch(() => undefined)
  } finally {
    connection.shutDown()
    writer.end()
    await Promise.race([gone, Bun.sleep(FAREWELL_MS)])
  }
}

interface Writer {
  /** Resolves when the kernel has taken it; rejects when the connection is no more. */
  write(bytes: Uint8Array): Promise<void>
  end(): void
}

async function openWriter(fd: number, quietSeconds: number): Promise<Writer> {
  let closed = false
  let wake = (): void => undefined
  const end = (): void => {
    closed = true
    wake()
  }
  // The types do not know `fd`, which net.Socket is made with.
  const place = { fd } as unknown as { unix: string }
  const socket = await Bun.connect({
    ...place,
    socket: {
      open: (own) => own.timeout(quietSeconds),
      // Read by the runtime, which holds the connection too.
      data: () => undefined,
      drain: () => wake(),
      timeout: end,
      close: end,
      error: end,
    },
  })
  socket.pause()
  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length;) {
        if (closed) throw new Error('the client has left')
        const room = new Promise<void>((resolve) => (wake = resolve))
        at += Math.max(0, socket.write(bytes.subarray(at)))
        if (at < bytes.length && !closed) await room
      }
    },
    end() {
      end()
      // Not `terminate`: that resets the connection, and takes away what the client has not read yet.
      socket.end()
    },
  }
}

/** Header values are bytes, one for each character. */
function headOf({ status, headers }: Response): Uint8Array {
  const lines = [...headers].filter(([name]) => name !== 'connection').map(([name, value]) => `${name}: ${value}`)
  const own = [`date: ${new Date().toUTCString()}`, 'connection: close']
  return Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${[...lines, ...own].join('\r\n')}\r\n\r\n`, 'latin1')
}

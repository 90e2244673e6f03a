import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'

/** A raw connection: sends bytes unchanged, and reads only on request. */
export interface RawConnection extends Disposable {
  write(text: string | Uint8Array): void
  /** What came so far, from its start, as soon as there are so many bytes; all there is when the other end closes before. */
  read(bytes: number): Promise<Buffer>
  /** Everything until the other end closes. */
  rest(): Promise<Buffer>
}

const TIMEOUT_MS = 60_000

export async function openConnection(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  await once(socket, 'connect')
  const state = { came: Buffer.alloc(0), closed: false }
  let wake = (): void => undefined
  socket.on('data', (chunk) => {
    state.came = Buffer.concat([state.came, Buffer.from(chunk)])
    wake()
  })
  socket.on('close', () => {
    state.closed = true
    wake()
  })

  async function read(bytes: number): Promise<Buffer> {
    socket.resume()
    const end = Date.now() + TIMEOUT_MS
    while (state.came.length < bytes && !state.closed) {
      if (Date.now() > end)
        throw new Error(`${state.came.length} of ${bytes} bytes came: ${state.came.subarray(0, 200).toString('latin1')}`)
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, 100)
      })
    }
    socket.pause()
    return state.came
  }

  return {
    write: (text) => void socket.write(text),
    read,
    rest: () => read(Number.POSITIVE_INFINITY),
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

/** Open descriptors of this process, ours and the server's. */
export function openFiles(): number {
  return readdirSync('/proc/self/fd').length
}

/** Waits until it holds; what it last was when it never does. */
export async function eventually<T>(look: () => T | Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const end = Date.now() + TIMEOUT_MS
  for (;;) {
    const value = await look()
    if (holds(value) || Date.now() > end) return value
    await Bun.sleep(20)
  }
}

import { closeSync, constants, openSync, read } from 'node:fs'
import { promisify } from 'node:util'
import { fail } from '../../shared/errors.ts'
import { isOpenHere, statOpen } from './nodes.ts'
import type { OpenFile } from './storage.ts'
import { entry, type Folder, folder, OPEN_NODE, self } from './walk.ts'

const CHUNK_BYTES = 256 * 1024
const readAt = promisify(read)

/** Opens a regular file for reading and nothing else: a pipe or device is looked at, but never opened. */
export function openRegular(parent: Folder, name: string): number {
  using node = folder(openSync(entry(parent, name), OPEN_NODE))
  if (statOpen(node.fd).kind !== 'file') fail('not-found', {})
  return openSync(self(node.fd), constants.O_RDONLY | constants.O_NONBLOCK)
}

/** Takes over the descriptor, also when it fails. @param look for tests */
export function holdOpen(fd: number, look: typeof statOpen = statOpen): OpenFile {
  const stat = closedOnFailure(fd, () => look(fd))
  let readers = 0
  let closed = false

  // A number that is closed may be another file's the next moment: it is let go of only when nobody reads.
  async function bytesAt(start: number, length: number): Promise<Uint8Array> {
    if (closed) throw new Error('a file was read after it was closed')
    readers++
    try {
      return await fill(fd, start, length)
    } finally {
      if (--readers === 0 && closed) closeSync(fd)
    }
  }

  async function close(): Promise<void> {
    if (closed) return
    closed = true
    // A Response made of a slice is opened by the server after its handler returned, so the number must outlive that.
    if (readers === 0) setImmediate(() => closeSync(fd))
  }

  return {
    stat,
    descriptor: fd,
    slice: (start, end) => Bun.file(self(fd)).slice(Math.min(start, stat.size), Math.min(end, stat.size)),
    stream(start, end) {
      let at = start
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const bytes = await bytesAt(at, Math.min(CHUNK_BYTES, end - at))
            at += bytes.length
            if (bytes.length > 0) controller.enqueue(bytes)
            if (bytes.length === 0 || at >= end) controller.close()
          },
        },
        { highWaterMark: 1 },
      )
    },
    peek: bytesAt,
    close,
    isHeld: () => isOpenHere(stat),
    [Symbol.asyncDispose]: close,
  }
}

/** A descriptor that was just opened is nobody's yet: should what comes next fail, it is closed. */
function closedOnFailure<T>(fd: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** As much of `length` as there is. */
async function fill(fd: number, start: number, length: number): Promise<Uint8Array> {
  if (length <= 0) return new Uint8Array(0)
  // Filled before anybody sees it: zeros would cost a third of the reading.
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
  for (let got = 0; ;) {
    const { bytesRead } = await readAt(fd, bytes, got, length - got, start + got)
    got += bytesRead
    if (bytesRead === 0 || got === length) return bytes.subarray(0, got)
  }
}

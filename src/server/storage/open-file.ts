import { constants, openSync } from 'node:fs'
import type { DiskIo, IoOfDisk } from './disk-io.ts'
import { libc } from './libc.ts'
import { isOpenHere, nodeOf, statOpen } from './nodes.ts'
import type { OpenFile, Stat } from './storage.ts'
import { entryPath, type Folder, folderHandle, OPEN_NODE, descriptorPath } from './proc-paths.ts'

const CHUNK_BYTES = 256 * 1024
/** Whether a slice is still being sent is checked only for slices of this size or more: shorter ones are sent before the question arises. */
const LONG_BYTES = 4 * 1024 * 1024
/** The buffer of `readNow`: one per small file would be most of the garbage. */
const shared = new Uint8Array(64 * 1024)

/** Opens a regular file for reading. A pipe or device is inspected but never opened. @param look for tests */
export function openRegular(parent: Folder, name: string, look: typeof statOpen = statOpen): { fd: number; stat: Stat } {
  using node = openNode(parent, name)
  const stat = look(node.fd)
  if (stat.kind !== 'file') throw Object.assign(new Error('not a regular file'), { code: 'ENOENT' })
  return { fd: openAgain(node), stat }
}

function openAgain(node: Folder): number {
  const fd = libc()?.openAgain(node.fd) ?? -1
  return fd >= 0 ? fd : openSync(descriptorPath(node.fd), constants.O_RDONLY | constants.O_NONBLOCK)
}

function openNode(parent: Folder, name: string): Folder {
  const fd = libc()?.openBeneath(parent.fd, name, { flags: OPEN_NODE, stay: false }) ?? -1
  // For kernels without the call, and for the reason of a failure.
  return folderHandle(fd >= 0 ? fd : openSync(entryPath(parent, name), OPEN_NODE))
}

/** Takes over the descriptor. @param executor the one that opened it, and reads it */
export function holdOpen({ fd, stat }: { fd: number; stat: Stat }, executor: IoOfDisk): OpenFile {
  const { io } = executor
  let readers = 0
  let closed = false
  let isSliced = false

  // The number of a closed descriptor is reused, so it is closed only when no read is running.
  async function bytesAt(start: number, length: number): Promise<Uint8Array> {
    if (closed) throw new Error('a file was read after it was closed')
    readers++
    try {
      return await fill(io, fd, { start, length })
    } finally {
      if (--readers === 0 && closed) void io.close(fd)
    }
  }

  async function close(): Promise<void> {
    if (closed) return
    closed = true
    if (readers > 0) return
    // The server opens a slice in a Response after its handler returned, so the descriptor must stay open until then.
    if (isSliced) setImmediate(() => void io.close(fd))
    else void io.close(fd)
  }

  let node: string | null = null
  const atOnce: Pick<OpenFile, 'slice' | 'readNow' | 'isHeld'> = {
    slice(start, end) {
      isSliced = true
      // Must happen before the descriptor is closed.
      if (end - start >= LONG_BYTES) node ??= nodeOf(fd)
      return Bun.file(descriptorPath(fd)).slice(Math.min(start, stat.size), Math.min(end, stat.size))
    },
    readNow(start, end) {
      if (end - start > shared.length) return null
      const bytes = shared.subarray(0, end - start)
      return !closed && libc()?.readNow(fd, bytes, start) === true ? bytes : null
    },
    isHeld: () => node !== null && isOpenHere(node),
  }

  return {
    stat,
    descriptor: fd,
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
    ...(executor.isThreaded() ? { readNow: () => null } : atOnce),
    [Symbol.asyncDispose]: close,
  }
}

/** Reads `length` bytes, or fewer at the end of the file. */
async function fill(io: DiskIo, fd: number, { start, length }: { start: number; length: number }): Promise<Uint8Array> {
  if (length <= 0) return new Uint8Array(0)
  // Only the filled part is returned; zeroing the buffer would take a third of the reading time.
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
  for (let got = 0; ;) {
    const more = await io.read(fd, bytes.subarray(got), start + got)
    got += more
    if (more === 0 || got === length) return bytes.subarray(0, got)
  }
}

import { closeSync, constants, openSync, write } from 'node:fs'
import { orElse, codeOf } from '../../shared/errors.ts'
import { ptr } from 'bun:ffi'
import { promisify } from 'node:util'
import { self } from './walk.ts'

/** What goes to the disk in one piece. There are two of these for each upload: one fills while the other is written. */
const BUFFER_BYTES = 4 * 1024 * 1024
/** Addresses, places in the file and lengths are multiples of this, as the strictest of disks want it. */
const BLOCK_BYTES = 4096
const writeAt = promisify(write)

/** Takes chunks for the end of a file. */
export interface Writer {
  /** The end of what is in the file. */
  written(): number
  /** Resolves when there is room for more. */
  add(chunk: Uint8Array): Promise<void>
  /** Writes what was held back; when it returns, all that was added before is in the file. */
  settle(): Promise<void>
  finish(): Promise<void>
}

export interface WriterOptions {
  readonly at: number
  /** Called before each write; what it throws ends the writing. */
  readonly mayWrite: (() => void) | undefined
}

/**
 * Writes to a file from `at` on, straight to the disk (O_DIRECT): a large upload neither costs a second copy in memory, nor
 * pushes out what others read, nor leaves the disk idle first and everybody waiting for it in the end. What is no whole block goes the
 * ordinary way. Null where the file system cannot.
 */
export function openDirectWriter(fd: number, options: WriterOptions): Writer | null {
  const direct = openDirect(fd)
  if (direct === null) return null
  try {
    return directWriter(fd, direct, options)
  } catch (error) {
    closeSync(direct)
    throw error
  }
}

function directWriter(fd: number, direct: number, { at: from, mayWrite }: WriterOptions): Writer {
  let at = from
  let written = from
  let [filling, spare] = [alignedBuffer(), alignedBuffer()]
  let filled = 0
  let running: Promise<void> = Promise.resolve()
  /** When what `filling` held before is on the disk. */
  let free: Promise<void> = Promise.resolve()

  /** How much is collected for the next write: up to a block's end if need be, else as much as there is room for. */
  function most(): number {
    return at % BLOCK_BYTES === 0 ? BUFFER_BYTES : BLOCK_BYTES - (at % BLOCK_BYTES)
  }

  function flush(): void {
    if (filled === 0) return
    const [before, bytes, start] = [running, filling.subarray(0, filled), at]
    running = before.then(() => put(bytes, start))
    // Looked at when its buffer is wanted, or at the end; until then a failure is not an unhandled one.
    running.catch(() => undefined)
    at += filled
    filled = 0
    ;[filling, spare, free] = [spare, filling, before]
  }

  async function put(bytes: Uint8Array, start: number): Promise<void> {
    const whole = start % BLOCK_BYTES === 0 ? bytes.length - (bytes.length % BLOCK_BYTES) : 0
    let done = await putDirect(bytes.subarray(0, whole), start)
    while (done < bytes.length) {
      mayWrite?.()
      done += (await writeAt(fd, bytes, done, bytes.length - done, start + done)).bytesWritten
      written = start + done
    }
  }

  /** @returns how many it took: not all where the file system opens such files, and says only then that it cannot */
  async function putDirect(blocks: Uint8Array, start: number): Promise<number> {
    for (let done = 0; ;) {
      if (done === blocks.length) return done
      mayWrite?.()
      try {
        done += (await writeAt(direct, blocks, done, blocks.length - done, start + done)).bytesWritten
        written = start + done
      } catch (error) {
        if (codeOf(error) === 'EINVAL') return done
        throw error
      }
    }
  }

  return {
    written: () => written,
    async add(chunk) {
      for (let taken = 0; taken < chunk.length;) {
        if (filled === 0) await free
        const part = chunk.subarray(taken, taken + most() - filled)
        filling.set(part, filled)
        filled += part.length
        taken += part.length
        if (filled === most()) flush()
      }
    },
    settle() {
      flush()
      return running
    },
    async finish() {
      try {
        flush()
        await running
      } finally {
        closeSync(direct)
      }
    },
  }
}

function openDirect(fd: number): number | null {
  return orElse(null, () => openSync(self(fd), constants.O_WRONLY | constants.O_DIRECT))
}

function alignedBuffer(): Uint8Array {
  const room = Buffer.allocUnsafeSlow(BUFFER_BYTES + BLOCK_BYTES)
  const skip = BLOCK_BYTES - (ptr(room) % BLOCK_BYTES)
  return new Uint8Array(room.buffer, room.byteOffset + skip, BUFFER_BYTES)
}

import { closeSync, constants, openSync, write } from 'node:fs'
import { orElse, codeOf } from '../../shared/errors.ts'
import { ptr } from 'bun:ffi'
import { promisify } from 'node:util'
import { self } from './walk.ts'

/** What goes to the disk in one piece: what has just been copied is still in the processor's cache, and nobody waits long for the thread that writes it. */
const BUFFER_BYTES = 1024 * 1024
/** So many pieces are on their way at once: the disk has the next one before our thread has learnt that the last one is written. */
const WRITES_AT_ONCE = 2
/** One of these fills meanwhile, and one is there when it is full. */
const BUFFERS = WRITES_AT_ONCE + 2
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

/** A piece on its way. */
interface Piece {
  readonly start: number
  readonly length: number
  /** How many of its bytes are written. */
  done: number
}

function directWriter(fd: number, direct: number, { at: from, mayWrite }: WriterOptions): Writer {
  let at = from
  const buffers = Array.from({ length: BUFFERS }, alignedBuffer)
  /** When what each buffer held before is on the disk. */
  const free: Promise<void>[] = buffers.map(() => Promise.resolve())
  let filling = 0
  let filled = 0
  /** In the order of the file; a later one may be written before an earlier one. */
  const pieces: Piece[] = []

  function written(): number {
    while (pieces[0]?.done === pieces[0]?.length && pieces.length > 0) pieces.shift()
    const [first] = pieces
    return first === undefined ? at : first.start + first.done
  }

  /** How much is collected for the next write: up to a block's end if need be, else as much as there is room for. */
  function most(): number {
    return at % BLOCK_BYTES === 0 ? BUFFER_BYTES : BLOCK_BYTES - (at % BLOCK_BYTES)
  }

  const bufferOf = (number: number): Uint8Array => buffers[number % BUFFERS] ?? alignedBuffer()
  const freed = (number: number): Promise<void> => free[(number + BUFFERS) % BUFFERS] ?? Promise.resolve()

  function flush(): void {
    if (filled === 0) return
    const piece: Piece = { start: at, length: filled, done: 0 }
    const bytes = bufferOf(filling).subarray(0, filled)
    pieces.push(piece)
    const writing = freed(filling - WRITES_AT_ONCE).then(() => put(bytes, piece))
    // Looked at when its buffer is wanted, or at the end; until then a failure is not an unhandled one.
    writing.catch(() => undefined)
    free[filling] = writing
    at += filled
    filled = 0
    filling = (filling + 1) % BUFFERS
  }

  async function put(bytes: Uint8Array, piece: Piece): Promise<void> {
    const { start } = piece
    const whole = start % BLOCK_BYTES === 0 ? bytes.length - (bytes.length % BLOCK_BYTES) : 0
    await putDirect(bytes.subarray(0, whole), piece)
    while (piece.done < bytes.length) {
      mayWrite?.()
      piece.done += (await writeAt(fd, bytes, piece.done, bytes.length - piece.done, start + piece.done)).bytesWritten
    }
  }

  /** Not all where the file system opens such files, and says only then that it cannot. */
  async function putDirect(blocks: Uint8Array, piece: Piece): Promise<void> {
    while (piece.done < blocks.length) {
      mayWrite?.()
      try {
        piece.done += (await writeAt(direct, blocks, piece.done, blocks.length - piece.done, piece.start + piece.done)).bytesWritten
      } catch (error) {
        if (codeOf(error) === 'EINVAL') return
        throw error
      }
    }
  }

  /** Ends when nothing is on its way any more. Fails with the failure of the earliest piece. */
  async function allWritten(): Promise<void> {
    const inOrder = buffers.map((_, number) => freed(filling + number))
    await Promise.allSettled(inOrder)
    for (const one of inOrder) await one
  }

  return {
    written,
    async add(chunk) {
      for (let taken = 0; taken < chunk.length;) {
        if (filled === 0) await freed(filling)
        const part = chunk.subarray(taken, taken + most() - filled)
        bufferOf(filling).set(part, filled)
        filled += part.length
        taken += part.length
        if (filled === most()) flush()
      }
    },
    settle() {
      flush()
      return allWritten()
    },
    async finish() {
      try {
        flush()
        await allWritten()
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

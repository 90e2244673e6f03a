import { closeSync, constants, openSync, write } from 'node:fs'
import { orElse, codeOf } from '../../shared/errors.ts'
import { ptr } from 'bun:ffi'
import { promisify } from 'node:util'
import { descriptorPath } from './proc-paths.ts'

/** Bytes per write: small enough that they are still in the processor's cache, and that the writing thread is soon free. */
const BUFFER_BYTES = 1024 * 1024
/** Concurrent writes: the disk gets the next one before this thread learns that the last one is complete. */
const WRITES_AT_ONCE = 2
/** Besides the buffers being written, one is being filled and one is free. */
const BUFFERS = WRITES_AT_ONCE + 2
/** Alignment of addresses, offsets and lengths, enough for all disks. */
const BLOCK_BYTES = 4096
const writeAt = promisify(write)

/** Appends chunks to a file. */
export interface Writer {
  /** The end of the written bytes in the file. */
  written(): number
  /** Resolves when there is room for more. */
  add(chunk: Uint8Array): Promise<void>
  /** Writes all buffered bytes; when it returns, everything added before is in the file. */
  settle(): Promise<void>
  finish(): Promise<void>
}

export interface WriterOptions {
  readonly at: number
  /** Called before each write; if it throws, writing ends. */
  readonly mayWrite: (() => void) | undefined
}

/**
 * Writes to a file from `at` on, bypassing the page cache (O_DIRECT): a large upload needs no second copy in memory, evicts
 * no cached files, and keeps the disk busy from the start, which leaves no long sync at the end. Partial blocks are written
 * through the page cache. Null if the file system does not support it.
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

/** A running write. */
interface Piece {
  readonly start: number
  readonly length: number
  /** The number of written bytes. */
  done: number
}

function directWriter(fd: number, direct: number, { at: from, mayWrite }: WriterOptions): Writer {
  let at = from
  const buffers = Array.from({ length: BUFFERS }, alignedBuffer)
  /** For each buffer, resolves when its previous content is on the disk. */
  const free: Promise<void>[] = buffers.map(() => Promise.resolve())
  let filling = 0
  let filled = 0
  /** In the order of the file; later ones may complete first. */
  const pieces: Piece[] = []

  function written(): number {
    while (pieces[0]?.done === pieces[0]?.length && pieces.length > 0) pieces.shift()
    const [first] = pieces
    return first === undefined ? at : first.start + first.done
  }

  /** The number of bytes to collect for the next write: to the end of a partial block, or a whole buffer. */
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
    // Awaited before its buffer is reused, or at the end; until then a failure must not count as an unhandled rejection.
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

  /** Incomplete on file systems that accept O_DIRECT when opening and refuse the write. */
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

  /** Waits for all running writes. Fails with the error of the earliest one. */
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
  return orElse(null, () => openSync(descriptorPath(fd), constants.O_WRONLY | constants.O_DIRECT))
}

function alignedBuffer(): Uint8Array {
  const room = Buffer.allocUnsafeSlow(BUFFER_BYTES + BLOCK_BYTES)
  const skip = BLOCK_BYTES - (ptr(room) % BLOCK_BYTES)
  return new Uint8Array(room.buffer, room.byteOffset + skip, BUFFER_BYTES)
}

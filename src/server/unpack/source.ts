import { fstatSync, openSync, read as readCallback, readSync } from 'node:fs'
import { promisify } from 'node:util'

const CHUNK_BYTES = 256 * 1024
const readAt = promisify(readCallback)

/** The archive, as a file with random access. */
export interface Source {
  readonly path: string
  readonly descriptor: number
  readonly size: number
  /** Bytes read so far, some perhaps twice. */
  readonly progress: { read: number }
}

export function openSource(path: string): Source {
  const descriptor = openSync(path, 'r')
  return { path, descriptor, size: fstatSync(descriptor).size, progress: { read: 0 } }
}

export async function* wholeOf(source: Source): AsyncGenerator<Uint8Array, void> {
  for await (const bytes of bytesBetween(source, 0, source.size)) {
    source.progress.read += bytes.length
    yield bytes
  }
}

/** From `start` up to, not including, `end`, or to the end of the file. */
export async function* bytesBetween({ descriptor }: Source, start: number, end: number): AsyncGenerator<Uint8Array, void> {
  for (let at = start; at < end;) {
    const { bytesRead, buffer } = await readAt(descriptor, Buffer.allocUnsafe(CHUNK_BYTES), 0, Math.min(CHUNK_BYTES, end - at), at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

export function peek({ descriptor }: Source, start: number, length: number): Uint8Array {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, start))
}

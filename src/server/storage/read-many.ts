import { closeSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { libc } from './libc.ts'
import { openRegular } from './open-file.ts'
import type { SmallFiles } from './storage.ts'

/**
 * Reads files of an open folder, each opened like `openRegular` and read whole. The size is -1 for one that is not a regular file, is longer than
 * `mostBytes`, or cannot be read.
 */
export function readMany(folder: number, names: readonly string[], mostBytes: number): SmallFiles {
  const sizes = new Int32Array(names.length).fill(-1)
  const modified = new Float64Array(names.length)
  const crcs = new Uint32Array(names.length)
  const read = libc()?.readSmall ?? readSlowly
  let bytes: Buffer = Buffer.allocUnsafeSlow(Math.max(mostBytes, FIRST_BYTES))
  let end = 0
  for (const [i, name] of names.entries()) {
    if (bytes.length - end < mostBytes) bytes = grown(bytes, end)
    const file = read(folder, name, bytes, { at: end, most: mostBytes })
    if (file === null) continue
    sizes[i] = file.size
    modified[i] = file.modified
    crcs[i] = crc32(bytes.subarray(end, end + file.size))
    end += file.size
  }
  return { bytes: bytes.subarray(0, end), sizes, modified, crcs }
}

const FIRST_BYTES = 512 * 1024

function grown(bytes: Buffer, end: number): Buffer {
  const more = Buffer.allocUnsafeSlow(bytes.length * 2)
  bytes.copy(more, 0, 0, end)
  return more
}

function readSlowly(
  folder: number,
  name: string,
  into: Uint8Array,
  { at, most }: { at: number; most: number },
): { size: number; modified: number } | null {
  let fd = -1
  try {
    const opened = openRegular({ fd: folder, [Symbol.dispose]: () => undefined }, name)
    fd = opened.fd
    const { size, modified } = opened.stat
    return size <= most && readSync(fd, into, at, size, 0) === size ? { size, modified } : null
  } catch {
    return null
  } finally {
    if (fd >= 0) closeSync(fd)
  }
}

import { dlopen, FFIType } from 'bun:ffi'
import { nameToBytes } from '../../shared/file-path.ts'
import { milliseconds } from './nodes.ts'

const RENAME_NOREPLACE = 1
const AT_SYMLINK_NOFOLLOW = 0x100
/** Type, mode, size and time of change of content. */
const STATX_WANTED = 0x01 | 0x02 | 0x40 | 0x200
const STATX_BYTES = 256
const NAME_MAX_BYTES = 4096

const { i32, u32, ptr } = FFIType
const SYMBOLS = {
  renameat2: { args: [i32, ptr, i32, ptr, u32], returns: i32 },
  statx: { args: [i32, ptr, i32, u32, ptr], returns: i32 },
} as const

/** What Node's fs lacks or does slowly, straight from the C library. Callers have a slower way for where this is null. */
export interface Libc {
  /** Refuses a taken name, in one step. @returns false when it was refused or is not known here; then nothing was done */
  renameNoReplace(from: { fd: number }, fromName: string, to: { fd: number }, toName: string): boolean
  /** Of an entry, links not followed. @returns null when that failed for whatever reason */
  quickStat(fd: number, name: string): { size: number; modified: number; mode: number } | null
}

let bound: Libc | null | undefined

export function libc(): Libc | null {
  if (bound === undefined) bound = bind()
  return bound
}

function bind(): Libc | null {
  const symbols = load()
  if (symbols === null) return null
  const encoder = new TextEncoder()
  const name = new Uint8Array(NAME_MAX_BYTES)
  const answer = new Uint8Array(STATX_BYTES)
  const fields = new DataView(answer.buffer)

  return {
    renameNoReplace: (from, fromName, to, toName) =>
      symbols.renameat2(from.fd, terminated(fromName), to.fd, terminated(toName), RENAME_NOREPLACE) === 0,
    quickStat(fd, text) {
      const { read, written } = encoder.encodeInto(text, name.subarray(0, NAME_MAX_BYTES - 1))
      name[written] = 0
      const known = read === text.length && (written === text.length || text.isWellFormed())
      if (!known || symbols.statx(fd, name, AT_SYMLINK_NOFOLLOW, STATX_WANTED, answer) !== 0) return null
      return {
        size: Number(fields.getBigUint64(40, true)),
        modified: milliseconds(Number(fields.getBigInt64(112, true)), fields.getUint32(120, true)),
        mode: fields.getUint16(28, true),
      }
    },
  }
}

function load() {
  const musl = `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`
  for (const library of ['libc.so.6', musl]) {
    try {
      return dlopen(library, SYMBOLS).symbols
    } catch {
      // The next one; without any, the slower ways.
    }
  }
  return null
}

function terminated(name: string): Uint8Array {
  return Buffer.concat([nameToBytes(name), Uint8Array.of(0)])
}

import { dlopen, FFIType } from 'bun:ffi'
import { nameToBytes } from '../../shared/file-path.ts'

const RENAME_NOREPLACE = 1
type RenameAt2 = (fromFd: number, from: Uint8Array, toFd: number, to: Uint8Array, flags: number) => number
let bound: RenameAt2 | null | undefined

/**
 * `renameat2` with RENAME_NOREPLACE, which Node's fs lacks: refuses a taken name, in one step.
 * @returns false when it was refused, or where libc, kernel or file system do not know it; then nothing was done
 */
export function renameNoReplace(from: { fd: number }, fromName: string, to: { fd: number }, toName: string): boolean {
  if (bound === undefined) bound = bind()
  return bound?.(from.fd, terminated(fromName), to.fd, terminated(toName), RENAME_NOREPLACE) === 0
}

function bind(): RenameAt2 | null {
  const args = [FFIType.i32, FFIType.ptr, FFIType.i32, FFIType.ptr, FFIType.u32] as const
  for (const library of ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]) {
    try {
      return dlopen(library, { renameat2: { args, returns: FFIType.i32 } }).symbols.renameat2
    } catch {
      // The next library, or the slower way of placing.ts.
    }
  }
  return null
}

function terminated(name: string): Uint8Array {
  return Buffer.concat([nameToBytes(name), Uint8Array.of(0)])
}

import { dlopen, FFIType } from 'bun:ffi'

const { i32, u32, u64, ptr } = FFIType
const SYMBOLS = {
  ioctl: { args: [i32, u64, u64], returns: i32 },
  memfd_create: { args: [ptr, u32], returns: i32 },
} as const

let bound: ReturnType<typeof load> | undefined

/** Functions of the C library that the runtime does not offer. Throws if the library is not found. */
export function libc(): ReturnType<typeof load> {
  return (bound ??= load())
}

function load() {
  try {
    return dlopen('libc.so.6', SYMBOLS).symbols
  } catch {
    return dlopen(`libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`, SYMBOLS).symbols
  }
}

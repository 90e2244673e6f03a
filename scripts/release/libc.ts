import { dlopen, FFIType, ptr } from 'bun:ffi'

/** Calls of the C library that the runtime does not offer. */

const LOCK = { shared: 1, exclusive: 2, atOnce: 4 } as const
const PROT_READ_EXEC = 1 | 4
const MAP_PRIVATE = 2
const MAP_FAILED = -1n

const calls = {
  dup: { args: [FFIType.i32], returns: FFIType.i32 },
  execve: { args: [FFIType.ptr, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
  flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  mmap: { args: [FFIType.ptr, FFIType.u64, FFIType.i32, FFIType.i32, FFIType.i32, FFIType.i64], returns: FFIType.i64 },
  syncfs: { args: [FFIType.i32], returns: FFIType.i32 },
} as const
const libc = load()

/** Waits for nobody. @returns whether the lock on the open file is ours, until it and its copies are closed */
export function lock(descriptor: number, kind: 'shared' | 'exclusive'): boolean {
  return libc.flock(descriptor, LOCK[kind] | LOCK.atOnce) === 0
}

/** A copy of a descriptor, which stays open in the program that this process becomes. */
export function keepOpen(descriptor: number): void {
  libc.dup(descriptor)
}

/** Whether code can be loaded from the file: not if its file system is mounted `noexec`. */
export function canHoldCode(descriptor: number): boolean {
  return libc.mmap(null, 4096, PROT_READ_EXEC, MAP_PRIVATE, descriptor, 0) !== MAP_FAILED
}

/** Writes everything of the file system of a descriptor to the disk. */
export function syncFileSystem(descriptor: number): void {
  libc.syncfs(descriptor)
}

/** Replaces this process by another program: same process id, same standard streams. Returns if that fails. */
export function replaceProcess(file: string, argv: readonly string[], environment: readonly string[]): void {
  const [path, args, env] = [terminated(file), listOf(argv), listOf(environment)]
  libc.execve(ptr(path), ptr(args.addresses), ptr(env.addresses))
}

/** A list of texts as the kernel takes it; the texts must stay alive as long as it. */
function listOf(texts: readonly string[]) {
  const kept = texts.map(terminated)
  return { kept, addresses: BigUint64Array.from([...kept.map((text) => BigInt(ptr(text))), 0n]) }
}

function terminated(text: string): Uint8Array {
  return Buffer.from(`${text}\0`)
}

function load() {
  const musl = `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`
  try {
    return dlopen('libc.so.6', calls).symbols
  } catch {
    return dlopen(musl, calls).symbols
  }
}

import { openSync, closeSync, readFileSync, readSync } from 'node:fs'

/** What a file of machine code runs on. */
export interface NativeCode {
  readonly cpu: 'x64' | 'arm64' | 'other'
  /** The C library that it asks for; null where it asks for none. */
  readonly libc: 'glibc' | 'musl' | null
}

/** From the ELF header: the kind of file, and the machine. */
const ELF = [0x7f, 0x45, 0x4c, 0x46]
const MACHINE_AT = 18
const MACHINES: Record<number, NativeCode['cpu']> = { 62: 'x64', 183: 'arm64' }

/** Of a program or a library for Linux; null for every other file. */
export function nativeCodeOf(file: string): NativeCode | null {
  const head = new Uint8Array(MACHINE_AT + 2)
  const descriptor = openSync(file, 'r')
  const read = readSync(descriptor, head)
  closeSync(descriptor)
  if (read < head.length || !ELF.every((byte, i) => head[i] === byte)) return null
  const cpu = MACHINES[(head[MACHINE_AT] ?? 0) | ((head[MACHINE_AT + 1] ?? 0) << 8)] ?? 'other'
  const bytes = readFileSync(file)
  if (['\0libc.musl-', '\0libc.so\0', '\0ld-musl-'].some((name) => bytes.includes(name))) return { cpu, libc: 'musl' }
  return { cpu, libc: bytes.includes('\0libc.so.6\0') ? 'glibc' : null }
}

/** What the name of a package or of a file says that its code runs on. */
export function claimedBy(name: string): { readonly cpu: string | null; readonly libc: string | null } {
  const cpu = /arm64|aarch64/.test(name) ? 'arm64' : /x64|x86[-_]64/.test(name) ? 'x64' : null
  return { cpu, libc: /musl/.test(name) ? 'musl' : /gnu/.test(name) ? 'glibc' : null }
}

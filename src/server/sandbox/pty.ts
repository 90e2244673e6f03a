import { ptr } from 'bun:ffi'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { libc } from './libc.ts'
import type { TerminalSize } from './sandbox.ts'
import { codeOf } from '../../shared/errors.ts'

/** `asm-generic/ioctls.h`, which x86-64 and ARM64 share. */
const TIOCSPTLCK = 0x4004_5431
const TIOCGPTPEER = 0x5441
const TIOCSWINSZ = 0x5414
const O_CLOEXEC = 0o2000000
const OPEN = constants.O_RDWR | constants.O_NOCTTY
/** Maximum input that waits for a program that does not read. */
const MAX_WAITING_BYTES = 256 * 1024
const AGAIN_MS = 20

/**
 * Opens a pseudoterminal (`pty(7)`, `ioctl_tty(2)`). The runtime's own terminals deliver all output at once, without back-pressure; here a program
 * waits until its output is read.
 * @throws if this system has none
 */
export function openPty(size: TerminalSize) {
  const { ioctl } = libc()
  const ours = openSync('/dev/ptmx', OPEN | constants.O_NONBLOCK)
  const programEnd = ioctl(ours, TIOCSPTLCK, pointer(Int32Array.of(0))) === 0 ? ioctl(ours, TIOCGPTPEER, OPEN | O_CLOEXEC) : -1
  if (programEnd < 0) {
    closeSync(ours)
    throw new Error('the system gives no terminal')
  }
  let open = true
  let waiting: Uint8Array = new Uint8Array()
  let again: ReturnType<typeof setTimeout> | undefined

  function resize({ columns, rows }: TerminalSize): void {
    if (open) ioctl(ours, TIOCSWINSZ, pointer(Uint16Array.of(rows, columns, 0, 0)))
  }

  function flush(): void {
    again = undefined
    if (!open) return
    for (let written = 1; written > 0 && waiting.length > 0;) {
      written = writeSome(ours, waiting)
      waiting = waiting.subarray(written)
    }
    if (waiting.length > 0) again = setTimeout(flush, AGAIN_MS)
  }

  function close(): void {
    open = false
    clearTimeout(again)
    closeSync(ours)
  }

  resize(size)
  return {
    /** For the program; we close it once the program has it. Not yet a controlling terminal. */
    programEnd,
    /** The program's output, no faster than it is read; ends when no program has its end any more, which also closes ours. */
    async *output(): AsyncGenerator<Uint8Array, void> {
      try {
        yield* untilNobodyWrites(Bun.file(ours).stream())
      } finally {
        close()
      }
    },
    /** Types into the terminal. Input that the program never reads is lost, as at any terminal. */
    type(bytes: Uint8Array): void {
      waiting = Buffer.concat([waiting, bytes.subarray(0, MAX_WAITING_BYTES - waiting.length)])
      if (again === undefined) flush()
    },
    resize,
    /** Closes our end, if no program got the other. */
    close,
  }
}

function pointer(numbers: Int32Array | Uint16Array): bigint {
  return BigInt(ptr(numbers))
}

/** At the end, reading fails with `EIO`, which no output of a program can imitate. */
async function* untilNobodyWrites(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const bytes of stream) yield bytes
  } catch (error) {
    if (codeOf(error) !== 'EIO') throw error
  }
}

/** @returns how many bytes were taken; 0 while the program does not read, or has ended */
function writeSome(fd: number, bytes: Uint8Array): number {
  try {
    return writeSync(fd, bytes)
  } catch (error) {
    if (['EAGAIN', 'EIO'].includes(codeOf(error))) return 0
    throw error
  }
}

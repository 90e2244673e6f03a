import { writeFileSync } from 'node:fs'

/**
 * Runs a program to its end, also if it waits for something that never happens. A module must not await it: with a top-level await, Bun 1.4 spins
 * forever when nothing is left to wait for, and after an uncaught error.
 */
export function runProgram(main: () => Promise<void>): void {
  main().then(
    () => process.exit(),
    () => process.exit(1),
  )
}

/** Writes to the process that started this program; resolves when the bytes are in the pipe. */
type Write = (bytes: Uint8Array) => Promise<void>

/** A pipe takes only what it has room for: `Bun.write` loses the rest, the sink waits (measured with Bun 1.4). */
export function createOutput(): Write {
  const sink = Bun.stdout.writer()
  return async (bytes) => {
    await sink.write(bytes)
    await sink.flush()
  }
}

const CHECK_EVERY_MS = 100

/**
 * For a program that reads untrusted files: it exits when it uses this much memory (a bomb or a leak), and if the machine runs out of memory first,
 * the kernel kills this process and not the server.
 */
export function limitOwnMemory({ maxMemoryBytes }: { maxMemoryBytes: number }): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Some containers do not let us.
  }
  setInterval(() => {
    if (process.memoryUsage.rss() > maxMemoryBytes) process.exit(1)
  }, CHECK_EVERY_MS).unref()
}

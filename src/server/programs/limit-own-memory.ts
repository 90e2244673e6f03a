import { writeFileSync } from 'node:fs'

const CHECK_EVERY_MS = 100

/**
 * For a program that reads what strangers made: beyond so much memory what it reads is a trap, or it leaks, and it ends; and when memory runs
 * out before, the kernel shall take this process and not the server.
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

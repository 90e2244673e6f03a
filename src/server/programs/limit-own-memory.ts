import { writeFileSync } from 'node:fs'

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

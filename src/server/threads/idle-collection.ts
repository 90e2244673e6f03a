/** How often a thread looks whether it is at work. */
const CHECK_EVERY_MS = 1500
/** Its processor time from one look to the next, in milliseconds; with more than that it is at work. */
const WORK_MS = 50

/**
 * Gives back what work has left behind in the calling thread, once after each spell of it; its start is one. Meant for threads that live as long
 * as the process: the runtime collects its first thread by itself when that has nothing to do, every other only while it makes things.
 */
export function collectWhenIdle(): void {
  const look = createIdleCheck({ used: processorMs, collect: () => Bun.gc(true) })
  setInterval(look, CHECK_EVERY_MS).unref()
}

/** @param options.used processor time since the thread began, in milliseconds */
export function createIdleCheck({ used, collect }: { used: () => number; collect: () => void }): () => void {
  let before = 0
  let wasAtWork = false
  return () => {
    const isAtWork = used() - before > WORK_MS
    if (wasAtWork && !isAtWork) collect()
    wasAtWork = isAtWork
    // After the collecting, which is no work itself.
    before = used()
  }
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

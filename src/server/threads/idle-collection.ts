/** How often to check whether the thread is idle. */
const CHECK_EVERY_MS = 1500
/** Processor time between two checks, in milliseconds, above which it counts as busy. */
const WORK_MS = 50

/**
 * Collects garbage in the calling thread, once after each busy period, including its start. For threads that live as long as the process: the runtime
 * collects its main thread late when it is idle, and other threads only while they allocate.
 */
export function collectWhenIdle(): void {
  const look = createIdleCheck({ used: processorMs, collect: () => Bun.gc(true) })
  setInterval(look, CHECK_EVERY_MS).unref()
}

/** @param options.used processor time since the thread started, in milliseconds */
export function createIdleCheck({ used, collect }: { used: () => number; collect: () => void }): () => void {
  let before = 0
  let wasAtWork = false
  return () => {
    const isAtWork = used() - before > WORK_MS
    if (wasAtWork && !isAtWork) collect()
    wasAtWork = isAtWork
    // After the collection, which must not count as work.
    before = used()
  }
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

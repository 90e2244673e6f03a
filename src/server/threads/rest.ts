/** How often a thread looks whether the process is at work. */
const LOOK_MS = 5000
/** Processor time of the whole process from one look to the next, in milliseconds; with more than that it is at work. */
const WORK_MS = 250

/**
 * Gives back what work has left behind in the calling thread, once after each spell of it; the start of the process is one. The runtime
 * collects while things are made, so that what lay about when the last was made would stay. Meant for threads that live as long as the process.
 */
export function collectAtRest(): Disposable {
  const looking = setInterval(createLook({ used: processorMs, collect: () => Bun.gc(true) }), LOOK_MS)
  looking.unref()
  return { [Symbol.dispose]: () => clearInterval(looking) }
}

/** @param options.used processor time since the process began, in milliseconds */
export function createLook({ used, collect }: { used: () => number; collect: () => void }): () => void {
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
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

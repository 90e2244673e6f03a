const INTERVAL_MS = 60_000

/** The same once a minute is enough: a full disk, or a database that is gone, fails everybody. */
export function throttled(log: (line: string) => void): (line: string) => void {
  let loggedAt = Number.NEGATIVE_INFINITY
  return (line) => {
    const now = performance.now()
    if (now - loggedAt < INTERVAL_MS) return
    loggedAt = now
    log(line)
  }
}

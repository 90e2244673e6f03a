const INTERVAL_MS = 60_000

/** Logs at most one line per minute: a full disk or a lost database affects every request. */
export function throttled(log: (line: string) => void): (line: string) => void {
  let loggedAt = Number.NEGATIVE_INFINITY
  return (line) => {
    const now = performance.now()
    if (now - loggedAt < INTERVAL_MS) return
    loggedAt = now
    log(line)
  }
}

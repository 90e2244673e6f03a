const SAY_AGAIN_MS = 60_000

/** The same once a minute is enough: a full disk, or a database that is gone, fails everybody. */
export function sayNowAndThen(say: (line: string) => void): (line: string) => void {
  let said = Number.NEGATIVE_INFINITY
  return (line) => {
    const now = performance.now()
    if (now - said < SAY_AGAIN_MS) return
    said = now
    say(line)
  }
}

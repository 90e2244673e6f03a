/** How old a measurement may get while better ones are awaited. */
const REPLACED_AFTER_MS = 30_000
/** The error of a measurement is at most half of the time that it took. */
const PRECISE_MS = 100

/**
 * The time by the clock of a database, which is the same for all its servers, whatever their own clocks say or are set to. Between measurements it goes
 * on by this machine's monotonic clock.
 */
export function createDatabaseClock(monotonic: () => number = () => performance.now()) {
  let offset = 0
  let measuredAt = Number.NEGATIVE_INFINITY

  return {
    /** Milliseconds since 1970. Call `measure` first. */
    now: (): number => monotonic() + offset,
    /** @param ask the time by the clock of the database, in milliseconds since 1970 */
    async measure(ask: () => Promise<number>): Promise<void> {
      const before = monotonic()
      const time = await ask()
      const after = monotonic()
      if (after - before > PRECISE_MS && before - measuredAt < REPLACED_AFTER_MS) return
      offset = time - (before + after) / 2
      measuredAt = after
    },
  }
}

export type DatabaseClock = ReturnType<typeof createDatabaseClock>

/** Averaging window: long enough to be stable, short enough to be current. */
const WINDOW_MS = 4000

/** Measures throughput over the last seconds. `now` in milliseconds. */
export function createSpeed(now: () => number): { moved(bytes: number): void; perSecond(): number; reset(): void } {
  let samples: { at: number; bytes: number }[] = []
  return {
    moved(bytes) {
      if (samples.length === 0) samples.push({ at: now(), bytes: 0 })
      samples.push({ at: now(), bytes })
    },
    perSecond() {
      samples = samples.filter(({ at }) => now() - at <= WINDOW_MS)
      const first = samples[0]
      const span = first === undefined ? 0 : now() - first.at
      return span < 200 ? 0 : (samples.reduce((sum, { bytes }) => sum + bytes, 0) * 1000) / span
    },
    reset() {
      samples = []
    },
  }
}

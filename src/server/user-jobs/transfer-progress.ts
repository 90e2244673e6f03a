import type { JobProgress } from './prepared-job.ts'

/** Bytes of several things that are copied one after the other. */
export interface TransferProgress {
  /** It is the turn of the one at `index`, or of none after the last; what was before it is done, whether it came to anything or not. */
  begin(index: number): void
  /** How much the present one is. */
  expect(bytes: number): void
  /** How much a later one is. */
  count(index: number, bytes: number): void
  /** How much of the present one is copied. */
  copied(bytes: number): void
}

/**
 * Tells the total as soon as anything is said of what there is to be copied and all is known of what is left.
 *
 * @param count of things
 */
export function createTransferProgress(watch: Pick<JobProgress, 'total' | 'read'>, count: number): TransferProgress {
  const later: (number | null)[] = Array.from({ length: count }, () => null)
  let [at, before, own, done] = [-1, 0, 0, 0]
  let isReporting = false

  function report(): void {
    isReporting = true
    const rest = later.slice(at + 1)
    if (!rest.includes(null)) watch.total(before + own + rest.reduce<number>((sum, size) => sum + (size ?? 0), 0))
  }

  return {
    begin(index) {
      before += done
      at = index
      own = later[index] ?? 0
      done = 0
      if (isReporting) report()
    },
    expect(bytes) {
      own = bytes
      report()
    },
    count(index, bytes) {
      later[index] = bytes
      report()
    },
    copied(bytes) {
      done = bytes
      watch.read(before + bytes)
    },
  }
}

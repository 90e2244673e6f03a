import type { JobProgress } from './prepared-job.ts'

/** Progress of several items that are copied one after the other. */
export interface TransferProgress {
  /** The item at `index` starts, or none after the last; the one before has ended, successfully or not. */
  begin(index: number): void
  /** Size of the current item. */
  expect(bytes: number): void
  /** Size of a later item. */
  count(index: number, bytes: number): void
  /** Copied bytes of the current item. */
  copied(bytes: number): void
}

/** Reports the total as soon as any size was reported and all remaining ones are known. @param count number of items */
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

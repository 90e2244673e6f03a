import type { JobProgress } from './prepared-job.ts'

/** Progress of several items that are copied one after the other. */
export type TransferProgress = ReturnType<typeof createTransferProgress>

/** Reports the total as soon as any size was reported and all remaining ones are known. @param count number of items */
export function createTransferProgress(watch: Pick<JobProgress, 'total' | 'read'>, count: number) {
  const later: (number | null)[] = Array.from({ length: count }, () => null)
  let [at, before, own, done] = [-1, 0, 0, 0]
  let isReporting = false

  function report(): void {
    isReporting = true
    const rest = later.slice(at + 1)
    if (!rest.includes(null)) watch.total(before + own + rest.reduce<number>((sum, size) => sum + (size ?? 0), 0))
  }

  return {
    /** The item at `index` starts, or none after the last; the one before has ended, successfully or not. */
    begin(index: number): void {
      before += done
      at = index
      own = later[index] ?? 0
      done = 0
      if (isReporting) report()
    },
    /** Size of the current item. */
    expect(bytes: number): void {
      own = bytes
      report()
    },
    /** Size of a later item. */
    count(index: number, bytes: number): void {
      later[index] = bytes
      report()
    },
    /** Copied bytes of the current item. */
    copied(bytes: number): void {
      done = bytes
      watch.read(before + bytes)
    },
  }
}

import type { DiskCalls } from './disk-calls.ts'
import type { IoOfDisk } from './disk-io.ts'

export type Answer<Call extends keyof DiskCalls> = Awaited<ReturnType<DiskCalls[Call]>>

/** Runs the calls to one disk, and those on its open files. */
export interface Executor extends IoOfDisk {
  run<Call extends keyof DiskCalls>(call: Call, ...args: Parameters<DiskCalls[Call]>): Promise<Answer<Call>>
  /** Runs `work` in this thread; if the disk may block, returns null without running it. */
  runNow<T>(work: () => T): T | null
  /** Whether a call has been running so long that the next one would wait, too. */
  isHanging(): boolean
}

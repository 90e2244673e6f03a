import type { DiskCalls } from './disk-calls.ts'
import type { IoOfDisk } from './disk-io.ts'

export type Answer<Call extends keyof DiskCalls> = Awaited<ReturnType<DiskCalls[Call]>>

/** Does the calls to one disk, and what is done to files that are open on it. */
export interface Executor extends IoOfDisk {
  run<Call extends keyof DiskCalls>(call: Call, ...args: Parameters<DiskCalls[Call]>): Promise<Answer<Call>>
  /** Does something in this thread; null, and not done, where the disk keeps its callers waiting. */
  runNow<T>(work: () => T): T | null
  /** Whether a call has been under way for so long that the next would wait as well. */
  isHanging(): boolean
}

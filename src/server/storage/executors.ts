import type { FilePath } from '../../shared/file-path.ts'
import { createDiskCalls, type DiskCalls } from './disk-calls.ts'
import { type DiskIo, pooledIo } from './disk-io.ts'

/** Does the calls to one disk, and what is done to files that are open on it. */
export interface Executor {
  readonly io: DiskIo
  run<Call extends keyof DiskCalls>(call: Call, ...args: Parameters<DiskCalls[Call]>): Promise<Awaited<ReturnType<DiskCalls[Call]>>>
}

export interface Executors {
  /** The one for the disks of all these paths: the slowest of theirs. */
  of(...paths: FilePath[]): Executor
}

export function createExecutors(): Executors {
  const calls = createDiskCalls(pooledIo)
  const inline: Executor = {
    io: pooledIo,
    // One signature for each name; the compiler does not follow the pairing of name and arguments.
    run: async (call, ...args) => (calls[call] as (...given: unknown[]) => never)(...args),
  }
  return { of: () => inline }
}

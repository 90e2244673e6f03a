import { threadProgram } from '../entries/entries.ts'
import { createThreads } from '../threads/threads.ts'
import { openSnapshots } from './open-snapshots.ts'
import type { SnapshotPattern } from './snapshot-pattern.ts'
import type { LookAnswer, LookAsk } from './snapshot-worker.ts'
import type { SnapshotStorages } from './storage.ts'

const MOST_THREADS = 4

/** Snapshots in local folders. Threads look at them: one of ZFS is mounted by that, and what they hold is rarely in memory. */
export function createLocalSnapshots(pattern: SnapshotPattern): SnapshotStorages {
  const threads = createThreads<LookAnswer>(threadProgram('snapshot-worker'), { most: MOST_THREADS, small: true })
  const opened = openSnapshots(pattern)
  const ask = (within: LookAsk['within']): Promise<LookAnswer> => threads.ask({ pattern, within } satisfies LookAsk)

  return {
    async list() {
      const answer = await ask(null)
      return 'snapshots' in answer ? answer.snapshots : []
    },
    async look(names, path) {
      const answer = await ask({ names, path })
      return 'found' in answer ? answer.found : []
    },
    open: (name) => opened.acquire(name),
    stop() {
      threads[Symbol.dispose]()
      opened[Symbol.dispose]()
    },
  }
}

import { answerRequests } from '../threads/threads.ts'
import { lookIn, snapshotsIn } from './snapshot-look.ts'
import type { SnapshotPattern } from './snapshot-pattern.ts'
import type { InSnapshot, Snapshot } from './storage.ts'

/** A request to the thread: all snapshots, or a path in some of them. */
export interface LookAsk {
  readonly pattern: SnapshotPattern
  readonly within: { readonly names: readonly string[]; readonly path: readonly string[] } | null
}

export type LookAnswer = { readonly snapshots: Snapshot[] } | { readonly found: (InSnapshot | null)[] }

/** A thread for disks that it may block: a snapshot of ZFS is mounted when it is looked at first. */
answerRequests(({ pattern, within }: LookAsk) => {
  const answer: LookAnswer = within === null ? { snapshots: snapshotsIn(pattern) } : { found: lookIn(pattern, within.names, within.path) }
  return { answer, transfer: [] }
})

import type { OperationKind } from '../../shared/contract/operations.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Stat } from '../storage/storage.ts'

/** A change of one node, with everything below it. Paths are storage paths, links resolved. */
export interface Change {
  readonly kind: Exclude<OperationKind, 'restore'>
  /** Where the node is afterwards; of a deletion, where it was. */
  readonly path: FilePath
  /** Of moves, where it was; of copies, what is copied. */
  readonly origin?: FilePath
  /** What is known of the node in advance; null if only the disk tells, afterwards. */
  readonly node: { readonly identity: string; readonly size?: number; readonly modified?: number } | null
  readonly folder: boolean
  /** The version that holds what is replaced. */
  readonly version?: string | undefined
  /** The version that comes back; with the mode and time that it had, if it gets others. */
  readonly restored?: { readonly version: string; readonly was: { readonly mode: number; readonly modified: number } | null } | undefined
}

/** A change that has begun. Both may be called, the last one counts; neither fails. */
export interface RecordedChange {
  /** @param stat of the node afterwards, if it was not known before */
  done(stat?: Stat): void
  /** It did not happen, or was rolled back. */
  failed(): void
}

/** PORT: the journal, for what one person changes in one gesture. The trash records what goes there and comes back itself. */
export interface Recorder {
  /** Fails with `invalid-input` if the gesture is somebody else's. Called before anything is changed. */
  check(): Promise<void>
  /** Called before the disk is touched. Does not fail: what cannot be recorded is done nevertheless. */
  begin(change: Change): Promise<RecordedChange>
  /** The change by which this person gave a file its present content, to which a further save belongs; null if it was another change. */
  resume(path: FilePath): Promise<RecordedChange | null>
}

export type BeginChange = Recorder['begin']

const UNRECORDED: RecordedChange = { done: () => undefined, failed: () => undefined }

/** For what belongs to another change. */
export const beginUnrecorded: BeginChange = async () => UNRECORDED

/** For the server's own work. */
export const NO_RECORDER: Recorder = { check: async () => undefined, begin: beginUnrecorded, resume: async () => null }

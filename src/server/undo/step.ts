import type { FilePath } from '../../shared/file-path.ts'
import type { JournalEntry } from '../journal/operation-row.ts'

/** How a node was left by the last operation on it. Null for what is not known. */
export interface Left {
  /** Empty if it is not known. */
  readonly identity: string
  /** Bytes; of files. */
  readonly size: number | null
  readonly modified: number | null
}

/** Of a file: mode bits, and milliseconds since 1970. */
export interface Attributes {
  readonly mode: number
  readonly modified: number
}

/** A node that goes with its folder. */
export interface Inner extends Left {
  /** From the folder. */
  readonly path: FilePath
  readonly folder: boolean
  /** It came with everything in it. */
  readonly isWhole: boolean
  /** The operations by which it appeared and was changed, that by which it appeared first. */
  readonly entries: readonly JournalEntry[]
}

/** One step on the way back, on the disk as the steps before leave it. Paths are storage paths. */
export interface Step {
  readonly change: 'remove' | 'restore' | 'move' | 'content'
  /** Steps of the same number are of the same node. */
  readonly node: number
  /** Where the node is; of a restoration, where it is going to be. */
  readonly path: FilePath
  /** Where it is before the first step; null if it is not on the disk. */
  readonly now: FilePath | null
  /** Of a move. */
  readonly to: FilePath | null
  readonly folder: boolean
  /** The operation that it takes back. */
  readonly entry: JournalEntry
  /** Further ones that it takes back. */
  readonly covers: readonly JournalEntry[]
  /** How the node must be; null if an earlier step has changed it, or it is out of sight. */
  readonly left: Left | null
  /** Of the removal of a folder that appeared: what must be all that is in it. Null for what came as a whole. */
  readonly inside: readonly Inner[] | null
  /** Of a restoration from the trash. */
  readonly deletion: JournalEntry | null
  /** Of a restoration: the earlier step that put the node aside. */
  readonly aside: Step | null
  /** Of the content that comes back, or of the node that was replaced; null if nothing is kept of it, and if the content is there with other attributes. */
  readonly version: string | null
  /** Those that the content gets; null for its own. */
  readonly attributes: Attributes | null
  /** Known already: it cannot be done. */
  readonly problem: 'changed' | 'gone' | null
}

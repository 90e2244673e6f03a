import type { Trashed } from '../../data/trash.ts'
import type { Version } from '../../widgets/conflict-resolution.ts'

/** An entry that cannot be restored because something has its name. */
export interface TakenName {
  readonly entry: Trashed
  /** What has it. */
  readonly existing: Version
}

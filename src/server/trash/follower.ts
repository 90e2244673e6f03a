import type { FilePath } from '../../shared/file-path.ts'
import type { JournalEntry } from '../journal/operation-row.ts'

/** What refers to nodes by their paths, and is told what becomes of them in the trash. Each may be told twice of the same. */
export interface TrashFollower {
  /** It was found after a crash that this has been moved to the trash. */
  lost?(entry: JournalEntry): Promise<void>
  /** It was found after a crash that this has been restored. */
  found?(entry: JournalEntry, to: FilePath): Promise<void>
  purged(entry: JournalEntry): Promise<void>
}

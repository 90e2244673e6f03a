import type { FilePath } from '../../shared/file-path.ts'
import type { JournalEntry } from '../journal/operation-row.ts'

/** Updates data that refers to nodes by path when they change in the trash. Each method may be called twice for the same entry. */
export interface TrashFollower {
  /** It was found after a crash that this has been moved to the trash. */
  lost?(entry: JournalEntry): Promise<void>
  /** It was found after a crash that this has been restored. */
  found?(entry: JournalEntry, to: FilePath): Promise<void>
  purged(entry: JournalEntry): Promise<void>
}

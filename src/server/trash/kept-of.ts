import type { JournalEntry } from '../journal/operation-row.ts'
import type { Kept } from '../storage/storage.ts'

/** What a deletion keeps in the trash. */
export function keptOf({ kept }: Pick<JournalEntry, 'kept'>): Kept | null {
  return kept === null ? null : { area: 'trash', ...kept }
}

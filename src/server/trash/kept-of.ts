import { fail } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { TrashedNode } from '../drive/bin.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import type { Kept } from '../storage/storage.ts'

/** What a deletion keeps in the trash. */
export function keptOf({ kept }: Pick<JournalEntry, 'kept'>): Kept | null {
  return kept === null ? null : { area: 'trash', ...kept }
}

/** @param path by the viewer */
export function nodeOf(entry: JournalEntry, path: FilePath): TrashedNode {
  const kept = keptOf(entry) ?? fail('not-found', {})
  return { id: entry.id, kept, kind: entry.folder ? 'folder' : 'file', place: entry.path, path }
}

import type { FilePath } from '../../../../shared/file-path.ts'
import type { ListedEntry, Listing } from '../../../data/listing.ts'

/** Subject of the details: an entry, the current folder, or a selection. */
export type InfoSubject =
  | { readonly kind: 'entry'; readonly entry: Pick<ListedEntry, 'path' | 'name' | 'size' | 'modified' | 'type' | 'isDir' | 'isLink'> }
  | { readonly kind: 'folder'; readonly listing: Listing }
  | { readonly kind: 'many'; readonly folderPaths: readonly FilePath[]; readonly files: number; readonly size: number }

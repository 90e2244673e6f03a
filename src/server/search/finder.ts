import type { SearchCut } from '../../shared/contract/search.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'

/** A node that was found, by the path its viewer knows it by. */
export interface Found {
  readonly path: FilePath
  readonly isFolder: boolean
}

export interface FinderOptions {
  readonly matches: (name: string, isFolder: boolean) => boolean
  readonly signal: AbortSignal
}

/**
 * Finds what matches below a folder, as far as the Drive lets its owner see it, and tells of each node as soon as it is found. Ends with why it
 * was cut short, or null. A folder that is none, or that is hidden, holds nothing. By walking (`walk-finder.ts`); whatever knows the tree may
 * take its place.
 */
export type Finder = (drive: Drive, from: FilePath, options: FinderOptions) => AsyncGenerator<Found, SearchCut | null>

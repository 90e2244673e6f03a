import type { SearchCut, SearchSnippet } from '../../shared/contract/search.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { SearchQuery } from '../../shared/search-query.ts'
import type { Drive, Listed } from '../drive/drive.ts'

/** A node that was found, by the path its viewer knows it by. */
export interface Found {
  readonly path: FilePath
  readonly isFolder: boolean
  /** Bytes; of what a link leads to. */
  readonly size: number
  /** Where contents were asked for. */
  readonly snippets?: readonly SearchSnippet[]
}

export interface FinderOptions {
  readonly query: SearchQuery
  readonly signal: AbortSignal
  /** Asked of names and kinds before more is looked up: only those it says yes to are told of. */
  readonly wants?: (node: Pick<Listed, 'name' | 'kind'>) => boolean
  /** Told of files that were read, where contents are asked for. */
  readonly onRead?: (files: number) => void
}

/** How far one search goes. All but `ms` give the same answer for the same tree, however busy the machine is. */
export interface SearchLimits {
  readonly results: number
  /** Nodes looked at, found or not, where the disk is asked for them. */
  readonly entries: number
  /** Folders below the start. */
  readonly depth: number
  readonly ms: number
}

export const SEARCH_LIMITS: SearchLimits = { results: 10_000, entries: 2_000_000, depth: 100, ms: 60_000 }

/**
 * Finds what a query asks for below a folder, as far as the Drive lets its owner see it, and tells of each node as soon as it is found. A link
 * is found by its own name, and by size and time of what it leads to. Ends with why it was cut short, or null. A folder that is none, or that is
 * hidden, holds nothing. By walking (`walk-finder.ts`), or from an index (`index-finder.ts`): with the same results.
 */
export type Finder = (drive: Drive, from: FilePath, options: FinderOptions) => AsyncGenerator<Found, SearchCut | null>

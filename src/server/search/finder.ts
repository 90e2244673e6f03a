import type { SearchCut, SearchSnippet } from '../../shared/contract/search.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { SearchQuery } from '../../shared/search-query.ts'
import type { Drive } from '../drive/drive.ts'
import type { ListedEntry } from '../drive/entry.ts'

/** A node that was found, by its viewer's path. */
export interface Found {
  readonly path: FilePath
  readonly isFolder: boolean
  /** Bytes; for a link, those of its target. */
  readonly size: number
  /** If contents were searched. */
  readonly snippets?: readonly SearchSnippet[]
}

export interface FinderOptions {
  readonly query: SearchQuery
  readonly signal: AbortSignal
  /** Checked with name and kind before more is looked up: only matching nodes are returned. */
  readonly wants?: (node: Pick<ListedEntry, 'name' | 'kind'>) => boolean
  /** Called with the number of files read, in content searches. */
  readonly onRead?: (files: number) => void
}

/** Limits of one search. All but `ms` give the same result for the same tree, however busy the machine is. */
export interface SearchLimits {
  readonly results: number
  /** Nodes looked up on the disk, found or not. */
  readonly entries: number
  /** Folder levels below the start. */
  readonly depth: number
  readonly ms: number
}

export const SEARCH_LIMITS: SearchLimits = { results: 10_000, entries: 2_000_000, depth: 100, ms: 60_000 }

/**
 * Finds what matches a query below a folder, as far as the Drive shows it, and yields each node as soon as it is found. A link matches by its own
 * name, and by size and time of its target. Returns why it was cut short, or null. A missing or hidden folder is empty. By walking
 * (`walk-finder.ts`), or from an index (`index-finder.ts`), with the same results.
 */
export type Finder = (drive: Drive, from: FilePath, options: FinderOptions) => AsyncGenerator<Found, SearchCut | null>

import type { FilePath } from '../../shared/file-path.ts'
import type { SearchQuery } from '../../shared/search-query.ts'
import type { NodeKind } from '../storage/storage.ts'

/** A node as the index knows it. Paths are storage paths; links are not resolved. */
export interface IndexedNode {
  readonly path: FilePath
  readonly kind: NodeKind
  /** In bytes, as in its folder's listing. */
  readonly size: number
  /** In milliseconds since 1970. */
  readonly modified: number
}

/** Recursive totals of a folder, without the folder itself. */
export interface Sums {
  readonly files: number
  readonly folders: number
  /** Of files and links; each hard link counts. */
  readonly bytes: number
}

export interface ChildSums {
  readonly known: IndexedNode
  readonly sums: Sums
}

export interface Counted {
  /** Whether names with a leading dot, and the content of such folders, count. */
  readonly dotfiles: boolean
}

/** Texts that change with anything below a folder. */
export interface Fingerprints {
  readonly own: string
  /** Of the folders in it, by name; empty if they were not asked for. */
  readonly children: ReadonlyMap<string, string>
}

export interface IndexState {
  /** `off`: disabled, or the root cannot be indexed. */
  readonly phase: 'off' | 'building' | 'ready'
  readonly entries: number
}

/**
 * PORT. Names, kinds, sizes and times of the whole served tree, kept up to date. It knows no users: what it returns must pass through a Drive. Each
 * query is answered with null if the folder is not completely known (disabled, still building, being read again); then the disk is read. A result may
 * be a moment older than the disk, so important facts are checked again. A result in batches fails with `busy` if the rest of it was lost.
 */
export interface TreeIndex {
  state(): IndexState
  /** Everything below a folder that matches the query, in batches, unordered. */
  find(folder: FilePath, query: SearchQuery, signal: AbortSignal): Promise<AsyncIterable<readonly IndexedNode[]> | null>
  /** Everything below a folder, in batches, a folder before its content; `enters` keeps it out of folders that a viewer must not see. */
  below(
    folder: FilePath,
    options: { signal: AbortSignal; enters?: (known: IndexedNode) => boolean | Promise<boolean> },
  ): Promise<AsyncIterable<readonly IndexedNode[]> | null>
  sums(folder: FilePath, counted: Counted): Promise<Sums | null>
  /** The folders in a folder, each with its totals; links to folders are not included. */
  childSums(folder: FilePath, counted: Counted): Promise<readonly ChildSums[] | null>
  /** Of a folder and the folders in it: another text as soon as anything below is different; the same on every server with the same disk. */
  fingerprints(folder: FilePath, asked: { children: boolean }): Promise<Fingerprints | null>
  /** Saves what it knows. */
  stop(): Promise<void>
}

/** Without an index, every query reads the disk. */
export const NO_INDEX: TreeIndex = {
  state: () => ({ phase: 'off', entries: 0 }),
  find: async () => null,
  below: async () => null,
  sums: async () => null,
  childSums: async () => null,
  fingerprints: async () => null,
  stop: async () => undefined,
}

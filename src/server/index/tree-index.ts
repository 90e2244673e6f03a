import type { FilePath } from '../../shared/file-path.ts'
import type { SearchQuery } from '../../shared/search-query.ts'
import type { NodeKind } from '../storage/storage.ts'

/** A node as the index remembers it. Paths are the storage's own, links are not resolved. */
export interface IndexedNode {
  readonly path: FilePath
  readonly kind: NodeKind
  /** In bytes, as its folder's listing tells it. */
  readonly size: number
  /** In milliseconds since 1970. */
  readonly modified: number
}

/** What lies in a folder, all the way down, the folder itself not counted. */
export interface Sums {
  readonly files: number
  readonly folders: number
  /** Of files and links, each name counted. */
  readonly bytes: number
}

export interface ChildSums {
  readonly known: IndexedNode
  readonly sums: Sums
}

export interface Counted {
  /** Whether names that begin with a dot are counted, and what lies in such folders. */
  readonly dotfiles: boolean
}

export interface IndexState {
  /** `off`: switched off, or the root cannot be indexed. */
  readonly phase: 'off' | 'building' | 'ready'
  readonly entries: number
}

/**
 * PORT. Names, kinds, sizes and times of the whole served tree, kept in step with it. Knows no people: whoever asks passes what comes through a
 * Drive. Each question is answered with null where the folder is not wholly known (switched off, still building, being read again): then the
 * disk is asked. An answer may be a moment older than the disk, so what matters is looked at again. What is told in batches fails with `busy`
 * where the rest of it was lost.
 */
export interface TreeIndex {
  state(): IndexState
  /** Everything below a folder that the query finds, in batches, in no order. */
  find(folder: FilePath, query: SearchQuery, signal: AbortSignal): Promise<AsyncIterable<readonly IndexedNode[]> | null>
  /** Everything below a folder, in batches, a folder before its content; `enters` keeps it from what a viewer may not see. */
  below(
    folder: FilePath,
    options: { signal: AbortSignal; enters?: (known: IndexedNode) => boolean },
  ): Promise<AsyncIterable<readonly IndexedNode[]> | null>
  sums(folder: FilePath, counted: Counted): Promise<Sums | null>
  /** The folders in a folder, with what lies in each; links to folders are none. */
  childSums(folder: FilePath, counted: Counted): Promise<readonly ChildSums[] | null>
  /** Writes down what it knows. */
  stop(): Promise<void>
}

/** Where there is none: every question goes to the disk. */
export const NO_INDEX: TreeIndex = {
  state: () => ({ phase: 'off', entries: 0 }),
  find: async () => null,
  below: async () => null,
  sums: async () => null,
  childSums: async () => null,
  stop: async () => undefined,
}

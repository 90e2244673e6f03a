import type { FilePath } from '../../shared/file-path.ts'
import type { Columns, Stat } from '../storage/storage.ts'

export { kindOf } from '../storage/storage.ts'

/** A node as its viewer sees it. A link shows the node that it points to; `target` says whether that worked. */
export interface Entry {
  readonly path: FilePath
  readonly name: string
  /** Of the target if `target` is `inside`, else of the node itself. */
  readonly stat: Stat
  /** Null if it is not a link. `outside` also if rules hide the target. */
  readonly target: null | 'inside' | 'outside' | 'missing'
}

/** An entry found by a walk, which reads folders only and so does not know the identity. */
export interface WalkedEntry extends Omit<Entry, 'stat'> {
  readonly stat: Omit<Stat, 'identity'>
}

/** A node as the listing of its folder describes it. */
export interface ListedEntry extends Pick<Stat, 'kind' | 'size' | 'modified'> {
  readonly name: string
}

export interface WalkOptions {
  readonly signal?: AbortSignal
  /**
   * Called for every visible node with its row of the listing (for a link, the link's), before anything else is looked up: the walk yields only
   * nodes for which this is true. Folders are entered in any case.
   */
  readonly wants?: (node: ListedEntry) => boolean
  /** Called before a folder below the start is entered; children of the start have the depth 1. */
  readonly enters?: (depth: number) => boolean
}

/** A folder's visible children as columns. Links stand in `modes` as links; `linked` has the entries of those (by index). */
export interface Children extends Columns {
  readonly linked: ReadonlyMap<number, Entry>
}

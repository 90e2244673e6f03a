import type { Right } from '../../shared/contract/endpoint.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import type { Columns, OpenFile, Stat, StagedFile } from '../storage/storage.ts'

/** A node as its viewer sees it. A link shows what it points to; `target` says how that went. */
export interface Entry {
  readonly path: FilePath
  readonly name: string
  /** Of the target where `target` is `inside`, else of the node itself. */
  readonly stat: Stat
  /** Null for what is no link. `outside` also where rules hide the target. */
  readonly target: null | 'inside' | 'outside' | 'missing'
}

/** A folder's visible children as columns. Links stand in `modes` as links; `linked` has the entries of those (by index). */
export interface Children extends Columns {
  readonly linked: ReadonlyMap<number, Entry>
}

export interface TransferOptions {
  /** Files are replaced, folders merged; needs `modify`. */
  readonly replace: boolean
  /** A taken name gets a number instead: `a(1).txt`. */
  readonly rename: boolean
  readonly signal?: AbortSignal
  /** Called after each file with the bytes done so far. */
  readonly onProgress?: (bytes: number) => void
}

/**
 * Storage as one person may use it: the only door to files. Paths are the viewer's own (`/` is what they see first). Each method places the
 * path, asks rules and hidden names for every node it touches (hidden → `not-found`), asks for its right (→ `forbidden`, for reading
 * `download-refused`), and then does it.
 */
export interface Drive {
  readonly access: Access
  may(right: Right): boolean
  /** Whether this person may see a node of that name; no look at the disk. */
  canSee(path: FilePath): boolean
  stat(path: FilePath): Promise<Entry>
  list(path: FilePath, options?: { signal?: AbortSignal }): Promise<Children>
  /** Every visible node below `path`, in the order of names, a folder before its content. Unreadable ones are passed over. Links are not entered. */
  walk(path: FilePath, options?: { signal?: AbortSignal }): AsyncIterable<Entry>
  /** Needs `download`. */
  open(path: FilePath): Promise<OpenFile>
  /** The first bytes of a file, to tell its type; needs no right. */
  sniff(path: FilePath, length: number): Promise<Uint8Array>
  /** With parents; an existing folder is fine. Needs `create`. */
  makeFolder(path: FilePath): Promise<void>
  /** Whether `put` could succeed now: place, rights, conflict, before any byte travels. */
  expect(path: FilePath, options: { replace: boolean }): Promise<void>
  /** A staged file that `put` or `save` will publish at `path`. */
  stage(id: string, path: FilePath): Promise<StagedFile>
  /** Publishes a new file, or with `replace` over an old one (needs `create`, and `modify` when one is there). Parents are created. */
  put(path: FilePath, staged: StagedFile, options: { replace: boolean; modified?: number }): Promise<Stat>
  /** Publishes over an existing file; needs `modify`. With `ifMatch`, only over that version (`precondition-failed`). */
  save(path: FilePath, staged: StagedFile, options?: { ifMatch?: string }): Promise<Stat>
  /** A node with everything below it; refuses as a whole where any of it is hidden by a rule. Needs `delete`. The root is `forbidden`. */
  remove(path: FilePath, options?: { signal?: AbortSignal }): Promise<void>
  /** Needs `create`. @returns where it ended up */
  copy(from: FilePath, to: FilePath, options: TransferOptions): Promise<FilePath>
  /** Needs `rename`. @returns where it ended up */
  move(from: FilePath, to: FilePath, options: TransferOptions): Promise<FilePath>
  space(path: FilePath): Promise<{ total: number; used: number }>
}

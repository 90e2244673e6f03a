import type { FilePath } from '../../shared/file-path.ts'
import type { Names } from '../../shared/packed-names.ts'

/** What a node is. A `special` (FIFO, socket, device) can be listed, renamed and removed, but is never opened. */
export type NodeKind = 'file' | 'folder' | 'link' | 'special'

/** What the type bits of a POSIX st_mode say. */
export function kindOf(mode: number): NodeKind {
  const type = mode & 0o170000
  if (type === 0o100000) return 'file'
  if (type === 0o040000) return 'folder'
  return type === 0o120000 ? 'link' : 'special'
}

export interface Stat {
  readonly kind: NodeKind
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970, with fractions where the adapter has them. */
  readonly modified: number
  /** POSIX st_mode, type bits included. */
  readonly mode: number
  /** Device, inode and birth time in one text: the same as long as it is the same node. */
  readonly identity: string
}

/** A folder's children as columns: 100,000 of them are moved between threads without an object each. */
export interface Columns {
  readonly names: Names
  readonly sizes: Float64Array
  readonly modified: Float64Array
  /** POSIX st_mode; its type bits tell the kind. */
  readonly modes: Uint32Array
}

export interface ListOptions {
  readonly signal?: AbortSignal
  /**
   * Told the names of a long folder as soon as they are known, so that work can begin that needs nothing else. In the order of the answer, which
   * lacks those that vanish meanwhile. Of their modes (POSIX st_mode) the type alone is known, and 0 stands where even that is not.
   */
  readonly onNames?: (names: Names, types: Uint32Array) => void
}

/** Small files of one folder, as columns in the order of the names that were asked for. */
export interface SmallFiles {
  /** All contents, one after the other. */
  readonly bytes: Uint8Array
  /** Bytes of each; -1 for one that is no regular file, too long, or could not be read: `open` tells why. */
  readonly sizes: Int32Array
  /** Milliseconds since 1970, as in `Stat`. */
  readonly modified: Float64Array
  /** CRC-32 of each content. */
  readonly crcs: Uint32Array
}

/** A file held open; whoever opened it closes it (`await using`). */
export interface OpenFile extends AsyncDisposable {
  readonly stat: Stat
  /** Of this process, where the adapter has one: for a program that reads the file by itself. Valid until closed; never to be written. Only where there
   * is a `slice` may this thread read from it. */
  readonly descriptor: number | null
  /**
   * The bytes from `start` up to, not including, `end`, as something a Response can send without copying. Valid until closed. Missing where the disk
   * may keep its readers waiting, which only `stream` and `peek` do without holding up others.
   */
  slice?(start: number, end: number): Blob
  stream(start: number, end: number): ReadableStream<Uint8Array>
  /**
   * The same bytes if they are in memory, so that nobody waits for a disk, and few; else null. The next call, of any file, overwrites them: a Response
   * has its own copy.
   */
  readNow(start: number, end: number): Uint8Array<ArrayBuffer> | null
  /** Bytes at a position, for sniffing and headers. */
  peek(start: number, length: number): Promise<Uint8Array>
  close(): Promise<void>
  /** Whether what `slice` gave is still being sent, also after the file was closed; missing where nobody can tell. */
  isHeld?(): boolean
}

/**
 * What one walk found: a name in a folder that is held open. What is done to it is done there, wherever the folder's own name may point by then.
 * Whoever asked for it closes it (`using`).
 */
export interface NodeHandle extends Disposable {
  /** From the storage's root, links resolved. */
  readonly path: FilePath
  /** As it was found, links not followed; null where nothing has the name. */
  readonly stat: Stat | null
}

/** A node that was found already, or the path to walk to it. */
export type Where = FilePath | NodeHandle

export function pathOf(where: Where): FilePath {
  return typeof where === 'string' ? where : where.path
}

export interface FindOptions {
  readonly within: FilePath
  readonly leaf: 'follow' | 'keep'
  /** As they were asked for where nothing is said. */
  readonly names?: 'asked' | 'listed'
  /**
   * Asked of each link that is followed, and of each folder that the way leaves again by `..`: what lies there must not be told by whether the way
   * leads on. `not-found` where it says no. All are passed where nothing is said.
   */
  readonly passes?: ((node: FilePath) => boolean) | undefined
}

/** Something that is watched until it is closed. */
export interface Watch {
  close(): void
}

export interface CopyOptions {
  readonly signal?: AbortSignal | undefined
  /** Called now and then with the bytes copied so far; not where the file system shares them. */
  readonly onProgress?: ((bytes: number) => void) | undefined
}

export interface AppendOptions {
  readonly signal?: AbortSignal
  /** Bytes that may be added at most; more fails with `too-large` and adds nothing beyond what fits. */
  readonly limit?: number
  /** How many bytes are announced; missing where nobody knows. */
  readonly announced?: number
  /** Called when bytes came, before they are anywhere: a sign of life of the sender. */
  readonly onBytes?: () => void
  /** Where the bytes go; what was staged beyond is void. Where it is not given: the end of what is staged. */
  readonly at?: number
  /** Bytes of the whole file. Short of them, what came is made durable before this returns; all of them `commit` makes durable. */
  readonly whole?: number
  /** Called with a size that will survive a power cut. */
  readonly onDurable?: (size: number) => void
  /** Called before each write; what it throws ends the writing, and the rest of what came is dropped. */
  readonly mayWrite?: () => void
}

/** Where nodes are kept out of sight, on the file system that held them. */
export type KeptArea = 'trash' | 'versions'

/** A node that is kept, or will be. */
export interface Kept {
  readonly area: KeptArea
  /** The uppermost folder of its file system. */
  readonly volume: FilePath
  /** Letters, digits, `-` and `_`; used once. */
  readonly id: string
}

export interface KeptStat extends Stat {
  /** That it had, and will have again. */
  readonly name: string
}

export interface DropOptions {
  readonly signal?: AbortSignal | undefined
  /** Called now and then with the number of nodes removed so far. */
  readonly onProgress?: ((removed: number) => void) | undefined
}

export interface CommitOptions {
  readonly replace: boolean
  readonly modified?: number
  readonly mode?: number
  /**
   * The regular file that is replaced, if any, is kept under this id, in one step with the replacement: the name is never free, and nothing is copied.
   * Nothing is kept where the file system cannot do that (`statKept` tells). `already-exists` if the id is used. A crash at the wrong moment leaves
   * the file under its name and kept, with one identity.
   */
  readonly keep?: Kept
}

export interface MoveOptions {
  readonly replace: boolean
  /** As for `CommitOptions`, where a file replaces another one. */
  readonly keep?: Kept
}

export interface RestoreKeptOptions extends MoveOptions {
  /** The file takes the owner and mode of the one that it replaces, and the time of now: what was kept is new content. */
  readonly asSave?: boolean
}

/** A file as it is at this moment. */
export interface FileNow {
  readonly stat: Stat
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What became of the bytes that another writer had staged: there were none, they are here now, or they have got their place meanwhile. */
export type Adopted = 'nothing' | 'adopted' | 'published'

/** Bytes on their way in: private until commit, then there in one step (invariant I6). */
export interface StagedFile {
  readonly id: string
  /** Bytes so far, whether or not they are durable; 0 when nothing was staged yet. */
  size(): Promise<number>
  /** While an append of this process goes on: makes durable what came, and tells how much that is. Null when none goes on. */
  settle(): Promise<number | null>
  /**
   * Adds bytes. When the sender fails, what arrived before stays; `storage-full` when the disk is, and then what it took. When the disk fails
   * otherwise, only what `onDurable` told of is sure.
   * @returns the size afterwards
   */
  append(bytes: ReadableStream<Uint8Array> | Uint8Array, options?: AppendOptions): Promise<number>
  /** Fills it with the content of a file of the same storage, by reflink where the file system can. */
  copyFrom(where: Where, options?: CopyOptions): Promise<void>
  /**
   * Publishes the bytes there, durable when it returns, parents must exist.
   * Fails with `already-exists` unless told to replace; the staged bytes survive that failure. An old file keeps its mode bits.
   */
  commit(where: Where, options: CommitOptions): Promise<Stat>
  discard(): Promise<void>
  /**
   * Takes over the first `size` bytes of what a writer who may still live staged under `owner`, or a name that begins with it and a dash. They
   * get a node of their own, which nobody has open; what the other one writes or publishes from now on goes nowhere.
   */
  adopt(owner: string, size: number): Promise<Adopted>
  /** Milliseconds since 1970 of the last change of any kind, which nobody can set back; null when nothing was staged. */
  changed(): Promise<number | null>
  /** Of the node that `commit` is going to publish; null where nothing was staged, and where it cannot be told beforehand. */
  identity(): Promise<string | null>
}

/**
 * Paths and bytes, no people. Every method takes paths from the storage's own root and follows no symbolic link anywhere on the way:
 * a link in the path is `not-found`. Foreign error codes are translated here: ENOENT and ENOTDIR → `not-found`, EEXIST → `already-exists`,
 * EACCES and EPERM → `forbidden`, ENOSPC and EDQUOT → `storage-full`, EMFILE → `too-many-requests`, ENAMETOOLONG and EILSEQ → `invalid-input`,
 * ENOTCONN and ESTALE → `storage-busy`, which a disk that does not keep up with its calls fails with as well. `.satchel` at any file
 * system's root is no name at all: not listed, not found, not creatable.
 */
export interface Storage {
  /** Where other servers serve the same folder: runs `work` while none of them does what is about the same node. */
  readonly exclusively?: (<T>(node: FilePath, work: () => Promise<T>) => Promise<T>) | undefined
  /**
   * Walks to a node: links are resolved from `within` on (at most 40 hops), which they may not leave. The node itself may be missing, and is then
   * named in its real folder. Fails with `not-found` where the walk leaves `within`, loops, or a parent is missing.
   * With `leaf: 'keep'` a link in the last place is not resolved. With `names: 'listed'` every node on the way that is there is named as its
   * folder lists it, which on a disk that is blind to case may be another spelling; what no folder lists is `not-found`.
   */
  find(path: FilePath, options: FindOptions): Promise<NodeHandle>
  /** Of the node itself, links not followed; null when there is none. */
  stat(where: Where): Promise<Stat | null>
  list(where: Where, options?: ListOptions): Promise<Columns>
  /** Regular files only; anything else is `not-found`. */
  open(where: Where): Promise<OpenFile>
  /**
   * A short regular file whose bytes are in memory, read at once. Null for every other, behind a link, and where anybody would have to wait: `open`
   * tells of those. Absent where nothing is read at once. The bytes are valid until the next call, and as long as nobody changes the file its `stat`
   * is the same object.
   */
  readNow?(path: FilePath): FileNow | null
  /**
   * Whether entries of one folder, none of them a link, may be read by this process, as far as can be told without opening them: 1 for yes, 0 for
   * no or who knows.
   */
  readable(folder: Where, names: readonly string[]): Promise<Uint8Array>
  /** Regular files of one folder, read whole where they are no longer than `mostBytes`: for many at a time, which `open` would do one by one. */
  readSmall(folder: Where, names: readonly string[], options: { mostBytes: number }): Promise<SmallFiles>
  /** One new folder; `already-exists` when anything has the name. */
  makeFolder(where: Where): Promise<void>
  /**
   * In one step, for files and folders. Without `replace` an existing target fails with `already-exists`. With it a file replaces a file and an
   * empty folder is replaced by a folder; a folder that is not empty fails with `already-exists`.
   * @returns false where source and target are on different file systems, and nothing was done
   */
  move(from: Where, to: Where, options: MoveOptions): Promise<boolean>
  /** One file, link, special, or empty folder. */
  remove(where: Where): Promise<void>
  /**
   * The volume on which what is at `where` can be kept. Null where nothing can be: nothing is there, the root, a mount point, a folder with a mount
   * below it, a disk that takes no `.satchel` from us.
   */
  keepingVolume(where: Where): Promise<FilePath | null>
  /**
   * Moves a node, with everything below it, out of sight in one step, durable when it returns. `already-exists` if the id is used.
   * Where the disk fails in between, `statKept` tells whether it was moved.
   * @returns what was kept; null where its file system turns out not to be that of `kept.volume`, and nothing was done
   */
  keep(where: Where, kept: Kept): Promise<Stat | null>
  /**
   * A kept node; null where there is none, also while it is being dropped. As the other calls about kept nodes `storage-busy` where the volume is not
   * there now: nobody knows then.
   */
  statKept(kept: Kept): Promise<KeptStat | null>
  /** As `list`, of a kept folder or one below it. @param path from the kept node on, which is ROOT */
  listKept(kept: Kept, path: FilePath): Promise<Columns>
  /** As `open`, of a kept file or one in a kept folder. */
  openKept(kept: Kept, path: FilePath): Promise<OpenFile>
  /**
   * Brings a kept node back in one step, durable when it returns. As `move`: `already-exists` without `replace` where something has the name, and always
   * for a folder that is not empty; the parent must exist.
   * @returns false where the target is on another file system, and nothing was done
   */
  restoreKept(kept: Kept, to: Where, options: RestoreKeptOptions): Promise<boolean>
  /**
   * Removes a kept node with everything below it. Out of reach in one step, then gone in many, between which it can be stopped: called again it goes on.
   * What is gone already is fine. Fails with the reason for what stays, after everything else is gone; `busy` for what is mounted below.
   */
  dropKept(kept: Kept, options?: DropOptions): Promise<void>
  /**
   * Everything kept on the volumes that answer, for recovery, and what is left of unfinished calls: `statKept` knows nothing of that, and `dropKept`
   * clears it away.
   */
  keptNodes(area: KeptArea): Promise<Kept[]>
  /**
   * A staged file, new or taken up again under the same id, to be published in the folder of `near` (its file system holds the bytes).
   * @param options.isNew the id was never used before, so nothing of it can be anywhere
   */
  stage(id: string, options: { near: Where; isNew?: boolean }): StagedFile
  /** Every staged id that exists, for the sweep. */
  staged(): Promise<string[]>
  /**
   * Tells of changes among a folder's entries, whoever makes them, by the name that changed; '' where that is not known. Changes may be told
   * more than once and late, and after the folder went another way, so it is watched anew from time to time.
   * @returns null where nobody tells of changes, such as on another machine's disk
   */
  watch(folder: Where, onChange: (name: string) => void): Promise<Watch | null>
  /**
   * A text that is kept in a folder, out of sight, and goes wherever it goes: what tells it from a later one of its name and number where the disk
   * knows no times of birth. With `make` a folder that has none gets one. Null where it has none, or can hold none, and for what is no folder.
   */
  folderMark(where: Where, options: { make: boolean }): Promise<string | null>
  /** Bytes of the file system that holds it. */
  space(where: Where): Promise<{ total: number; used: number }>
}

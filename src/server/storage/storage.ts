import type { FilePath } from '../../shared/file-path.ts'
import { type Names, pickNames } from '../../shared/packed-names.ts'
import type { RootFacts } from './root-facts.ts'

/** What a node is. A `special` (FIFO, socket, device) can be listed, renamed and removed, but is never opened. */
export type NodeKind = 'file' | 'folder' | 'link' | 'special'

/** The kind in the type bits of a POSIX st_mode. */
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
  /** Milliseconds since 1970, with fractions if the adapter has them. */
  readonly modified: number
  /** POSIX st_mode, type bits included. */
  readonly mode: number
  /** Device, inode and birth time in one string; different for different nodes. */
  readonly identity: string
}

/** A folder's children as columns, so that 100,000 of them pass between threads without one object each. */
export interface Columns {
  readonly names: Names
  readonly sizes: Float64Array
  readonly modified: Float64Array
  /** POSIX st_mode, type bits included. */
  readonly modes: Uint32Array
  /** As `Stat.identity`, if asked for; empty if unknown. */
  readonly identities?: Names
}

/** Some rows of a folder, in this order. */
export function pickRows({ names, sizes, modified, modes, identities }: Columns, rows: readonly number[]): Columns {
  return {
    names: pickNames(names, rows),
    sizes: Float64Array.from(rows, (row) => sizes[row] ?? 0),
    modified: Float64Array.from(rows, (row) => modified[row] ?? 0),
    modes: Uint32Array.from(rows, (row) => modes[row] ?? 0),
    ...(identities !== undefined && { identities: pickNames(identities, rows) }),
  }
}

export interface ListOptions {
  readonly identities?: boolean
  readonly signal?: AbortSignal
  /**
   * Called with the names of a long folder as soon as they are known, in the order of the result, which omits entries removed meanwhile. Only the
   * type bits of the modes (POSIX st_mode) are set; 0 if unknown.
   */
  readonly onNames?: (names: Names, types: Uint32Array) => void
}

/** Small files of one folder, as columns in the order of the requested names. */
export interface SmallFiles {
  /** All contents, one after the other. */
  readonly bytes: Uint8Array
  /** Bytes of each; -1 if it is not a regular file, is too long, or could not be read: `open` fails with the reason. */
  readonly sizes: Int32Array
  /** Milliseconds since 1970, as in `Stat`. */
  readonly modified: Float64Array
  /** CRC-32 of each content. */
  readonly crcs: Uint32Array
}

/** An open file; the caller of `open` closes it (`await using`). */
export interface OpenFile extends AsyncDisposable {
  readonly stat: Stat
  /** A descriptor of this process, if the adapter has one, for a program that reads the file itself. Valid until closed; never written. This thread
   * may read from it only if there is a `slice`. */
  readonly descriptor: number | null
  /**
   * The bytes from `start` up to, not including, `end`, in a form that a Response sends without copying. Valid until closed. Missing if reading from
   * the disk may block; `stream` and `peek` then read in another thread.
   */
  slice?(start: number, end: number): Blob
  stream(start: number, end: number): ReadableStream<Uint8Array>
  /**
   * The same bytes if they are few and in memory, so that no disk is read; otherwise null. The next call, for any file, overwrites them; a Response
   * copies them.
   */
  readNow(start: number, end: number): Uint8Array<ArrayBuffer> | null
  /** Bytes at a position, for sniffing and headers. */
  peek(start: number, length: number): Promise<Uint8Array>
  close(): Promise<void>
  /** Whether a result of `slice` is still being sent, also after the file was closed; missing if that is unknown. */
  isHeld?(): boolean
}

/**
 * The result of a walk: a name in an open folder. Operations on it act in that folder, even if the folder's own name means another one by then.
 * The caller closes it (`using`).
 */
export interface NodeHandle extends Disposable {
  /** From the storage's root, links resolved. */
  readonly path: FilePath
  /** The result of `lstat` at the time of the walk; null if nothing has the name. */
  readonly stat: Stat | null
}

/** The handle of a node, or the path to walk to it. */
export type Where = FilePath | NodeHandle

export function pathOf(where: Where): FilePath {
  return typeof where === 'string' ? where : where.path
}

export interface FindOptions {
  readonly within: FilePath
  readonly leaf: 'follow' | 'keep'
  /** `asked` by default. */
  readonly names?: 'asked' | 'listed'
  /**
   * Called for each followed link and each folder left by `..`. If it returns false, the result is `not-found`, which reveals nothing about the
   * target.
   */
  readonly passes?: ((node: FilePath) => boolean) | undefined
}

/** An active watch. */
export interface Watch {
  close(): void
}

export interface CopyOptions {
  readonly signal?: AbortSignal | undefined
  /** Called from time to time with the bytes copied so far; never if the file system shares the blocks. */
  readonly onProgress?: ((bytes: number) => void) | undefined
}

export interface AppendOptions {
  readonly signal?: AbortSignal
  /** The maximum number of bytes to add; more fails with `too-large` after adding what fits. */
  readonly limit?: number
  /** The announced number of bytes; missing if unknown. */
  readonly announced?: number
  /** Called when bytes arrive, before they are written: the sender is alive. */
  readonly onBytes?: () => void
  /** The offset of the bytes; staged bytes beyond it are discarded. By default the end of the staged bytes. */
  readonly at?: number
  /** Size of the whole file. If the append ends before it, the bytes are durable when it returns; otherwise `commit` makes them durable. */
  readonly whole?: number
  /** Called with the size that survives a power failure. */
  readonly onDurable?: (size: number) => void
  /** Called before each write; if it throws, writing ends and the remaining bytes are discarded. */
  readonly mayWrite?: () => void
}

/** The private folder for kept nodes, on the file system that held them. */
export type KeptArea = 'trash' | 'versions'

/** The address of a kept node: the uppermost folder of its file system, and letters, digits, `-` and `_`, used once. */
export interface Kept {
  readonly area: KeptArea
  readonly volume: FilePath
  readonly id: string
}

export interface KeptStat extends Stat {
  /** The name before and after. */
  readonly name: string
}

export interface DropOptions {
  readonly signal?: AbortSignal | undefined
  /** Called from time to time with the number of nodes removed so far. */
  readonly onProgress?: ((removed: number) => void) | undefined
}

export interface CommitOptions {
  readonly replace: boolean
  readonly modified?: number
  readonly mode?: number
  /**
   * A replaced regular file is kept under this id, in one step with the replacement: the name is never free, and nothing is copied. If the file system
   * cannot do that, nothing is kept (see `statKept`). `already-exists` if the id is used. A crash in between may leave the file both under its name
   * and kept, with the same identity.
   */
  readonly keep?: Kept
}

export interface MoveOptions {
  readonly replace: boolean
  /** Like that of `CommitOptions`, if a file replaces another one. */
  readonly keep?: Kept
}

export interface RestoreKeptOptions extends MoveOptions {
  /** The file gets the owner and mode of the one that it replaces, and the current time: the kept content is a new version. */
  readonly asSave?: boolean
}

/** A snapshot of the served folder. */
export interface Snapshot {
  readonly name: string
  /** When it was taken; milliseconds since 1970. For some it is only known to be no earlier than this (docs/operating.md). */
  readonly at: number
}

/** A node in a snapshot; `modified` as in `Stat`. */
export type InSnapshot = Pick<Stat, 'kind' | 'size' | 'modified'>

/** PORT: snapshots of the served folder, which nothing here changes. Names are those that `list` returned. */
export interface SnapshotStorages {
  /** In no order. */
  list(): Promise<readonly Snapshot[]>
  /** The node at a path (segments) in each of these, no link followed; null where there is none, or it cannot be reached. */
  look(names: readonly string[], path: readonly string[]): Promise<readonly (InSnapshot | null)[]>
  /**
   * One as a storage, until `release` is called; files that were opened stay open. Fails with `not-found` if there is none of this name any more, and
   * with `too-many-requests` if too many are in use.
   */
  open(name: string): Promise<{ readonly storage: Storage; readonly release: () => void }>
  stop(): void
}

/** A folder that may hold a private folder. */
export interface PrivatePlace {
  readonly path: FilePath
  /** Whether it is the uppermost folder of a file system; otherwise it shows that of another place, as a snapshot or a second mount does. */
  readonly isVolume: boolean
  /** Whether this storage has used its private folder, or was about to. */
  readonly isUsed: boolean
  /** Whether its calls need neither another machine nor a program. */
  readonly isLocal: boolean
}

/** A file at the time of the call. */
export interface FileNow {
  readonly stat: Stat
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The result of taking over staged bytes: there were none, they were taken over, or they were published meanwhile. */
export type Adopted = 'nothing' | 'adopted' | 'published'

/** Incoming bytes: private until `commit` publishes them in one step (invariant I6). */
export interface StagedFile {
  readonly id: string
  /** Bytes so far, durable or not; 0 if nothing is staged yet. */
  size(): Promise<number>
  /** Makes the bytes of a running append of this process durable. @returns the durable size; null if no append is running */
  settle(): Promise<number | null>
  /**
   * Adds bytes. If the sender fails, the bytes received so far remain; if the disk is full (`storage-full`), the bytes that fitted. After any other
   * failure of the disk only the size passed to `onDurable` is certain.
   * @returns the size afterwards
   */
  append(bytes: ReadableStream<Uint8Array> | Uint8Array, options?: AppendOptions): Promise<number>
  /** Fills it with the content of a file of the same storage, by reflink if the file system can. */
  copyFrom(where: Where, options?: CopyOptions): Promise<void>
  /**
   * Publishes the bytes at `where`, durable when it returns; the parent must exist.
   * Fails with `already-exists` without `replace`; the staged bytes survive that failure. A replaced file keeps its mode bits.
   */
  commit(where: Where, options: CommitOptions): Promise<Stat>
  discard(): Promise<void>
  /**
   * Takes over the first `size` bytes that another writer, which may still run, staged under `owner` or a name that begins with it and a dash. They
   * get a new node that no writer has open; from now on the other writer can neither change nor publish them.
   */
  adopt(owner: string, size: number): Promise<Adopted>
  /** Milliseconds since 1970 of the last change of any kind (ctime, which cannot be set back); null if nothing is staged. */
  changed(): Promise<number | null>
  /** The identity of the node that `commit` will publish; null if nothing is staged or it is not known in advance. */
  identity(): Promise<string | null>
  /** The staged bytes, to be brought to another storage; the caller closes it. Missing if the adapter cannot read them. */
  read?(): Promise<OpenFile>
}

/**
 * Paths and bytes, without users. Every method takes paths from the storage's root and follows no symbolic link in them:
 * a link in the path is `not-found`. System errors become application errors: ENOENT and ENOTDIR → `not-found`, EEXIST → `already-exists`,
 * EACCES and EPERM → `forbidden`, ENOSPC and EDQUOT → `storage-full`, EMFILE → `too-many-requests`, ENAMETOOLONG and EILSEQ → `invalid-input`,
 * ENOTCONN and ESTALE → `storage-busy`, which also means that a disk is not connected or cannot keep up with its calls. The name `.satchel` at the root of a file
 * system is reserved: not listed, not found, not creatable.
 */
export interface Storage extends RootFacts {
  /** The storage to which this one passes its calls on: both share their locks. */
  readonly base?: Storage
  /**
   * If other servers serve the same folder: runs `work` while no other server works on the same nodes. Work that holds a node may ask for paths below
   * `/.satchel` (of locks, not of nodes) as well, but not for another node; several are asked for in one call.
   */
  readonly exclusively?: (<T>(nodes: FilePath | readonly FilePath[], work: () => Promise<T>) => Promise<T>) | undefined
  /**
   * Walks to a node: links are resolved from `within` on (at most 40 hops), which they may not leave. The node itself may be missing, and is then
   * named in its real folder. Fails with `not-found` if the walk leaves `within`, loops, or a parent is missing.
   * With `leaf: 'keep'` a link in the last segment is not resolved. With `names: 'listed'` every existing node has the name that its folder
   * lists, which on a case-insensitive disk may be another spelling; a node that no folder lists is `not-found`.
   */
  find(path: FilePath, options: FindOptions): Promise<NodeHandle>
  /** Does not follow links; null if there is no node. */
  stat(where: Where): Promise<Stat | null>
  list(where: Where, options?: ListOptions): Promise<Columns>
  /** Regular files only; anything else is `not-found`. */
  open(where: Where): Promise<OpenFile>
  /**
   * Reads a short regular file whose bytes are in memory, without waiting. Null for any other node, behind a link, and if the call would block: use
   * `open` for those. Missing if the adapter cannot do this. The bytes are valid until the next call; `stat` is the same object until the file
   * changes.
   */
  readNow?(path: FilePath): FileNow | null
  /**
   * Whether this process may read entries of one folder, none of them a link, as far as can be found without opening them: 1 for yes, 0 for no or
   * unknown.
   */
  readable(folder: Where, names: readonly string[]): Promise<Uint8Array>
  /** Reads many regular files of one folder at once, each whole if it is no longer than `mostBytes`. */
  readSmall(folder: Where, names: readonly string[], options: { mostBytes: number }): Promise<SmallFiles>
  /** Makes one folder; `already-exists` if anything has the name. */
  makeFolder(where: Where): Promise<void>
  /**
   * Moves a file or folder in one step. Without `replace` an existing target fails with `already-exists`. With it a file replaces a file and a
   * folder replaces an empty folder; a folder that is not empty fails with `already-exists`.
   * @returns false if source and target are on different file systems; nothing was done
   */
  move(from: Where, to: Where, options: MoveOptions): Promise<boolean>
  /** Removes one file, link, special, or empty folder. */
  remove(where: Where): Promise<void>
  /**
   * The volume that can keep the node at `where`. Null if none can: there is no node, or it is the root, a mount point or a folder with a mount below
   * it, or this process cannot make `.satchel` on its disk.
   */
  keepingVolume(where: Where): Promise<FilePath | null>
  /**
   * Moves a node, with everything below it, to the private folder in one step, durable when it returns. `already-exists` if the id is used.
   * If the disk fails in between, `statKept` shows whether it was moved.
   * @returns the kept node; null if its file system is not that of `kept.volume`; nothing was done
   */
  keep(where: Where, kept: Kept): Promise<Stat | null>
  /**
   * A kept node; null if there is none, also while it is being dropped. Like the other calls for kept nodes, fails with `storage-busy` if the volume is
   * not mounted, because the answer is unknown then.
   */
  statKept(kept: Kept): Promise<KeptStat | null>
  /**
   * Gives a kept file the mode bits and the time that it had (milliseconds since 1970), durable when it returns: those of a save that came to nothing are
   * not its own. Does nothing if no file is kept.
   */
  resetKept(kept: Kept, attributes: { readonly mode: number; readonly modified: number }): Promise<void>
  /** Like `list`, for a kept folder or one below it. @param path relative to the kept node, which is ROOT */
  listKept(kept: Kept, path: FilePath): Promise<Columns>
  /** Like `open`, for a kept file or one in a kept folder. */
  openKept(kept: Kept, path: FilePath): Promise<OpenFile>
  /**
   * Moves a kept node to `to` in one step, durable when it returns. Like `move`: `already-exists` without `replace` if anything has the name, and always
   * for a folder that is not empty; the parent must exist.
   * @returns false if the target is on another file system; nothing was done
   */
  restoreKept(kept: Kept, to: Where, options: RestoreKeptOptions): Promise<boolean>
  /**
   * Removes a kept node with everything below it: hides it in one step, then removes it in many, between which it can be stopped; another call
   * continues. Succeeds if the node is gone already. If something cannot be removed, everything else is removed first and the reason thrown; `busy`
   * for a mount below.
   */
  dropKept(kept: Kept, options?: DropOptions): Promise<void>
  /**
   * All kept nodes on the volumes that answer, for recovery, and the remains of unfinished calls: `statKept` returns null for those, and `dropKept`
   * removes them.
   */
  keptNodes(area: KeptArea): Promise<Kept[]>
  /**
   * Where private folders are or may be, at and below a folder: mounts, Btrfs subvolumes and snapshots, and volumes used so far. Copies that others made
   * with ordinary programs are not found.
   */
  privatePlaces(folder: FilePath): Promise<PrivatePlace[]>
  /** Calls `before` each time before this storage may make a private folder on a volume, and waits for it. */
  onPrivateUse(before: (volume: FilePath) => Promise<void> | void): void
  /** Volumes that hold kept nodes, as somebody remembers them from an earlier start: `keptNodes` asks those that are there, too. */
  learnVolumes(volumes: readonly FilePath[]): Promise<void>
  /**
   * A staged file, new or continued under the same id, to be published in the folder of `near` (its file system holds the bytes).
   * @param options.isNew the id was never used before, so that nothing can be staged under it
   * @param options.announced the length of the file, if its sender says so
   * @param options.from the reservation of room from which it takes its bytes (`drive/room.ts`)
   */
  stage(id: string, options: { near: Where; isNew?: boolean; from?: string | undefined; announced?: number | undefined }): StagedFile
  /** All staged ids, for the sweep. */
  staged(): Promise<string[]>
  /**
   * Reports changes in a folder by name, or '' if unknown; possibly late, twice, or not at all after the folder moved.
   * @returns null if changes are not reported, as on a network file system
   */
  watch(folder: Where, onChange: (name: string) => void): Promise<Watch | null>
  /**
   * A marker stored in the folder; identifies it on file systems without birth times. With `make`, creates a missing one. Null if there is none, the
   * folder cannot hold one, or the node is not a folder.
   */
  folderMark(where: Where, options: { make: boolean }): Promise<string | null>
  /** Total and used bytes of the file system that holds the node. */
  space(where: Where): Promise<{ total: number; used: number }>
}

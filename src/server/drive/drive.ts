import type { Right } from '../../shared/contract/endpoint.ts'
import { fail } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { type Access, canSee } from '../access/access.ts'
import { rightsOf } from '../access/permissions.ts'
import type { Columns, ListOptions, OpenFile, SmallFiles, Stat, StagedFile, Storage, Watch } from '../storage/storage.ts'
import { copyTo } from './copy.ts'
import { entryAt, listFolder, watchFolder, withVisible } from './entries.ts'
import { moveTo } from './move.ts'
import { type SubtreeView, subtreeViewOf } from './subtree-view.ts'
import { requireRights } from './pause.ts'
import { type DriveContext, openDriveContext, seenAs } from './context.ts'
import { expectPut, putAt, requireUtf8, saveAt } from './publish.ts'
import { removeAt } from './remove.ts'
import { findTarget, makeFolders, spaceAt } from './target-path.ts'
import { stageAt, type StageOptions } from './stage.ts'
import { walkBelow } from './walk.ts'

/** A node as its viewer sees it. A link shows what it points to; `target` says how that went. */
export interface Entry {
  readonly path: FilePath
  readonly name: string
  /** Of the target where `target` is `inside`, else of the node itself. */
  readonly stat: Stat
  /** Null for what is no link. `outside` also where rules hide the target. */
  readonly target: null | 'inside' | 'outside' | 'missing'
}

/** An entry met on a walk, which does not look at every node by itself and so cannot tell its identity. */
export interface Walked extends Omit<Entry, 'stat'> {
  readonly stat: Omit<Stat, 'identity'>
}

/** A node as its folder's listing tells of it. */
export interface Listed extends Pick<Stat, 'kind' | 'size' | 'modified'> {
  readonly name: string
}

export interface WalkOptions {
  readonly signal?: AbortSignal
  /**
   * Asked of every visible node before more is looked up, with what its folder's listing says of it (of a link, the link): only those it says yes
   * to are told of. Folders are entered all the same.
   */
  readonly wants?: (node: Listed) => boolean
  /** Asked before a folder below the start is entered; what lies in the start itself has the depth 1. */
  readonly enters?: (depth: number) => boolean
}

/** A folder's visible children as columns. Links stand in `modes` as links; `linked` has the entries of those (by index). */
export interface Children extends Columns {
  readonly linked: ReadonlyMap<number, Entry>
}

export interface DeedOptions {
  /**
   * Awaited when everything was checked and nothing was changed yet, with the place where the result is going to be; its failure is the deed's.
   * Called once, and not where there is nothing to do.
   */
  readonly ready?: (path: FilePath) => Promise<void>
}

export interface TransferOptions extends DeedOptions {
  /** Files are replaced, folders merged; needs `modify`. */
  readonly replace: boolean
  /** A taken name gets a number instead: `a(1).txt`. Wins over `replace`. */
  readonly rename: boolean
  readonly signal?: AbortSignal
  /** Called after each file, and now and then within a large one, with the bytes done so far. A rename within one file system moves none. */
  readonly onProgress?: (bytes: number) => void
  /** Of a move: called with the bytes that are to be copied, as far as that is known, before they are. A rename within one file system copies none. */
  readonly onTotal?: (bytes: number) => void
}

/**
 * Storage as one person may use it: the only door to files. Paths are the viewer's own (`/` is what they see first). Each method asks for its
 * right first (→ `forbidden`, for reading `download-refused`), so that who lacks it learns nothing of what is there; then it places the path
 * and asks rules and hidden names for every node it touches, by the name that was asked for and by the one it really has (hidden →
 * `not-found`); then it does it. Failures name the viewer's paths. Names that are not UTF-8 can be listed, moved and removed; where a method
 * reads or makes content, they are `invalid-input`.
 */
export interface Drive {
  /** As of the last step: a Drive is brought up to date before each (`Access.latest`). */
  readonly access: Access
  /**
   * Brings `access` and `may` up to date; undefined where they are, without waiting. Every method that touches a file does so by itself: this is
   * for code that continues with what it was given, between two blocks. Fails as `Access.latest` does.
   */
  renew(): Promise<void> | undefined
  may(right: Right): boolean
  /** Whether this person may see a node of that name; no look at the disk. */
  canSee(path: FilePath): boolean
  stat(path: FilePath): Promise<Entry>
  /** Where it really is: from the storage's root, links resolved (but, with `keep`, not one in the last place). */
  place(path: FilePath, leaf: 'follow' | 'keep'): Promise<FilePath>
  /** `not-found` for what is no folder. Early names are told only where all of them may be seen. */
  list(path: FilePath, options?: ListOptions): Promise<Children>
  /**
   * Every visible node below the folder `path`, in the order of names (code units), a folder before its content. Unreadable folders are passed
   * over. Links are not entered.
   */
  walk(path: FilePath, options?: WalkOptions): AsyncIterable<Walked>
  /** Needs `download`. Regular files only; anything else is `not-found`. */
  open(path: FilePath): Promise<OpenFile>
  /** Needs `download`. 1 for each visible entry of a folder, by name, that could be opened as far as rights go; 0 where `open` has to tell. */
  readable(folder: FilePath, names: readonly string[]): Promise<Uint8Array>
  /**
   * Needs `download`. Files of one folder by name, those that are no longer than `mostBytes` read whole. What is hidden, a link, not readable or
   * otherwise not so simple has the size -1: `open` opens it, or tells why not.
   */
  readSmall(folder: FilePath, names: readonly string[], options: { mostBytes: number }): Promise<SmallFiles>
  /** The first bytes of a file, to tell its type; needs no right. */
  sniff(path: FilePath, length: number): Promise<Uint8Array>
  /** With parents; an existing folder is fine. Needs `create`. */
  makeFolder(path: FilePath, options?: DeedOptions): Promise<void>
  /** Whether `put` could succeed now: place, rights, conflict, before any byte travels. */
  expect(path: FilePath, options: { replace: boolean }): Promise<void>
  /** A staged file that `put` or `save` will publish at `path`. Needs `create` or `modify`. */
  stage(path: FilePath, options: StageOptions): Promise<StagedFile>
  /**
   * Publishes a new file, or with `replace` over an old one (needs `create`, and `modify` when one is there). Parents are created. Only a
   * regular file is ever replaced; a folder, a special or a link that leads to none is `already-exists`.
   */
  put(path: FilePath, staged: StagedFile, options: DeedOptions & { replace: boolean; modified?: number }): Promise<Stat>
  /** Publishes over an existing file; needs `modify`. With `ifMatch` (a header's list of ETags), only over that version (`precondition-failed`). */
  save(path: FilePath, staged: StagedFile, options?: DeedOptions & { ifMatch?: string }): Promise<Stat>
  /**
   * A node with everything below it; of a link, the link. Needs `delete`. The root is `forbidden`, and so is a folder that holds anything
   * which a rule denies: nothing is removed then. Hidden dotfiles go along with their folder.
   */
  remove(path: FilePath, options?: DeedOptions & { signal?: AbortSignal }): Promise<void>
  /**
   * Needs `create`. Leaves out what the viewer cannot see, links that cannot be followed, and specials; copies what other links point to. Is
   * `forbidden` as a whole where a rule denies a place that something would get. @returns where it ended up
   */
  copy(from: FilePath, to: FilePath, options: TransferOptions): Promise<FilePath>
  /** Needs `rename`. As with `remove`, a folder that holds what a rule denies, here or there, is `forbidden`. @returns where it ended up */
  move(from: FilePath, to: FilePath, options: TransferOptions): Promise<FilePath>
  /**
   * Tells when something that the viewer may see in a folder changed, whoever did it, perhaps twice. Where the folder goes another way it is
   * lost sight of, so watch anew from time to time. @returns null where nobody tells of changes
   */
  watch(path: FilePath, onChange: () => void): Promise<Watch | null>
  /** For whoever knows the tree from elsewhere: where a folder really is, and what its viewer may see below it. `not-found` for what is no folder. */
  subtree(path: FilePath): Promise<SubtreeView>
  /** What tells a folder from a later one of its place and number, as `Storage.folderMark` has it; null for what is no folder. */
  folderMark(path: FilePath, options: { make: boolean }): Promise<string | null>
  /** Of the file system that holds `path`, or would hold it. */
  space(path: FilePath): Promise<{ total: number; used: number }>
  /**
   * The same Drive for an answer that must not look whole when something was denied after it began: what could be seen then and cannot now fails
   * with `access-changed`, and is not left out. Copies, moves and removals always work so.
   */
  strict(): Drive
}

export function openDrive(storage: Storage, access: Access): Drive {
  return driveOn(openDriveContext(storage, access))
}

function driveOn(context: DriveContext): Drive {
  const { storage } = context
  const may = (right: Right): boolean => rightsOf(context.access.may)[right]
  const need = async (...rights: Right[]): Promise<void> => {
    await context.renew()
    requireRights(context, rights)
  }
  const needDownload = (): void => void (may('download') || fail('download-refused', {}))

  return {
    get access() {
      return context.access
    },
    renew: context.renew,
    may,
    canSee: (path) => canSee(context.access, path),
    stat: (path) => entryAt(context, path),
    async place(path, leaf) {
      using found = await context.find(path, leaf)
      return found.stat === null ? fail('not-found', { path }) : found.node
    },
    list: (path, options) => listFolder(context, path, options),
    walk: (path, options) => walkBelow(context, path, options),
    async open(path) {
      await context.renew()
      needDownload()
      using found = await context.find(requireUtf8(path), 'follow')
      return await seenAs(path, storage.open(found.handle))
    },
    async readable(path, names) {
      await context.renew()
      needDownload()
      return withVisible(context, path, names, (folder, shown) => storage.readable(folder, shown))
    },
    async readSmall(path, names, options) {
      await context.renew()
      needDownload()
      return withVisible(context, path, names, (folder, shown) => storage.readSmall(folder, shown, options))
    },
    async sniff(path, length) {
      using found = await context.find(path, 'follow')
      await using file = await seenAs(path, storage.open(found.handle))
      return await file.peek(0, length)
    },
    async makeFolder(path, options) {
      await need('create')
      using target = await findTarget(context, requireUtf8(path), 'follow')
      if (target.stat?.kind === 'folder') return
      if (target.stat !== null) fail('already-exists', { path })
      await options?.ready?.(path)
      await makeFolders(context, [...target.missing, target.place])
    },
    async expect(path, options) {
      await need('create')
      await expectPut(context, path, { ...options, mayModify: may('modify') })
    },
    stage: (path, options) => stageAt(context, path, options),
    async put(path, staged, options) {
      await need('create')
      return putAt(context, path, staged, { ...options, mayModify: may('modify') })
    },
    async save(path, staged, options) {
      await need('modify')
      return saveAt(context, path, staged, options)
    },
    async remove(path, options) {
      await need('delete')
      await removeAt(context, path, options)
    },
    async copy(from, to, options) {
      await need('create', ...(options.replace ? (['modify'] as const) : []))
      return copyTo(context, from, to, options)
    },
    async move(from, to, options) {
      await need('rename', ...(options.replace ? (['modify'] as const) : []))
      return moveTo(context, from, to, options)
    },
    watch: (path, onChange) => watchFolder(context, path, onChange),
    subtree: (path) => subtreeViewOf(context, path),
    async folderMark(path, options) {
      using found = await context.find(path, 'follow')
      return await seenAs(path, storage.folderMark(found.handle, options))
    },
    space: (path) => spaceAt(context, path),
    strict: () => driveOn(context.strict),
  }
}

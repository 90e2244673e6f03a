import type { Right } from '../../shared/contract/endpoint.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, joinPath, ROOT } from '../../shared/file-path.ts'
import type { Permissions } from '../../shared/contract/users.ts'
import { type Access, canSee, inStorage, mayAnywhere, rightsAt } from '../access/access.ts'
import type { ListOptions, OpenFile, SmallFiles, Stat, StagedFile, Storage, Watch } from '../storage/storage.ts'
import type { Children, Entry, WalkedEntry, WalkOptions } from './entry.ts'
import { NO_BIN, type Trashed, type TrashedNode } from './bin.ts'
import type { BringBackOptions, OperationOptions, PutBackOptions, RemoveOptions, RestoreOptions, TransferOptions } from './operation.ts'
import { copyTo } from './copy.ts'
import { entryAt, listFolder, watchFolder, withReadable } from './read-entries.ts'
import { moveTo } from './move.ts'
import { type SubtreeView, subtreeViewOf } from './subtree-view.ts'
import { whenReady } from './checkpoint.ts'
import { type DriveContext, type Keeping, openDriveContext, withErrorPath } from './context.ts'
import { expectPut, putAt, requireUtf8, saveAt, type SaveOptions } from './publish.ts'
import { NO_RECORDER } from './recorder.ts'
import { removeAt } from './remove.ts'
import { type AnnouncedFile, reserveFor } from './reserve.ts'
import { askedPlace, hasSameRightsBelow, refuseTransfer, requireDownload, requireRights, rightsOfPlace } from './rights.ts'
import { refusePurge, restoreAt } from './restore.ts'
import { NO_ROOM, type ReservedFor } from './room.ts'
import { findTarget, makeFolders, spaceAt } from './target-path.ts'
import { stageAt, type StageOptions } from './stage.ts'
import { type FileHistory, historyAt, openVersionAt, removeVersionAt, restoreVersionAt } from './use-versions.ts'
import { bringBackAt, type OldContent, putBackAt } from './put-back.ts'
import { NO_VERSIONS, type Version } from './versions.ts'
import { walkBelow } from './walk.ts'

/**
 * The storage as one user may use it: the only way to file content. Paths are the viewer's own (`/` is the folder that they see first). Each method
 * first checks its right (`forbidden`; `download-refused` for reading), so that a user without it learns nothing about the tree. Then it resolves
 * the path and applies rules and hidden names to every node it touches, both by the requested and by the real path (`not-found` if hidden). Errors
 * name the viewer's paths. Names that are not UTF-8 can be listed, moved and removed; methods that read or create content reject them
 * (`invalid-input`).
 */
export interface Drive {
  /** As of the last step; every method updates it first (`Access.latest`). */
  readonly access: Access
  /**
   * Updates `access` and `may`; undefined if they are current, without waiting. Every method that touches a file does this itself; call it
   * between two blocks of work that needs no further method. Fails as `Access.latest` does.
   */
  renew(): Promise<void> | undefined
  /** Whether the viewer has a right to a node of that name, existing or not; does not read the disk, so it says nothing about links. */
  may(right: Right, path: FilePath): boolean
  /** Whether nothing at and below a path can be changed, whatever the viewer may: changes fail with `read-only`. */
  isReadOnly(path: FilePath): boolean
  /** Names in a folder whose disks are not connected; as far as known. */
  awayIn(folder: FilePath): readonly string[]
  /** Whether the viewer has a right to anything at all: without it, every call that needs it can be refused at once. */
  mayAnywhere(right: Right): boolean
  /** Whether everything below has the rights of the folder itself, as far as this is known without reading the tree. */
  sameRightsBelow(folder: FilePath): boolean
  /** What the viewer may do with a node, links resolved. */
  rights(path: FilePath): Promise<Permissions>
  /** Whether the viewer may see a node of that name; does not read the disk. */
  canSee(path: FilePath): boolean
  stat(path: FilePath): Promise<Entry>
  /** The storage path, with links resolved (with `keep`, except a link in the last place). */
  place(path: FilePath, leaf: 'follow' | 'keep'): Promise<FilePath>
  /** `not-found` if it is not a folder. Early names are delivered only if no rule or hidden name applies. */
  list(path: FilePath, options?: ListOptions): Promise<Children>
  /**
   * Every visible node below the folder `path`, ordered by name (code units), a folder before its content. Skips unreadable folders and does not
   * enter links.
   */
  walk(path: FilePath, options?: WalkOptions): AsyncIterable<WalkedEntry>
  /** Needs `download`. Regular files only; anything else is `not-found`. */
  open(path: FilePath): Promise<OpenFile>
  /** Needs `download`. For each name in a folder 1 if it is visible and permissions let it be opened; 0 if only `open` can tell. */
  readable(folder: FilePath, names: readonly string[]): Promise<Uint8Array>
  /**
   * Needs `download`. Reads files of one folder by name, each whole if it has at most `mostBytes`. A node that is hidden, a link, not readable or
   * otherwise special has the size -1: use `open` for it.
   */
  readSmall(folder: FilePath, names: readonly string[], options: { mostBytes: number }): Promise<SmallFiles>
  /** The first bytes of a file, to detect its type; needs no right. */
  sniff(path: FilePath, length: number): Promise<Uint8Array>
  /** Creates missing parents; an existing folder is fine. Needs `create`. @returns whether it was made now */
  makeFolder(path: FilePath, options?: OperationOptions): Promise<boolean>
  /** Fails if `put` would fail now: checks path, rights and conflicts before any byte is sent. */
  expect(path: FilePath, options: { replace: boolean }): Promise<void>
  /** A staged file for `put` or `save` at `path`. Needs `create` or `modify`. */
  stage(path: FilePath, options: StageOptions): Promise<StagedFile>
  /**
   * Publishes a new file, or with `replace` over an old one (needs `create`; also `modify` if one exists). Creates missing parents. Replaces
   * regular files only: a folder, a special file or a broken link is `already-exists`.
   */
  put(path: FilePath, staged: StagedFile, options: OperationOptions & { replace: boolean; modified?: number }): Promise<Stat>
  /** Publishes over an existing file; needs `modify`. With `ifMatch` (a header's list of ETags), only over that version (`precondition-failed`). */
  save(path: FilePath, staged: StagedFile, options?: SaveOptions): Promise<Stat>
  /**
   * Removes a node with everything below it; a link itself, not its target. Needs `delete`. The root is `forbidden`, and so is a folder that
   * contains anything denied by a rule: then nothing is removed. Hidden dotfiles are removed with their folder.
   * @returns by what it can be restored from the trash; null if it is gone for good
   */
  remove(path: FilePath, options?: RemoveOptions): Promise<Trashed | null>
  /**
   * Puts a node of the trash at `to`; needs `create`. Creates missing parents. As with `move`, `forbidden` if a rule denies anything in it, by its old
   * or new path; only a file replaces a file. Fails with `not-found` also if it is no longer in the trash. @returns the path
   */
  restore(node: TrashedNode, to: FilePath, options: RestoreOptions): Promise<FilePath>
  /** Fails if this viewer must not remove a node of the trash for good: needs `delete`; `forbidden` if a rule denies anything in it by its old path. */
  expectPurge(node: TrashedNode, options?: { signal?: AbortSignal }): Promise<void>
  /** A regular file that the viewer may see, with its earlier contents; anything else is `not-found`. */
  history(path: FilePath): Promise<FileHistory>
  /** Needs `download`. `not-found` for a version that is not this file's. */
  openVersion(path: FilePath, id: string): Promise<OpenFile>
  /** Makes a version the content of its file; the present content becomes a version. Needs `modify`. */
  restoreVersion(path: FilePath, id: string, options?: OperationOptions): Promise<Stat>
  /** For taking back, which knows versions from the journal: a file has the content that it had before, as it was. Needs `modify`. */
  putBack(path: FilePath, content: OldContent, options?: PutBackOptions): Promise<Stat>
  /**
   * The same for a file that was replaced by another one, or a folder that was merged: a node of its own at `to`, as it was. Creates missing parents. Needs
   * `create`.
   */
  bringBack(version: string, to: FilePath, options: BringBackOptions): Promise<Stat>
  /** Needs `modify` and `delete`. @returns what was removed */
  removeVersion(path: FilePath, id: string): Promise<Version>
  /**
   * Needs `create`. Skips nodes that the viewer cannot see, links that cannot be followed, and special files; copies the targets of other links.
   * `forbidden` as a whole if a rule denies any target path. @returns the path of the copy
   */
  copy(from: FilePath, to: FilePath, options: TransferOptions): Promise<FilePath>
  /** Needs `rename`. As with `remove`, `forbidden` if a rule denies anything in the folder, by its old or new path. @returns the new path */
  move(from: FilePath, to: FilePath, options: TransferOptions): Promise<FilePath>
  /**
   * Calls `onChange` after any visible change in a folder, possibly twice. If the folder is moved, changes are no longer reported, so watch again
   * from time to time. @returns null if changes cannot be watched
   */
  watch(path: FilePath, onChange: () => void): Promise<Watch | null>
  /** For callers that know the tree from an index: the real path of a folder and what is visible below it. `not-found` if it is not a folder. */
  subtree(path: FilePath): Promise<SubtreeView>
  /** Distinguishes a folder from a later one with the same path and inode, as `Storage.folderMark` does; null if it is not a folder. */
  folderMark(path: FilePath, options: { make: boolean }): Promise<string | null>
  /** Of the file system that holds `path`, or would hold it. */
  space(path: FilePath): Promise<{ total: number; used: number }>
  /**
   * Reserves what quotas must leave for files that were announced, before their bytes arrive; needs no right and checks none. Fails with
   * `quota-exceeded`.
   * @param id of the upload, or a new UUID for staged files that name it
   */
  reserve(id: string, files: readonly AnnouncedFile[], purpose: ReservedFor): Promise<void>
  release(id: string): Promise<void>
  /**
   * The same Drive for results that must be complete: a node that was visible at the start and has been denied since then fails with
   * `access-changed` instead of being left out. Copies, moves and removals always work like this.
   */
  strict(): Drive
}

/** @param keeping where removed and replaced content goes, and what is done is recorded; by default nowhere */
export function openDrive(
  storage: Storage,
  access: Access,
  { bin = NO_BIN, versions = NO_VERSIONS, recorder = NO_RECORDER, room = NO_ROOM }: Partial<Keeping> = {},
): Drive {
  return driveOn(openDriveContext(storage, access, { bin, versions, recorder, room }))
}

function driveOn(context: DriveContext): Drive {
  const { storage } = context
  const may = (right: Right, path: FilePath): boolean => rightsAt(context.access, path)[right]
  /** By the path as it was asked for: people without a right do not learn what is there. The real path is checked when it is known. */
  const need = async (path: FilePath, ...rights: Right[]): Promise<void> => {
    await context.renew()
    requireRights(context, askedPlace(context.access, path), rights)
  }
  const isReadOnly = (path: FilePath): boolean => storage.isReadOnly?.(inStorage(context.access, path)) ?? false
  const refuseReadOnly = (path: FilePath): void => (isReadOnly(path) ? fail('read-only', {}) : undefined)
  const needForChange = async (path: FilePath, ...rights: Right[]): Promise<void> => {
    await need(path, ...rights)
    refuseReadOnly(path)
    await context.recorder.check()
  }
  const needForTransfer = async (right: 'create' | 'rename', from: FilePath, to: FilePath, { replace }: TransferOptions): Promise<void> => {
    await context.renew()
    const { access } = context
    refuseTransfer(context, { from: askedPlace(access, from), to: askedPlace(access, to), right, replace })
    if (right === 'rename') refuseReadOnly(from)
    refuseReadOnly(to)
    await context.recorder.check()
  }
  /** Of names in a folder: only where the folder says nothing about them, each is asked for. */
  const needDownloadIn = async (folder: FilePath): Promise<void> => {
    await context.renew()
    const place = askedPlace(context.access, folder)
    if (hasSameRightsBelow(context, place)) requireDownload(context, place)
  }
  const needDownload = async (path: FilePath): Promise<void> => {
    await context.renew()
    requireDownload(context, askedPlace(context.access, path))
  }

  return {
    get access() {
      return context.access
    },
    renew: context.renew,
    may,
    isReadOnly,
    awayIn: (folder) =>
      storage.awayIn?.(inStorage(context.access, folder)).filter((name) => canSee(context.access, joinPath(folder, name))) ?? [],
    mayAnywhere: (right) => mayAnywhere(context.access, right),
    sameRightsBelow: (folder) =>
      hasSameRightsBelow(context, askedPlace(context.access, folder)) &&
      (storage.isReadOnly === undefined || inStorage(context.access, folder) !== ROOT),
    async rights(path) {
      using found = await context.find(path, 'follow')
      return rightsOfPlace(context, found)
    },
    canSee: (path) => canSee(context.access, path),
    stat: (path) => entryAt(context, path),
    async place(path, leaf) {
      using found = await context.find(path, leaf)
      return found.stat === null ? fail('not-found', { path }) : found.node
    },
    list: (path, options) => listFolder(context, path, options),
    walk: (path, options) => walkBelow(context, path, options),
    async open(path) {
      await needDownload(path)
      using found = await context.find(requireUtf8(path), 'follow')
      requireDownload(context, found)
      return await withErrorPath(path, storage.open(found.handle))
    },
    async readable(path, names) {
      await needDownloadIn(path)
      return withReadable(context, path, names, (folder, shown) => storage.readable(folder, shown))
    },
    async readSmall(path, names, options) {
      await needDownloadIn(path)
      return withReadable(context, path, names, (folder, shown) => storage.readSmall(folder, shown, options))
    },
    async sniff(path, length) {
      using found = await context.find(path, 'follow')
      await using file = await withErrorPath(path, storage.open(found.handle))
      return await file.peek(0, length)
    },
    async makeFolder(path, options) {
      await needForChange(path, 'create')
      using target = await findTarget(context, requireUtf8(path), 'follow')
      if (target.stat?.kind === 'folder') return false
      if (target.stat !== null) fail('already-exists', { path })
      const places = [...target.missing, target.place]
      await whenReady(context, { ...options, path, places, rights: ['create'] })
      let isMade = false
      await makeFolders(context, places, { onCreated: ({ place }) => void (isMade ||= place === target.place) })
      return isMade
    },
    async expect(path, options) {
      await needForChange(path, 'create')
      await expectPut(context, path, options)
    },
    stage: (path, options) => stageAt(context, path, options),
    async put(path, staged, options) {
      await needForChange(path, 'create')
      return putAt(context, path, staged, options)
    },
    async save(path, staged, options) {
      await needForChange(path, 'modify')
      return saveAt(context, path, staged, options)
    },
    async remove(path, options) {
      await needForChange(path, 'delete')
      return removeAt(context, path, options)
    },
    async restore(node, to, options) {
      await needForChange(to, 'create', ...(options.replace ? (['modify'] as const) : []))
      return restoreAt(context, node, to, options)
    },
    async expectPurge(node, options) {
      await need(node.path, 'delete')
      await refusePurge(context, node, options)
    },
    async history(path) {
      await context.renew()
      return historyAt(context, path)
    },
    async openVersion(path, id) {
      await needDownload(path)
      return openVersionAt(context, path, id)
    },
    async restoreVersion(path, id, options) {
      await needForChange(path, 'modify')
      return restoreVersionAt(context, path, id, options)
    },
    async putBack(path, content, options) {
      await needForChange(path, 'modify')
      return putBackAt(context, path, content, options)
    },
    async bringBack(version, to, options) {
      await needForChange(to, 'create')
      return bringBackAt(context, version, to, options)
    },
    async removeVersion(path, id) {
      await need(path, 'modify', 'delete')
      refuseReadOnly(path)
      return removeVersionAt(context, path, id)
    },
    async copy(from, to, options) {
      await needForTransfer('create', from, to, options)
      return copyTo(context, from, to, options)
    },
    async move(from, to, options) {
      await needForTransfer('rename', from, to, options)
      return moveTo(context, from, to, options)
    },
    watch: (path, onChange) => watchFolder(context, path, onChange),
    subtree: (path) => subtreeViewOf(context, path),
    async folderMark(path, options) {
      using found = await context.find(path, 'follow')
      return await withErrorPath(path, storage.folderMark(found.handle, options))
    },
    space: (path) => spaceAt(context, path),
    reserve: (id, files, purpose) => reserveFor(context, id, files, purpose),
    release: (id) => context.room.release(id),
    strict: () => driveOn(context.strict),
  }
}

import { constants, fchmodSync, fchownSync, fstatSync, fsync, futimesSync, lstatSync, openSync, readdirSync, unlinkSync } from 'node:fs'
import { promisify } from 'node:util'
import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf, parentOf, ROOT } from '../../shared/file-path.ts'
import { adoptStaged } from './adopt.ts'
import { type Appending, appendTo } from './append.ts'
import { copyContent } from './copy-file.ts'
import { systemCode, translated } from './foreign-errors.ts'
import { statAt, statOpen } from './nodes.ts'
import { openRegular } from './open-file.ts'
import { placeNew, placeOver } from './placing.ts'
import { checkStagedId, publicSegments } from './private-name.ts'
import type { StagedFile, Stat, Storage } from './storage.ts'
import { syncFolder } from './sync-folder.ts'
import { volumesOf } from './volumes.ts'
import { openFolder } from './open-folder.ts'
import { entry, type Folder, folder, self } from './walk.ts'

const STAGED_MODE = 0o600
/** Without the bits that make a program run as its owner or group: new bytes did not earn them (POSIX has `write(2)` clear them, too). */
const PERMISSIONS = 0o1777
const SETGID = 0o2000
const sync = promisify(fsync)

/** The part of a local storage that takes bytes in. @param options.fileMode permission bits of new files */
export function createLocalStaging(root: { fd: number }, { fileMode }: { fileMode: number }): Pick<Storage, 'stage' | 'staged'> {
  const volumes = volumesOf(root)
  /** Appends at work, by id. */
  const writers = new Map<string, Appending>()

  /** The volume that has bytes of this id; the one of `near` when none has. @param last where they were the last time: there first */
  function volumeOf(id: string, near: FilePath, last: FilePath | null): FilePath {
    if (last !== null && has(last, id)) return last
    const home = volumes.holding(parentOf(near))
    const others = volumes.all().filter((volume) => volume !== home)
    return [home, ...others].find((volume) => has(volume, id)) ?? home
  }

  function has(volume: FilePath, id: string): boolean {
    using staging = volumes.findStaging(volume)
    return staging !== null && lstatSync(entry(staging, id), { throwIfNoEntry: false }) !== undefined
  }

  /** The staged bytes, opened; an empty file where there were none. */
  function openStaged(volume: FilePath, id: string, flags: number): Folder {
    using staging = volumes.openStaging(volume)
    return folder(openSync(entry(staging, id), flags | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK, STAGED_MODE))
  }

  function drop(volume: FilePath, id: string): void {
    using staging = volumes.findStaging(volume)
    try {
      if (staging !== null) unlinkSync(entry(staging, id))
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error
    }
  }

  /** Brings the bytes to where a rename can publish them. Only where somebody changed their mind about the place. */
  async function bringTo(volume: FilePath, from: FilePath, id: string): Promise<void> {
    if (volume === from) fail('unexpected', { incident: 'staging is on another device than its volume' })
    using source = openStaged(from, id, constants.O_RDONLY)
    using copy = openStaged(volume, id, constants.O_RDWR)
    await copyContent(source.fd, copy.fd)
    drop(from, id)
  }

  /** It has its place already: we were killed between the two steps of giving it one (`placing.ts`, by a link). */
  async function published(volume: FilePath, id: string, { parent, file }: { parent: Folder; file: Folder }): Promise<Stat> {
    drop(volume, id)
    await syncFolder(parent)
    return statOpen(file.fd)
  }

  async function publish(
    id: string,
    path: FilePath,
    options: { volume: FilePath; replace: boolean; modified?: number; mode?: number },
  ): Promise<Stat> {
    using parent = openFolder(root, publicSegments(parentOf(path)))
    using file = openStaged(options.volume, id, constants.O_RDWR)
    using staging = volumes.openStaging(options.volume)
    const from = { folder: staging, name: id }
    const to = { folder: parent, name: nameOf(path) }
    if (statAt(to.folder, to.name)?.identity === statOpen(file.fd).identity) return await published(options.volume, id, { parent, file })
    const old = lstatSync(entry(to.folder, to.name), { throwIfNoEntry: false })
    if (old && (!options.replace || old.isDirectory())) fail('already-exists', { path })
    const { mode = old?.isFile() ? old.mode : fileMode, modified } = options
    giveTo(file.fd, old?.isFile() ? old : heirOf(parent))
    whereKept(() => fchmodSync(file.fd, mode & PERMISSIONS))
    if (modified !== undefined) whereKept(() => futimesSync(file.fd, new Date(), fileTime(modified)))
    await sync(file.fd)
    const outcome = options.replace ? placeOver(from, to) : placeNew(from, to)
    if (outcome === 'taken') fail('already-exists', { path })
    if (outcome === 'placed') {
      await syncFolder(parent)
      return statOpen(file.fd)
    }
    const volume = volumes.holding(parentOf(path))
    await bringTo(volume, options.volume, id)
    return publish(id, path, { ...options, volume })
  }

  return {
    stage(id, { near }): StagedFile {
      checkStagedId(id)
      let last: FilePath | null = null
      const volume = (): FilePath => (last = volumeOf(id, near, last))
      return {
        id,
        size: () =>
          translated(near, () => {
            using staging = volumes.findStaging(volume())
            return staging === null ? 0 : (lstatSync(entry(staging, id), { throwIfNoEntry: false })?.size ?? 0)
          }),
        // Should it fail, the append tells.
        settle: async () =>
          (await writers
            .get(id)
            ?.confirm()
            .catch(() => null)) ?? null,
        append: (bytes, options = {}) =>
          translated(near, async () => {
            using file = openStaged(volume(), id, constants.O_WRONLY)
            const { at = fstatSync(file.fd).size } = options
            try {
              return await appendTo(file.fd, bytes, { ...options, at, onStart: (appending) => writers.set(id, appending) })
            } finally {
              writers.delete(id)
            }
          }),
        adopt: (owner, size) =>
          translated(near, async () => {
            using staging = volumes.openStaging(volumes.holding(parentOf(near)))
            const others = volumes.all().map((one) => volumes.findStaging(one))
            using _ = disposing(others)
            return await adoptStaged([staging, ...others.filter((one) => one !== null)], staging, { id, owner, size })
          }),
        changed: () =>
          translated(near, () => {
            using staging = volumes.findStaging(volume())
            return staging === null ? null : (lstatSync(entry(staging, id), { throwIfNoEntry: false })?.ctimeMs ?? null)
          }),
        copyFrom: (path, options) =>
          translated(path, async () => {
            if (path === ROOT) fail('not-found', {})
            using parent = openFolder(root, publicSegments(parentOf(path)))
            publicSegments(path)
            using source = folder(openRegular(parent, nameOf(path)))
            using file = openStaged(volume(), id, constants.O_WRONLY)
            await copyContent(source.fd, file.fd, options)
          }),
        commit: (path, options) =>
          translated(path, () => {
            if (path === ROOT) fail('already-exists', { path })
            publicSegments(path)
            return publish(id, path, { ...options, volume: volume() })
          }),
        discard: () => translated(near, () => drop(volume(), id)),
        identity: () =>
          translated(near, () => {
            using staging = volumes.findStaging(volume())
            return staging === null ? null : (statAt(staging, id)?.identity ?? null)
          }),
      }
    },
    staged: () =>
      translated(ROOT, () =>
        volumes.all().flatMap((volume) => {
          using staging = volumes.findStaging(volume)
          return staging === null ? [] : readdirSync(self(staging.fd))
        }),
      ),
  }
}

function disposing(folders: readonly (Folder | null)[]): Disposable {
  return {
    [Symbol.dispose]() {
      for (const one of folders) one?.[Symbol.dispose]()
    },
  }
}

/** Seconds keep the fractions of a millisecond; before 1970 the runtime takes them for now. */
function fileTime(modified: number): number | Date {
  return modified < 0 ? new Date(modified) : modified / 1000
}

/** In a folder with the setgid bit new files belong to its group; staging is elsewhere, so that is ours to do. */
function heirOf(parent: Folder): { uid?: number; gid?: number } {
  const { mode, gid } = fstatSync(parent.fd)
  return (mode & SETGID) === 0 ? {} : { gid }
}

/** A saved file stays its owner's, or at least its group's, as far as we may say so. */
function giveTo(fd: number, heir: { uid?: number; gid?: number }): void {
  const mine = fstatSync(fd)
  const { uid = mine.uid, gid = mine.gid } = heir
  if (mine.uid === uid && mine.gid === gid) return
  if (!whereKept(() => fchownSync(fd, uid, gid)) && mine.gid !== gid) whereKept(() => fchownSync(fd, mine.uid, gid))
}

/** Not ours to say, no such owner in this user namespace, or a file system (FAT, some FUSE and SMB mounts) that keeps none of it. */
const NOT_KEPT = ['EPERM', 'EACCES', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

/** Owners, modes and times are kept where that can be: the bytes are what counts. @returns whether they were */
function whereKept(deed: () => void): boolean {
  try {
    deed()
    return true
  } catch (error) {
    if (!NOT_KEPT.includes(systemCode(error))) throw error
    return false
  }
}

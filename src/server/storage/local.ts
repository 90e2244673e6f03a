import { mkdirSync, readlinkSync, rmdirSync, statfs, unlinkSync } from 'node:fs'
import { promisify } from 'node:util'
import { fail, isAppError } from '../../shared/errors.ts'
import { bytesToName, type FilePath, isWithin, joinPath, nameOf, parentOf, ROOT, segmentProblem } from '../../shared/file-path.ts'
import { translated } from './foreign-errors.ts'
import { folderMark, removeLoneMark } from './folder-mark.ts'
import { libc } from './libc.ts'
import { resolveLinks, type Signpost } from './links.ts'
import { createListThread } from './list-thread.ts'
import { type Directory, listedName } from './listed-name.ts'
import { listedNames } from './listed-names.ts'
import { readNamesAndTypes } from './folder-names.ts'
import { looksBig, statNames } from './listing.ts'
import { isPlainDisk } from './plain-disk.ts'
import { createLocalStaging } from './local-staging.ts'
import { statAt, statOpen } from './nodes.ts'
import { holdOpen, openRegular } from './open-file.ts'
import { placeNew, placeOver } from './placing.ts'
import { hasPrivateName, isPrivateName, publicSegments } from './private-name.ts'
import { createReadThread } from './read-thread.ts'
import type { Stat, Storage } from './storage.ts'
import { syncFolder } from './sync-folder.ts'
import { openFolder, openRoot } from './open-folder.ts'
import { entry, type Folder, self } from './walk.ts'
import { createWatching } from './watching.ts'

/** Folders up to this size are listed at once; larger ones would hold up everybody else. */
const ENTRIES_AT_ONCE = 512
const diskSpace = promisify(statfs)

export interface LocalOptions {
  /** Permission bits of new files and folders; the process's umask does not touch those of files. */
  readonly fileMode?: number
  readonly folderMode?: number
  readonly exclusively?: Storage['exclusively']
}

/** A folder of this machine, or of a file system several machines share. Every path is walked by descriptor from `rootPath`, which must exist. */
export function createLocalStorage(rootPath: string, { fileMode = 0o640, folderMode = 0o750, exclusively }: LocalOptions = {}): Storage {
  const root = openRoot(rootPath)
  const thread = createListThread()
  const reader = createReadThread()
  const watching = createWatching()

  function openParent(path: FilePath): Folder {
    return openFolder(root, publicSegments(parentOf(path)))
  }

  function look(path: FilePath): Stat | null {
    publicSegments(path)
    if (path === ROOT) return statOpen(root.fd)
    using parent = openParent(path)
    return statAt(parent, nameOf(path))
  }

  /** Almost every path is walked once and done; the others are walked again, link by link. */
  function hasNoLink(path: FilePath): boolean {
    try {
      return look(path)?.kind !== 'link'
    } catch {
      return false
    }
  }

  function pathAsListed(path: FilePath): FilePath {
    using start = openFolder(root, [])
    return asListed(start, publicSegments(path)).reduce(joinPath, ROOT)
  }

  return {
    ...createLocalStaging(root, { fileMode }),
    exclusively,
    locate: (path, options) =>
      translated(path, () => {
        const listed = options.names === 'listed'
        if (isWithin(path, options.within) && hasNoLink(path)) return listed ? pathAsListed(path) : path
        return resolveLinks(path, options, (at) => signpost(root, at, { listed }))
      }),
    async stat(path) {
      if (hasPrivateName(path)) return null
      try {
        return await translated(path, () => look(path))
      } catch (error) {
        return isAppError(error, 'not-found') ? null : Promise.reject(error)
      }
    },
    list: (path, options) =>
      translated(path, async () => {
        options?.signal?.throwIfAborted()
        using folder = openFolder(root, publicSegments(path))
        const names = looksBig(folder.fd) ? null : readNamesAndTypes(folder.fd).names
        if (names !== null && names.length <= ENTRIES_AT_ONCE) return statNames(folder.fd, names)
        return await thread.list(folder.fd, options)
      }),
    open: (path) =>
      translated(path, () => {
        if (path === ROOT) fail('not-found', {})
        publicSegments(path)
        using parent = openParent(path)
        return holdOpen(openRegular(parent, nameOf(path)))
      }),
    readable: (path, names) =>
      translated(path, () => {
        using folder = openFolder(root, publicSegments(path))
        return Uint8Array.from(names, (name) => (isPlainName(name) && libc()?.mayRead(folder.fd, name) ? 1 : 0))
      }),
    readSmall: (path, names, { mostBytes }) =>
      translated(path, async () => {
        using folder = openFolder(root, publicSegments(path))
        // A name with a slash would be a way; one of ours is none at all. What cannot be read is told by `open`.
        const asked = names.map((name) => (isPlainName(name) ? name : ''))
        return await reader.read({ fd: folder.fd, names: asked.join('\0'), mostBytes })
      }),
    makeFolder: (path) =>
      translated(path, async () => {
        if (path === ROOT) fail('already-exists', { path })
        publicSegments(path)
        using parent = openParent(path)
        mkdirSync(entry(parent, nameOf(path)), folderMode)
        // What is published in it, and told to be there, would be gone with it after a power cut.
        await syncFolder(parent)
      }),
    move: (from, to, { replace }) =>
      translated(to, () => {
        publicSegments(from)
        publicSegments(to)
        if (from === ROOT || to === ROOT) fail('invalid-input', { issues: ['move: the root stays'] })
        if (from !== to && isWithin(to, from)) fail(look(from) === null ? 'not-found' : 'invalid-input', { issues: ['move: into itself'] })
        using source = openParent(from)
        using target = openParent(to)
        const place = replace ? placeOver : placeNew
        const outcome = place({ folder: source, name: nameOf(from) }, { folder: target, name: nameOf(to) })
        return outcome === 'taken' ? fail('already-exists', { path: to }) : outcome === 'placed'
      }),
    remove: (path) =>
      translated(path, () => {
        if (path === ROOT) fail('busy', {})
        publicSegments(path)
        using parent = openParent(path)
        const address = entry(parent, nameOf(path))
        if (statAt(parent, nameOf(path))?.kind !== 'folder') return unlinkSync(address)
        try {
          rmdirSync(address)
        } catch (error) {
          // When it is removed, a folder that holds only our mark counts as empty.
          using folder = openFolder(parent, [nameOf(path)])
          if (!removeLoneMark(folder)) throw error
          rmdirSync(address)
        }
      }),
    watch: (path, onChange) =>
      translated(path, async () => {
        using folder = openFolder(root, publicSegments(path))
        return await watching.watch(folder, onChange)
      }),
    folderMark: (path, options) =>
      translated(path, () => {
        if (look(path)?.kind !== 'folder') return null
        using folder = openFolder(root, publicSegments(path))
        return folderMark(folder, options)
      }),
    space: (path) =>
      translated(path, async () => {
        const stat = look(path) ?? fail('not-found', {})
        using folder = openFolder(root, publicSegments(stat.kind === 'folder' ? path : parentOf(path)))
        const { bsize, blocks, bfree } = await diskSpace(self(folder.fd))
        return { total: bsize * blocks, used: bsize * (blocks - bfree) }
      }),
  }
}

function isPlainName(name: string): boolean {
  return segmentProblem(name) === null && name.isWellFormed() && !isPrivateName(name)
}

function signpost(root: { fd: number }, path: FilePath, { listed }: { listed: boolean }): Signpost | null {
  if (path === ROOT) return { kind: 'folder', target: null }
  using parent = openFolder(root, publicSegments(parentOf(path)))
  const kind = statAt(parent, nameOf(path))?.kind
  if (kind === undefined) return null
  const named = listed ? { name: listedName(directory(parent), nameOf(path)) } : {}
  if (kind !== 'link') return { ...named, kind, target: null }
  const target = bytesToName(readlinkSync(entry(parent, nameOf(path)), { encoding: 'buffer' }))
  if (!target.startsWith('/')) return { ...named, kind, target }
  const base = bytesToName(readlinkSync(self(root.fd), { encoding: 'buffer' }))
  if (target !== base && !target.startsWith(`${base}/`)) return { ...named, kind, target: null }
  return { ...named, kind, target: target.slice(base.length) || '/' }
}

/** A way without links, each name as its folder lists it. */
function asListed(folder: Folder, [segment, ...rest]: readonly string[]): string[] {
  if (segment === undefined) return []
  const name = listedName(directory(folder), segment) ?? fail('not-found', {})
  if (rest.length === 0) return [name]
  using next = openFolder(folder, [name])
  return [name, ...asListed(next, rest)]
}

function directory(open: Folder): Directory {
  return {
    identityOf: (name) => statAt(open, name)?.identity ?? null,
    names: () => listedNames(open.fd),
    get isPlain() {
      return isPlainDisk(open.fd)
    },
  }
}

import { closeSync, mkdirSync, readlinkSync, rmdirSync, statfsSync, unlinkSync } from 'node:fs'
import { constants } from 'node:os'
import { otherSpellings } from '../../shared/other-spellings.ts'
import { bytesToName, segmentProblem } from '../../shared/file-path.ts'
import { type Address, openAddressed, openParent } from './address.ts'
import { type DiskIo, syncFolder } from './disk-io.ts'
import { folderMark, removeLoneMark } from './folder-mark.ts'
import { libc } from './libc.ts'
import { type Directory, listedName, listedNames, isPlainDisk } from './listed-name.ts'
import { readNamesAndTypes } from './folder-names.ts'
import { type ListedMount, looksBig, statNames } from './listing.ts'
import { statAt } from './nodes.ts'
import { openFolder } from './open-folder.ts'
import { openRegular } from './open-file.ts'
import { type PlainColumns, plainColumns } from './plain-columns.ts'
import { type KeepingPlace, replaceAndKeep } from './place-keeping.ts'
import { type FolderEntry, type Outcome, renameExclusive, renameOver } from './placing.ts'
import { isPrivateName } from './private-name.ts'
import { readMany } from './read-many.ts'
import { createKeptCalls } from './kept-calls.ts'
import { createStagingCalls } from './staging-calls.ts'
import type { SmallFiles, Stat } from './storage.ts'
import { createSyncSharing } from './sync-sharing.ts'
import { topCalls } from './top-calls.ts'
import { entryPath, type Folder, OPEN_NODE, descriptorPath } from './proc-paths.ts'

/** Folders up to this size are listed in the main thread; larger ones would block it. */
const ENTRIES_AT_ONCE = 512

/** An inspected node, with its target if it is a link. */
export interface LinkLook {
  readonly kind: Stat['kind']
  /** The target as stored in a link; null for other nodes. */
  readonly target: string | null
  /** The name that its folder lists, if requested; null if the folder lists none for it. */
  readonly name?: string | null
}

/**
 * Synchronous steps of the storage: each call walks at most once, and takes and returns plain data, so that a thread can run it for disks that
 * may block. Errors are system errors.
 */
export function createDiskCalls(io: DiskIo) {
  const shareSync = createSyncSharing()
  return {
    ...createStagingCalls(io, shareSync),
    ...createKeptCalls(io, shareSync),
    ...topCalls,

    /** Opens the folder of a name, which the caller closes, and inspects the node of that name. */
    find(at: Address): { fd: number; stat: Stat | null } {
      const parent = openFolder({ fd: at.fd }, at.below)
      try {
        return { fd: parent.fd, stat: statAt(parent, at.name) }
      } catch (error) {
        parent[Symbol.dispose]()
        throw error
      }
    },

    stat(at: Address): Stat | null {
      using parent = openParent(at)
      return statAt(parent, at.name)
    },

    lookAtLink(at: Address, { listed }: { listed: boolean }): LinkLook | null {
      using parent = openParent(at)
      const kind = statAt(parent, at.name)?.kind
      if (kind === undefined) return null
      const named = listed ? { name: listedName(directory(parent), at.name) } : {}
      const target = kind === 'link' ? bytesToName(readlinkSync(entryPath(parent, at.name), { encoding: 'buffer' })) : null
      return { ...named, kind, target }
    },

    /** A path without links, with each name as its folder lists it; null if a folder does not list one. */
    asListed(fd: number, segments: readonly string[]): readonly string[] | null {
      if (hasOneSpelling(fd, segments)) return segments
      using start = openFolder({ fd }, [])
      return segmentsAsListed(start, segments)
    },

    /** Null for a folder that is too long for the main thread. @param mounts mount points in it that must not be accessed */
    listShort(at: Address, mounts: readonly ListedMount[], wanted: { identities: boolean }): PlainColumns | null {
      using folder = openAddressed(at)
      const names = looksBig(folder.fd) ? null : readNamesAndTypes(folder.fd).names
      return names !== null && names.length <= ENTRIES_AT_ONCE ? plainColumns(statNames(folder.fd, names, mounts, wanted)) : null
    },

    list(at: Address, mounts: readonly ListedMount[], wanted: { identities: boolean }): PlainColumns {
      using folder = openAddressed(at)
      return plainColumns(statNames(folder.fd, readNamesAndTypes(folder.fd).names, mounts, wanted))
    },

    openFolder(at: Address): number {
      return openAddressed(at).fd
    },

    open(at: Address): { fd: number; stat: Stat } {
      using parent = openParent(at)
      return openRegular(parent, at.name)
    },

    readable(at: Address, names: readonly string[]): Uint8Array {
      using folder = openAddressed(at)
      return Uint8Array.from(names, (name) => (isPlainName(name) && libc()?.mayRead(folder.fd, name) ? 1 : 0))
    },

    readSmall(at: Address, names: readonly string[], mostBytes: number): SmallFiles {
      using folder = openAddressed(at)
      return readMany(folder.fd, plainNames(names), mostBytes)
    },

    async makeFolder(at: Address, mode: number): Promise<void> {
      using parent = openParent(at)
      mkdirSync(entryPath(parent, at.name), mode)
      // Otherwise files published in it and acknowledged would be lost with it in a power failure.
      await syncFolder(parent, io)
    },

    async move(from: Address, to: Address, { replace, keep }: { replace: boolean; keep?: KeepingPlace | undefined }): Promise<Outcome> {
      using source = openParent(from)
      using target = openParent(to)
      const entries = [
        { folder: source, name: from.name },
        { folder: target, name: to.name },
      ] as const
      if (!replace) return renameExclusive(...entries)
      if (keep === undefined || !isFileOverFile(...entries)) return renameOver(...entries)
      return await replaceAndKeep(...entries, { keep, io, sync: async () => undefined, isSeen: true })
    },

    remove(at: Address): void {
      using parent = openParent(at)
      const address = entryPath(parent, at.name)
      if (statAt(parent, at.name)?.kind !== 'folder') return unlinkSync(address)
      try {
        rmdirSync(address)
      } catch (error) {
        // A folder that holds only its marker counts as empty.
        using folder = openFolder(parent, [at.name])
        if (!removeLoneMark(folder)) throw error
        rmdirSync(address)
      }
    },

    folderMark(at: Address, options: { make: boolean }): string | null {
      using parent = openParent(at)
      if (statAt(parent, at.name)?.kind !== 'folder') return null
      using folder = openFolder(parent, [at.name])
      return folderMark(folder, options)
    },

    /** Space of the file system that holds a node; null if there is no node. */
    space(at: Address): { total: number; used: number } | null {
      using parent = openParent(at)
      const stat = statAt(parent, at.name)
      if (stat === null) return null
      using folder = stat.kind === 'folder' ? openFolder(parent, [at.name]) : openFolder(parent, [])
      const { bsize, blocks, bfree } = statfsSync(descriptorPath(folder.fd))
      return { total: bsize * blocks, used: bsize * (blocks - bfree) }
    },
  }
}

function isFileOverFile(from: FolderEntry, to: FolderEntry): boolean {
  const [node, old] = [statAt(from.folder, from.name), statAt(to.folder, to.name)]
  return node?.kind === 'file' && old?.kind === 'file' && node.identity !== old.identity
}

export type DiskCalls = ReturnType<typeof createDiskCalls>

function isPlainName(name: string): boolean {
  return segmentProblem(name) === null && name.isWellFormed() && !isPrivateName(name)
}

/** Replaces names that are not plain (with a slash, or private) by '', which cannot be read: `open` fails with the reason. */
export function plainNames(names: readonly string[]): string[] {
  return names.map((name) => (isPlainName(name) ? name : ''))
}

/**
 * Whether no segment exists under another spelling, on a disk where this proves that it is listed as written (`listedName`). Opens no
 * descriptor.
 */
function hasOneSpelling(fd: number, segments: readonly string[]): boolean {
  const system = libc()
  if (system === null || !isPlainDisk(fd)) return false
  return segments.every((segment, index) => {
    const before = segments.slice(0, index)
    return otherSpellings(segment).every((other) => {
      const found = system.openBeneath(fd, [...before, other].join('/'), { flags: OPEN_NODE, stay: true })
      if (found >= 0) closeSync(found)
      return found === -constants.errno.ENOENT
    })
  })
}

function segmentsAsListed(folder: Folder, [segment, ...rest]: readonly string[]): string[] | null {
  if (segment === undefined) return []
  const name = listedName(directory(folder), segment)
  if (name === null) return null
  if (rest.length === 0) return [name]
  using next = openFolder(folder, [name])
  const below = segmentsAsListed(next, rest)
  return below && [name, ...below]
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

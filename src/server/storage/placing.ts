import { closeSync, linkSync, mkdirSync, openSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { fail, codeOf } from '../../shared/errors.ts'
import { bytesToName } from '../../shared/file-path.ts'
import { statAt, statOpen } from './nodes.ts'
import { libc } from './libc.ts'
import type { Stat } from './storage.ts'
import { entryPath, type Folder, descriptorPath } from './proc-paths.ts'

/** A name in an open folder. */
export interface FolderEntry {
  readonly folder: Folder
  readonly name: string
}

/** `taken` and `other-device` mean that nothing was done. */
export type Outcome = 'placed' | 'taken' | 'other-device'

/**
 * Renames a node to a name that must be free.
 * @param options.ways tried in this order; fewer in tests
 */
export function renameExclusive(from: FolderEntry, to: FolderEntry, options: { ways?: readonly Way[] } = {}): Outcome {
  const node = statAt(from.folder, from.name) ?? fail('not-found', {})
  const there = statAt(to.folder, to.name)
  if (there !== null && (there.identity !== node.identity || !isOnlyOtherCase(from, to))) return 'taken'
  return outcomeOf(() => {
    if (there !== null) renameSync(address(from), address(to))
    else if (!(options.ways ?? WAYS).some((way) => way(from, to, node))) throw new Error('no way to give a node a free name')
  })
}

/** Renames a node. A file replaces a file, a folder an empty folder; `taken` for anything else, and nothing was done. */
export function renameOver(from: FolderEntry, to: FolderEntry): Outcome {
  const node = statAt(from.folder, from.name) ?? fail('not-found', {})
  const there = statAt(to.folder, to.name)
  if (there !== null && (node.kind === 'folder') !== (there.kind === 'folder')) return 'taken'
  return outcomeOf(() => {
    // POSIX: a rename between two hard links of one file succeeds and does nothing.
    if (node.identity === there?.identity && !isSameEntry(from, to) && !isOnlyOtherCase(from, to)) unlinkSync(address(from))
    else renameSync(address(from), address(to))
  })
}

function outcomeOf(change: () => void): Outcome {
  try {
    change()
    return 'placed'
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EXDEV') return 'other-device'
    if (code === 'EEXIST' || code === 'EISDIR' || code === 'ENOTEMPTY') return 'taken'
    throw error
  }
}

/** @returns false if this file system does not support it */
type Way = (from: FolderEntry, to: FolderEntry, node: Stat) => boolean

/** RENAME_NOREPLACE: one step, so that a crash leaves nothing behind. NFS, some FUSE and SMB mounts do not support it. */
export const byRename: Way = (from, to) => libc()?.renameNoReplace(from.folder, from.name, to.folder, to.name) ?? false

/** link(2) fails for a taken name; a crash before the unlink leaves two names of one complete file. Not for folders, not on FAT. */
export const byLink: Way = (from, to, node) => {
  if (node.kind === 'folder') return false
  try {
    linkSync(address(from), address(to))
  } catch (error) {
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) return false
    throw error
  }
  unlinkSync(address(from))
  return true
}

/** Reserves the name with an empty file or folder (one of two concurrent calls fails), then renames over it. A crash in between leaves it. */
export const byReservation: Way = (from, to, node) => {
  const isFolder = node.kind === 'folder'
  if (isFolder) mkdirSync(address(to), 0o700)
  else closeSync(openSync(address(to), 'wx', 0o600))
  try {
    renameSync(address(from), address(to))
    return true
  } catch (error) {
    if (isFolder) rmdirSync(address(to))
    else unlinkSync(address(to))
    throw error
  }
}

const WAYS = [byRename, byLink, byReservation]

function address({ folder, name }: FolderEntry): string | Buffer {
  return entryPath(folder, name)
}

/** Whether two names of one node are one entry of a case-insensitive folder, not two hard links. */
function isOnlyOtherCase(from: FolderEntry, to: FolderEntry): boolean {
  return from.name !== to.name && !(hasEntry(from) && hasEntry(to))
}

function hasEntry({ folder, name }: FolderEntry): boolean {
  return readdirSync(descriptorPath(folder.fd), { encoding: 'buffer' }).some((bytes) => bytesToName(bytes) === name)
}

function isSameEntry(from: FolderEntry, to: FolderEntry): boolean {
  return from.name === to.name && statOpen(from.folder.fd).identity === statOpen(to.folder.fd).identity
}

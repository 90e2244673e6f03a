import { closeSync, constants, lstatSync, openSync, readlinkSync } from 'node:fs'
import { posix } from 'node:path'
import { bytesToName, nameToBytes } from '../../shared/file-path.ts'
import { libc } from './libc.ts'
import { openFolder } from './open-folder.ts'
import { descriptorPath } from './proc-paths.ts'

/** `linux/btrfs.h`. Both calls need no privilege, and come with Linux 4.18. */
const BTRFS_IOC_GET_SUBVOL_ROOTREF = 0xd000_943d
const BTRFS_IOC_INO_LOOKUP_USER = 0xd000_943e
const ARGS_BYTES = 4096
const REFS_AT = 8
const REF_BYTES = 16
const COUNT_AT = 4088
const NAME_AT = 16
const PATH_AT = 272
/** The inode number of the uppermost folder of each subvolume. */
const TOP_INODE = 256
/** With more subvolumes, the call fails. */
const MOST = 20_000

/**
 * The Btrfs subvolumes below a folder and below each other, snapshots included, also those that are no mounts: the file system is asked, so no tree is
 * walked. Those that this process cannot reach are left out. Empty on other file systems.
 * @returns segments from `start`
 */
export function subvolumesBelow(start: { readonly fd: number }, segments: readonly string[]): string[][] {
  const found: string[][] = []
  const waiting: (readonly string[])[] = [segments]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const below of childrenOf(start, folder)) {
      const path = [...folder, ...below]
      if (found.push(path) > MOST) throw Object.assign(new Error('too many subvolumes'), { code: 'EBUSY' })
      waiting.push(path)
    }
  }
  return found
}

/** Segments from the uppermost folder of a Btrfs subvolume to an open folder in it. None on other file systems, and if a folder above cannot be read. */
export function segmentsInSubvolume(folder: { readonly fd: number }): readonly string[] {
  const { dev } = lstatSync(`${descriptorPath(folder.fd)}/.`)
  const segments: string[] = []
  try {
    for (let at = bytesToName(readlinkSync(descriptorPath(folder.fd), { encoding: 'buffer' })); at !== '/'; at = posix.dirname(at)) {
      const stat = lstatSync(Buffer.from(nameToBytes(at)))
      if (stat.dev !== dev) return []
      if (stat.ino === TOP_INODE) return segments
      segments.unshift(posix.basename(at))
    }
  } catch {
    // A folder above cannot be read.
  }
  return []
}

function childrenOf(start: { readonly fd: number }, folder: readonly string[]): string[][] {
  let fd: number
  try {
    using opened = openFolder(start, folder)
    fd = openSync(`${descriptorPath(opened.fd)}/.`, constants.O_RDONLY | constants.O_DIRECTORY)
  } catch {
    // It has gone, or this process cannot read it, and so reach nothing below.
    return []
  }
  try {
    return (refsOf(fd) ?? []).flatMap((ref) => {
      const path = pathOf(fd, ref)
      return path === null ? [] : [path]
    })
  } finally {
    closeSync(fd)
  }
}

/** A subvolume in the folder `folder` (an inode number) of another one. */
interface Ref {
  readonly id: bigint
  readonly folder: bigint
}

/** The subvolumes directly below the one that holds an open folder; null if that is no Btrfs. */
function refsOf(fd: number): Ref[] | null {
  const refs: Ref[] = []
  const args = Buffer.alloc(ARGS_BYTES)
  for (let from = 0n; ;) {
    args.fill(0)
    args.writeBigUInt64LE(from, 0)
    // Negative if there are more than fit, and for any failure, which changes nothing.
    const isDone = libc()?.ioctl(fd, BTRFS_IOC_GET_SUBVOL_ROOTREF, args) === 0
    const count = args.readUInt8(COUNT_AT)
    for (let at = 0; at < count; at++) {
      const place = REFS_AT + at * REF_BYTES
      refs.push({ id: args.readBigUInt64LE(place), folder: args.readBigUInt64LE(place + 8) })
    }
    if (isDone) return refs
    const next = args.readBigUInt64LE(0)
    if (count === 0 || next <= from) return refs.length === 0 ? null : refs
    from = next
  }
}

/** Segments from an open folder to a subvolume; null if it is not below, or permissions do not let this process there. */
function pathOf(fd: number, { id, folder }: Ref): string[] | null {
  const args = Buffer.alloc(ARGS_BYTES)
  args.writeBigUInt64LE(folder, 0)
  args.writeBigUInt64LE(id, 8)
  if (libc()?.ioctl(fd, BTRFS_IOC_INO_LOOKUP_USER, args) !== 0) return null
  const text = (at: number): string => bytesToName(args.subarray(at, args.indexOf(0, at)))
  return [...text(PATH_AT).split('/').filter(Boolean), text(NAME_AT)]
}

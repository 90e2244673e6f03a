import { closeSync, constants, lstatSync, openSync, readFileSync } from 'node:fs'
import { orElse } from '../../shared/errors.ts'
import { readNamesAndTypes } from './folder-names.ts'
import { libc } from './libc.ts'
import { openFolder, openRoot } from './open-folder.ts'
import { descriptorPath, entryPath, type Folder, folderHandle } from './proc-paths.ts'
import { type InSnapshot, kindOf, type Snapshot } from './storage.ts'
import { momentInInfo, momentInName } from './snapshot-moment.ts'
import { isSnapshotName, type SnapshotPattern } from './snapshot-pattern.ts'

/** `linux/btrfs.h`: needs no privilege, and comes with Linux 4.18. */
const BTRFS_IOC_GET_SUBVOL_INFO = 0x81f8_943c
const SUBVOLUME_BYTES = 504
/** When the subvolume was made: seconds (64 bits), nanoseconds (32 bits). */
const MADE_AT = 392
/** The inode number of the uppermost folder of each Btrfs subvolume. */
const TOP_INODE = 256
/** rsnapshot renames its folders from time to time, and gives each the time of its content. */
const ROTATED = /\.\d+$/

/** All snapshots, in no order. Blocks; mounts those of ZFS whose names have no date. */
export function snapshotsIn(pattern: SnapshotPattern): Snapshot[] {
  using top = topOf(pattern)
  if (top === null) return []
  const { names, types } = readNamesAndTypes(top.fd)
  const found: Snapshot[] = []
  for (const row of names.keys()) {
    const name = names.at(row) ?? ''
    const type = types[row] ?? 0
    // Some file systems say no type; links, such as `latest`, are no snapshots.
    if ((type !== 0 && kindOf(type) !== 'folder') || !isSnapshotName(pattern, name)) continue
    const at = orElse(null, () => momentOf(pattern, top, name))
    if (at !== null) found.push({ name, at })
  }
  return found
}

/** The node at a path in each of these snapshots, no link followed; null where there is none, or it cannot be reached. Blocks. */
export function lookIn(pattern: SnapshotPattern, names: readonly string[], path: readonly string[]): (InSnapshot | null)[] {
  using top = topOf(pattern)
  return names.map((name) => (top === null ? null : orElse(null, () => lookAt(top, [name, ...pattern.below, ...path]))))
}

/** A descriptor of what the served folder was, and its identity. Follows no link below the folder of the pattern; the caller closes it. */
export function openSnapshot(pattern: SnapshotPattern, name: string): { folder: Folder; identity: string } | null {
  return orElse(null, () => {
    using top = topOf(pattern)
    if (top === null) return null
    const folder = openFolder(top, [name, ...pattern.below])
    const { dev, ino } = lstatSync(`${descriptorPath(folder.fd)}/.`, { bigint: true })
    return { folder, identity: `${dev}:${ino}` }
  })
}

function topOf({ folder }: SnapshotPattern): Folder | null {
  return orElse(null, () => folderHandle(openRoot(folder).fd))
}

function lookAt(top: Folder, segments: readonly string[]): InSnapshot {
  using parent = openFolder(top, segments.slice(0, -1))
  const { mode, size, mtimeMs } = lstatSync(entryPath(parent, segments.at(-1) ?? '.'))
  return { kind: kindOf(mode), size, modified: mtimeMs }
}

/**
 * What says most: the name, what snapper wrote, when a Btrfs subvolume was made. Else the later of the folder's birth and its modification: a copy is
 * as old as its folder, while in a snapshot both are those of the original, which was changed last before that.
 */
function momentOf({ below }: SnapshotPattern, top: Folder, name: string): number {
  const named = momentInName(name)
  if (named !== null) return named
  using entry = openFolder(top, [name])
  const noted = below.length === 0 ? null : orElse(null, () => momentInInfo(readFileSync(entryPath(entry, 'info.xml'), 'utf8')))
  if (noted !== null) return noted
  using folder = openFolder(entry, below)
  const made = subvolumeMade(folder)
  if (made !== null) return made
  const { birthtimeMs, mtimeMs } = lstatSync(`${descriptorPath(entry.fd)}/.`)
  return Math.round(ROTATED.test(name) ? mtimeMs : Math.max(birthtimeMs, mtimeMs))
}

/** Null if it is no Btrfs subvolume. */
function subvolumeMade(folder: Folder): number | null {
  if (lstatSync(`${descriptorPath(folder.fd)}/.`).ino !== TOP_INODE) return null
  const fd = openSync(`${descriptorPath(folder.fd)}/.`, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    const args = Buffer.alloc(SUBVOLUME_BYTES)
    if (libc()?.ioctl(fd, BTRFS_IOC_GET_SUBVOL_INFO, args) !== 0) return null
    const at = Number(args.readBigUInt64LE(MADE_AT)) * 1000 + Math.round(args.readUInt32LE(MADE_AT + 8) / 1e6)
    return at > 0 ? at : null
  } finally {
    closeSync(fd)
  }
}

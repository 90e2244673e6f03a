import { readFileSync, readlinkSync } from 'node:fs'
import { bytesToName, type FilePath, isWithin, parseFilePath, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import { descriptorPath } from './proc-paths.ts'

/** A file system at the root or below it. */
export interface Mount {
  /** The mount id, which differs for another mount at the same path. */
  readonly id: string
  /** The mount point, from the root; ROOT for the mount that holds the root itself. */
  readonly path: FilePath
  /** Whether its calls need neither another machine nor a program. */
  readonly isLocal: boolean
  /** Device, and the folder of its file system that this path shows; equal or nested for two mounts that show the same files. */
  readonly shows?: { readonly device: string; readonly folder: FilePath }
}

/** Calls to all others may wait for a machine or a program: NFS, SMB, FUSE, 9p, Ceph, autofs, virtiofs, and unknown ones. */
const LOCAL = new Set(
  'ext2 ext3 ext4 xfs btrfs zfs f2fs bcachefs jfs nilfs2 vfat exfat ntfs3 hfsplus udf iso9660 squashfs erofs tmpfs ramfs rootfs overlay'.split(
    ' ',
  ),
)

/** The mounts at and below an open folder, the deepest first; the last is the one that holds the folder. Accesses no disk. */
export function readMounts(root: { readonly fd: number }): readonly Mount[] {
  const base = parseFilePath(bytesToName(readlinkSync(descriptorPath(root.fd), { encoding: 'buffer' })))
  const found = new Map<FilePath, Mount>()
  let above = ''
  for (const line of bytesToName(readFileSync('/proc/self/mountinfo')).split('\n')) {
    const [id = '', , device = '', inside = '', point = '', ...rest] = line.split(' ')
    if (!point.startsWith('/')) continue
    const at = parseFilePath(unescapeMount(point))
    const isLocal = LOCAL.has(rest[rest.indexOf('-') + 1] ?? '')
    // Not a path for pseudo file systems, such as `net:[4026531840]`.
    const folder = inside.startsWith('/') ? parseFilePath(unescapeMount(inside)) : null
    // The last of several mounts at one path counts, and the nearest of those above the root.
    if (isWithin(at, base) && at !== base) {
      const path = pathFrom(base, at) ?? ROOT
      found.set(path, { id, path, isLocal, ...(folder && { shows: { device, folder } }) })
    } else if (isWithin(base, at) && at.length >= above.length) {
      above = at
      const shown = folder && placeUnder(folder, pathFrom(at, base) ?? ROOT)
      found.set(ROOT, { id, path: ROOT, isLocal, ...(shown && { shows: { device, folder: shown } }) })
    }
  }
  if (!found.has(ROOT)) found.set(ROOT, { id: '', path: ROOT, isLocal: false })
  return [...found.values()].toSorted((a, b) => b.path.length - a.path.length)
}

/** Other paths by which the uppermost folder of one of these mounts is shown, because another one shows a folder above it. */
export function shownTwice(mounts: readonly Mount[]): FilePath[] {
  return mounts.flatMap((mount) =>
    mounts.flatMap((other) => {
      if (mount === other || mount.shows === undefined || mount.shows.device !== other.shows?.device) return []
      const below = pathFrom(other.shows.folder, mount.shows.folder)
      const path = below === null ? null : placeUnder(other.path, below)
      return path === null || mounts.some((one) => one.path === path) ? [] : [path]
    }),
  )
}

/** mountinfo escapes spaces and backslashes in octal, such as `\040`. */
function unescapeMount(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}

import { readFileSync, readlinkSync } from 'node:fs'
import { bytesToName, type FilePath, isWithin, parseFilePath, pathFrom, ROOT } from '../../shared/file-path.ts'
import { descriptorPath } from './proc-paths.ts'

/** A file system at the root or below it. */
export interface Mount {
  /** The mount id, which differs for another mount at the same path. */
  readonly id: string
  /** The mount point, from the root; ROOT for the mount that holds the root itself. */
  readonly path: FilePath
  /** Whether its calls need neither another machine nor a program. */
  readonly isLocal: boolean
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
    const [id = '', , , , point = '', ...rest] = line.split(' ')
    if (!point.startsWith('/')) continue
    const at = parseFilePath(unescapeMount(point))
    const isLocal = LOCAL.has(rest[rest.indexOf('-') + 1] ?? '')
    // The last of several mounts at one path counts, and the nearest of those above the root.
    if (isWithin(at, base) && at !== base) {
      const path = pathFrom(base, at) ?? ROOT
      found.set(path, { id, path, isLocal })
    } else if (isWithin(base, at) && at.length >= above.length) {
      above = at
      found.set(ROOT, { id, path: ROOT, isLocal })
    }
  }
  if (!found.has(ROOT)) found.set(ROOT, { id: '', path: ROOT, isLocal: false })
  return [...found.values()].toSorted((a, b) => b.path.length - a.path.length)
}

/** mountinfo escapes spaces and backslashes in octal, such as `\040`. */
function unescapeMount(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}

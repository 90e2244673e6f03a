import { fstatSync, statfsSync } from 'node:fs'
import { self } from './walk.ts'

/**
 * Disks (statfs(2), `f_type`) that take names as they are written, but where a folder or the whole disk was made to fold case, which includes the
 * letters of ASCII: ext2 to ext4, XFS, Btrfs, tmpfs, ramfs, F2FS, overlays of these, bcachefs, SquashFS, EROFS. Not FAT, exFAT, NTFS, HFS+, ZFS,
 * and nothing behind FUSE or a network: who knows what they take for the same.
 */
const PLAIN = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0xf2f52010, 0x794c7630, 0xca451a4e, 0x73717368, 0xe0f5e1e2])
const MOST_REMEMBERED = 1000
/** The number of a device may be another disk's after it is mounted anew. */
const KEPT_MS = 1000
const known = new Map<number, { isPlain: boolean; until: number }>()

/** Of an open folder. */
export function isPlainDisk(fd: number): boolean {
  const device = fstatSync(fd).dev
  const now = performance.now()
  const remembered = known.get(device)
  if (remembered !== undefined && now < remembered.until) return remembered.isPlain
  // The runtime may make a negative number of one of 32 bits.
  const isPlain = PLAIN.has(statfsSync(self(fd)).type >>> 0)
  if (known.size >= MOST_REMEMBERED) known.clear()
  known.set(device, { isPlain, until: now + KEPT_MS })
  return isPlain
}

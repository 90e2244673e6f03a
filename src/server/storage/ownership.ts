import { fchmodSync, fchownSync, fstatSync, futimesSync } from 'node:fs'
import { codeOf } from '../../shared/errors.ts'

/** Without the bits that make a program run as its owner or group: new bytes did not earn them (POSIX has `write(2)` clear them, too). */
const PERMISSIONS = 0o1777
const SETGID = 0o2000

export interface Ownership {
  readonly uid?: number
  readonly gid?: number
}

/** In a folder with the setgid bit new files belong to its group; staging is elsewhere, so that is ours to do. */
export function ownershipIn(parent: { fd: number }): Ownership {
  const { mode, gid } = fstatSync(parent.fd)
  return (mode & SETGID) === 0 ? {} : { gid }
}

/** A saved file stays its owner's, or at least its group's, as far as we may say so. */
export function giveTo(fd: number, owner: Ownership): void {
  const mine = fstatSync(fd)
  const { uid = mine.uid, gid = mine.gid } = owner
  if (mine.uid === uid && mine.gid === gid) return
  if (!whereKept(() => fchownSync(fd, uid, gid)) && mine.gid !== gid) whereKept(() => fchownSync(fd, mine.uid, gid))
}

export function setMode(fd: number, mode: number): void {
  whereKept(() => fchmodSync(fd, mode & PERMISSIONS))
}

export function setModified(fd: number, modified: number): void {
  whereKept(() => futimesSync(fd, new Date(), fileTime(modified)))
}

/** Seconds keep the fractions of a millisecond; before 1970 the runtime takes them for now. */
function fileTime(modified: number): number | Date {
  return modified < 0 ? new Date(modified) : modified / 1000
}

/** Not ours to say, no such owner in this user namespace, or a file system (FAT, some FUSE and SMB mounts) that keeps none of it. */
const NOT_KEPT = ['EPERM', 'EACCES', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

/** Owners, modes and times are kept where that can be: the bytes are what counts. @returns whether they were */
function whereKept(change: () => void): boolean {
  try {
    change()
    return true
  } catch (error) {
    if (!NOT_KEPT.includes(codeOf(error))) throw error
    return false
  }
}

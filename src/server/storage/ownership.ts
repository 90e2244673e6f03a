import { fchmodSync, fchownSync, fstatSync, futimesSync } from 'node:fs'
import { codeOf } from '../../shared/errors.ts'

/** Without setuid and setgid, which must not apply to new content (write(2) clears them, too). */
const PERMISSIONS = 0o1777
const SETGID = 0o2000

export interface Ownership {
  readonly uid?: number
  readonly gid?: number
}

/** New files in a setgid folder belong to its group. The kernel does not do that here, because they are staged in another folder. */
export function ownershipIn(parent: { fd: number }): Ownership {
  const { mode, gid } = fstatSync(parent.fd)
  return (mode & SETGID) === 0 ? {} : { gid }
}

/** Sets owner and group, or at least the group, as far as permitted. */
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

/** Seconds keep fractions of a millisecond; but the runtime replaces negative numbers by the current time. */
function fileTime(modified: number): number | Date {
  return modified < 0 ? new Date(modified) : modified / 1000
}

/** Not permitted, no such owner in this user namespace, or not stored by the file system (FAT, some FUSE and SMB mounts). */
const NOT_KEPT = ['EPERM', 'EACCES', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

/** Ignores that an owner, mode or time cannot be set: the content matters more. @returns whether it was set */
function whereKept(change: () => void): boolean {
  try {
    change()
    return true
  } catch (error) {
    if (!NOT_KEPT.includes(codeOf(error))) throw error
    return false
  }
}

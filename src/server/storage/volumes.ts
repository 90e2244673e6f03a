import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { libc } from './libc.ts'
import { openFolder } from './open-folder.ts'
import { PRIVATE_NAME } from './private-name.ts'
import type { KeptArea } from './storage.ts'
import { entryPath, type Folder, OPEN_FOLDER, descriptorPath } from './proc-paths.ts'
import { codeOf } from '../../shared/errors.ts'

/** A folder in the private folder of a volume. */
type PrivateArea = 'staging' | KeptArea

/** Opens a private folder of a volume, creating it with mode 0700 if missing. The caller closes it. @param top the uppermost folder */
export function openPrivate(top: Folder, area: PrivateArea): Folder {
  const there = findPrivate(top, area)
  if (there !== null) return there
  makePrivate(top, PRIVATE_NAME)
  using ours = openFolder(top, [PRIVATE_NAME])
  makePrivate(ours, area)
  return openFolder(ours, [area])
}

/** Like `openPrivate`, but null if it does not exist. */
export function findPrivate(top: Folder, area: PrivateArea): Folder | null {
  try {
    return openFolder(top, [PRIVATE_NAME, area])
  } catch (error) {
    if (isNoFolder(error)) return null
    throw error
  }
}

/** The number of segments to the uppermost folder of the file system that holds the last one, or would hold it once it exists. */
export function segmentsToVolume(root: { fd: number }, segments: readonly string[]): number {
  if (isOnVolume(root, segments, volumeMark(root.fd))) return 0
  let found = 0
  let fd = openSync(`${descriptorPath(root.fd)}/.`, OPEN_FOLDER)
  try {
    let mark = volumeMark(fd)
    for (const [index, segment] of segments.entries()) {
      const next = openSync(entryPath({ fd }, segment), OPEN_FOLDER)
      closeSync(fd)
      fd = next
      if (mark === volumeMark(fd)) continue
      mark = volumeMark(fd)
      found = index + 1
    }
  } catch (error) {
    // A missing or unreadable folder is not a mount point.
    if (!isNoFolder(error)) throw error
  } finally {
    closeSync(fd)
  }
  return found
}

/** A path never returns to a volume that it has left. */
function isOnVolume(root: { fd: number }, segments: readonly string[], mark: string): boolean {
  try {
    using last = openFolder(root, segments)
    return volumeMark(last.fd) === mark
  } catch {
    return false
  }
}

/** Device and mount id: a bind mount has the device of its source, a btrfs subvolume the mount id of its parent. */
export function volumeMark(fd: number): string {
  const look = libc()?.look(fd, '')
  if (look && look.mount !== null) return `${look.device}:${look.mount}`
  return `${fstatSync(fd).dev}:${mountOf(fd)}`
}

/** The mount id: the same for all btrfs subvolumes that are not mounted themselves. */
export function mountOf(fd: number): string {
  const mount = libc()?.look(fd, '')?.mount ?? /mnt_id:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1]
  return String(mount ?? '')
}

function makePrivate(folder: Folder, name: string): void {
  try {
    mkdirSync(entryPath(folder, name), 0o700)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

function isNoFolder(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENAMETOOLONG'].includes(codeOf(error))
}

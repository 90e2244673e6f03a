import { constants, openSync } from 'node:fs'
import { constants as os } from 'node:os'
import { libc } from './libc.ts'
import { entryPath, type Folder, folderHandle, O_PATH, OPEN_FOLDER, descriptorPath } from './proc-paths.ts'

/**
 * Opens a folder below `start`, in one call where the kernel can. A link or a file on the way is ENOTDIR (invariant I2).
 * @param options.stay fails with EXDEV instead of going into another mount, where the kernel can
 */
export function openFolder(start: { fd: number }, segments: readonly string[], { stay = false } = {}): Folder {
  const fd = libc()?.openBeneath(start.fd, segments.join('/') || '.', { flags: OPEN_FOLDER, stay }) ?? -1
  if (fd === -os.errno.EXDEV && stay) throw Object.assign(new Error('another file system is mounted on the way'), { code: 'EXDEV' })
  return fd >= 0 ? folderHandle(fd) : openOneByOne(start, segments)
}

/** Opens one descriptor per segment: for kernels without the call, and for the reason of a failure. */
export function openOneByOne(start: { fd: number }, segments: readonly string[]): Folder {
  let at = folderHandle(openSync(`${descriptorPath(start.fd)}/.`, OPEN_FOLDER))
  for (const segment of segments) {
    using last = at
    at = folderHandle(openSync(entryPath(last, segment), OPEN_FOLDER))
  }
  return at
}

/** Opens the root folder that the operator configured, following links. Stays open for the life of the process. */
export function openRoot(path: string): { fd: number } {
  return { fd: openSync(path, O_PATH | constants.O_DIRECTORY) }
}

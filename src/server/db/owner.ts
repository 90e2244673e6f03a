import { closeSync, constants, fchownSync, fstatSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants

/**
 * Commands are often run as root, beside a server that runs as an account of its own and could not use what root has made: gives a file or folder that
 * was just made to the owner of the folder it belongs in. Without effect for any other account, and where the file system has no owners.
 */
export function giveToOwner(path: string, folder: string = dirname(path)): void {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = statSync(folder)
  if (uid === 0) return
  // The owner of the folder could have put a link to a file of root's here.
  const descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const stat = fstatSync(descriptor)
    if (stat.uid === 0 && (stat.isDirectory() || (stat.isFile() && stat.nlink === 1))) fchownSync(descriptor, uid, gid)
  } catch {
    // A user namespace or a network disk that does not know the owner.
  } finally {
    closeSync(descriptor)
  }
}

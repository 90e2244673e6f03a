import { closeSync, constants } from 'node:fs'
import { nameToBytes } from '../../shared/file-path.ts'

/** Linux: a descriptor for a node in the tree, not for its content. Opening one reads nothing and needs no read permission. */
export const O_PATH = 0o10000000
export const OPEN_FOLDER = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW
export const OPEN_NODE = O_PATH | constants.O_NOFOLLOW

/** An open folder. Operations on its entries act in it, even if its name means another folder by then (invariant I2). */
export interface Folder extends Disposable {
  readonly fd: number
}

/** The path of an open descriptor, which the kernel resolves to its node without using names. */
export function descriptorPath(fd: number): string {
  return `/proc/self/fd/${fd}`
}

/** The path of an entry in an open folder, like the arguments of openat(2). A string, or bytes if the name is not UTF-8. */
export function entryPath({ fd }: { fd: number }, name: string): string | Buffer {
  const place = `${descriptorPath(fd)}/`
  return name.isWellFormed() ? place + name : Buffer.concat([Buffer.from(place), nameToBytes(name)])
}

export function folderHandle(fd: number): Folder {
  return { fd, [Symbol.dispose]: () => closeSync(fd) }
}

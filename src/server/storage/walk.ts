import { closeSync, constants } from 'node:fs'
import { nameToBytes } from '../../shared/file-path.ts'

/** Linux: a handle to a place in the tree, not to its content. Opening one reads nothing and needs no right to read. */
export const O_PATH = 0o10000000
export const OPEN_FOLDER = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW
export const OPEN_NODE = O_PATH | constants.O_NOFOLLOW

/** A folder held open. What is done to its entries is done there, wherever its name may point by then (invariant I2). */
export interface Folder extends Disposable {
  readonly fd: number
}

/** The address of an open descriptor itself; the kernel goes to the very node, by no name. */
export function self(fd: number): string {
  return `/proc/self/fd/${fd}`
}

/** The address of an entry in an open folder, as `openat` has it. Text where it can be, bytes where the name is not UTF-8. */
export function entry({ fd }: { fd: number }, name: string): string | Buffer {
  const place = `${self(fd)}/`
  return name.isWellFormed() ? place + name : Buffer.concat([Buffer.from(place), nameToBytes(name)])
}

export function folder(fd: number): Folder {
  return { fd, [Symbol.dispose]: () => closeSync(fd) }
}

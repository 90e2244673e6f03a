import {
  closeSync,
  copyFile,
  fdatasync,
  fdatasyncSync,
  fsync,
  fsyncSync,
  read,
  readSync,
  write,
  writeSync,
  writev,
  writevSync,
} from 'node:fs'
import { constants, copyFileSync, ftruncate, ftruncateSync } from 'node:fs'
import { promisify } from 'node:util'
import { self } from './walk.ts'

/** What is done to open files: each call may take as long as the disk likes. */
export interface DiskIo {
  /** Fills `into` from `at` on. @returns how many bytes there were */
  read(fd: number, into: Uint8Array, at: number): Promise<number>
  /** @returns how many bytes were taken */
  write(fd: number, bytes: Uint8Array, at: number): Promise<number>
  /** The same for many pieces, one after the other. */
  writeAll(fd: number, pieces: readonly Uint8Array[], at: number): Promise<number>
  truncate(fd: number, size: number): Promise<void>
  sync(fd: number): Promise<void>
  /** Without times. */
  syncData(fd: number): Promise<void>
  /** Gives `to` the content of `from` by sharing its blocks. Fails where the file system does not. */
  clone(from: number, to: number): Promise<void>
  /** Of a file that was open for reading or writing. */
  close(fd: number): Promise<void>
}

/** The same of one disk. */
export interface IoOfDisk {
  readonly io: DiskIo
  /** Whether threads do it now, and the caller must not touch what lies on this disk. */
  isThreaded(): boolean
}

const readAt = promisify(read)
const writeAt = promisify(write)
const writeMany = promisify(writev)
const cloneFile = promisify(copyFile)

/** By the threads of the runtime, which all of the process share: for disks that answer. */
export const pooledIo: DiskIo = {
  read: async (fd, into, at) => (await readAt(fd, into, 0, into.length, at)).bytesRead,
  write: async (fd, bytes, at) => (await writeAt(fd, bytes, 0, bytes.length, at)).bytesWritten,
  writeAll: async (fd, pieces, at) => (await writeMany(fd, [...pieces], at)).bytesWritten,
  truncate: promisify(ftruncate),
  sync: promisify(fsync),
  syncData: promisify(fdatasync),
  clone: (from, to) => cloneFile(self(from), self(to), constants.COPYFILE_FICLONE_FORCE),
  close: async (fd) => closeSync(fd),
}

/** By the calling thread, which waits: for a thread that serves one slow disk. */
export const blockingIo: DiskIo = {
  read: async (fd, into, at) => readSync(fd, into, 0, into.length, at),
  write: async (fd, bytes, at) => writeSync(fd, bytes, 0, bytes.length, at),
  writeAll: async (fd, pieces, at) => writevSync(fd, [...pieces], at),
  truncate: async (fd, size) => ftruncateSync(fd, size),
  sync: async (fd) => fsyncSync(fd),
  syncData: async (fd) => fdatasyncSync(fd),
  clone: async (from, to) => copyFileSync(self(from), self(to), constants.COPYFILE_FICLONE_FORCE),
  close: async (fd) => closeSync(fd),
}

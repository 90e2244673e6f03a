import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { descriptorPath, type Folder, folderHandle } from './proc-paths.ts'
import type { CopyOptions } from './storage.ts'
import { codeOf } from '../../shared/errors.ts'

/** Calls on open files; each takes as long as the disk does. */
export interface DiskIo {
  /** Fills `into` from `at` on. @returns the number of bytes read */
  read(fd: number, into: Uint8Array, at: number): Promise<number>
  /** @returns the number of bytes written */
  write(fd: number, bytes: Uint8Array, at: number): Promise<number>
  /** Writes many pieces one after the other. */
  writeAll(fd: number, pieces: readonly Uint8Array[], at: number): Promise<number>
  truncate(fd: number, size: number): Promise<void>
  sync(fd: number): Promise<void>
  /** Like fdatasync(2): without timestamps. */
  syncData(fd: number): Promise<void>
  /** Copies the content of `from` to `to` by sharing blocks (reflink). Fails if the file system does not support it. */
  clone(from: number, to: number): Promise<void>
  /** Closes a file that was opened for reading or writing. */
  close(fd: number): Promise<void>
}

/** The calls for one disk. */
export interface IoOfDisk {
  readonly io: DiskIo
  /** Whether threads make the calls now, and the caller must not access this disk itself. */
  isThreaded(): boolean
}

const readAt = promisify(fs.read)
const writeAt = promisify(fs.write)
const writeMany = promisify(fs.writev)
const cloneFile = promisify(fs.copyFile)

/** Uses the thread pool of the runtime, which the whole process shares: for disks that respond. */
export const pooledIo: DiskIo = {
  read: async (fd, into, at) => (await readAt(fd, into, 0, into.length, at)).bytesRead,
  write: async (fd, bytes, at) => (await writeAt(fd, bytes, 0, bytes.length, at)).bytesWritten,
  writeAll: async (fd, pieces, at) => (await writeMany(fd, [...pieces], at)).bytesWritten,
  truncate: promisify(fs.ftruncate),
  sync: promisify(fs.fsync),
  syncData: promisify(fs.fdatasync),
  clone: (from, to) => cloneFile(descriptorPath(from), descriptorPath(to), fs.constants.COPYFILE_FICLONE_FORCE),
  close: async (fd) => fs.closeSync(fd),
}

/** Blocks the calling thread: for a thread that serves one slow disk. */
export const blockingIo: DiskIo = {
  read: async (fd, into, at) => fs.readSync(fd, into, 0, into.length, at),
  write: async (fd, bytes, at) => fs.writeSync(fd, bytes, 0, bytes.length, at),
  writeAll: async (fd, pieces, at) => fs.writevSync(fd, [...pieces], at),
  truncate: async (fd, size) => fs.ftruncateSync(fd, size),
  sync: async (fd) => fs.fsyncSync(fd),
  syncData: async (fd) => fs.fdatasyncSync(fd),
  clone: async (from, to) => fs.copyFileSync(descriptorPath(from), descriptorPath(to), fs.constants.COPYFILE_FICLONE_FORCE),
  close: async (fd) => fs.closeSync(fd),
}

const CHUNK_BYTES = 4 * 1024 * 1024

/** An open file with the calls for its disk. */
export interface IoFile {
  readonly fd: number
  readonly io: DiskIo
}

/** Copies the content of `from` to `to`: by sharing blocks if the file system can, otherwise in chunks, between which it can be stopped. */
export async function copyContent(from: IoFile, to: IoFile, { signal, onProgress }: CopyOptions = {}): Promise<void> {
  signal?.throwIfAborted()
  await to.io.truncate(to.fd, 0)
  if (from.io === to.io && (await clone(from, to))) return
  const buffer = new Uint8Array(CHUNK_BYTES)
  for (let at = 0; ;) {
    signal?.throwIfAborted()
    const got = await from.io.read(from.fd, buffer, at)
    if (got === 0) return
    for (let done = 0; done < got;) done += await to.io.write(to.fd, buffer.subarray(done, got), at + done)
    at += got
    onProgress?.(at)
  }
}

async function clone(from: IoFile, to: IoFile): Promise<boolean> {
  try {
    await to.io.clone(from.fd, to.fd)
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'ENOSPC', 'EDQUOT', 'EIO'].includes(codeOf(error))) throw error
    return false
  }
}

/** Makes a new name survive a power failure. */
export async function syncFolder({ fd }: Folder, io: DiskIo): Promise<void> {
  try {
    using readable = folderHandle(fs.openSync(`${descriptorPath(fd)}/.`, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY))
    await io.sync(readable.fd)
  } catch (error) {
    // Impossible on some network mounts, and in folders without read permission.
    if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EACCES'].includes(codeOf(error))) throw error
  }
}

import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { self, type Folder, folder } from './walk.ts'
import type { CopyOptions } from './storage.ts'
import { codeOf } from '../../shared/errors.ts'

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

const readAt = promisify(fs.read)
const writeAt = promisify(fs.write)
const writeMany = promisify(fs.writev)
const cloneFile = promisify(fs.copyFile)

/** By the threads of the runtime, which all of the process share: for disks that answer. */
export const pooledIo: DiskIo = {
  read: async (fd, into, at) => (await readAt(fd, into, 0, into.length, at)).bytesRead,
  write: async (fd, bytes, at) => (await writeAt(fd, bytes, 0, bytes.length, at)).bytesWritten,
  writeAll: async (fd, pieces, at) => (await writeMany(fd, [...pieces], at)).bytesWritten,
  truncate: promisify(fs.ftruncate),
  sync: promisify(fs.fsync),
  syncData: promisify(fs.fdatasync),
  clone: (from, to) => cloneFile(self(from), self(to), fs.constants.COPYFILE_FICLONE_FORCE),
  close: async (fd) => fs.closeSync(fd),
}

/** By the calling thread, which waits: for a thread that serves one slow disk. */
export const blockingIo: DiskIo = {
  read: async (fd, into, at) => fs.readSync(fd, into, 0, into.length, at),
  write: async (fd, bytes, at) => fs.writeSync(fd, bytes, 0, bytes.length, at),
  writeAll: async (fd, pieces, at) => fs.writevSync(fd, [...pieces], at),
  truncate: async (fd, size) => fs.ftruncateSync(fd, size),
  sync: async (fd) => fs.fsyncSync(fd),
  syncData: async (fd) => fs.fdatasyncSync(fd),
  clone: async (from, to) => fs.copyFileSync(self(from), self(to), fs.constants.COPYFILE_FICLONE_FORCE),
  close: async (fd) => fs.closeSync(fd),
}

const CHUNK_BYTES = 4 * 1024 * 1024

/** An open file and how it is read or written. */
export interface IoFile {
  readonly fd: number
  readonly io: DiskIo
}

/** Fills `to` with the content of `from`: in no time where the file system shares blocks, else in chunks, between which it can be stopped. */
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

/** Makes a new name last through a power cut. */
export async function syncFolder({ fd }: Folder, io: DiskIo): Promise<void> {
  try {
    using readable = folder(fs.openSync(`${self(fd)}/.`, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY))
    await io.sync(readable.fd)
  } catch (error) {
    // Some network mounts cannot, and folders one may write to but not read.
    if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EACCES'].includes(codeOf(error))) throw error
  }
}

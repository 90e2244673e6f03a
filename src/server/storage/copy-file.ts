import type { DiskIo } from './disk-io.ts'
import { systemCode } from './foreign-errors.ts'
import type { CopyOptions } from './storage.ts'

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
    if (['EACCES', 'EPERM', 'ENOSPC', 'EDQUOT', 'EIO'].includes(systemCode(error))) throw error
    return false
  }
}

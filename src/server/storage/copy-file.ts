import { constants, copyFile, ftruncateSync, read, write } from 'node:fs'
import { promisify } from 'node:util'
import { systemCode } from './foreign-errors.ts'
import type { CopyOptions } from './storage.ts'
import { self } from './walk.ts'

const CHUNK_BYTES = 4 * 1024 * 1024
const cloneFile = promisify(copyFile)
const readAt = promisify(read)
const writeAt = promisify(write)

/** Fills `to` with the content of `from`: in no time where the file system shares blocks, else in chunks, between which it can be stopped. */
export async function copyContent(from: number, to: number, { signal, onProgress }: CopyOptions = {}): Promise<void> {
  signal?.throwIfAborted()
  ftruncateSync(to, 0)
  if (await clone(from, to)) return
  const buffer = new Uint8Array(CHUNK_BYTES)
  for (let at = 0; ;) {
    signal?.throwIfAborted()
    const { bytesRead } = await readAt(from, buffer, 0, buffer.length, at)
    if (bytesRead === 0) return
    for (let done = 0; done < bytesRead;) done += (await writeAt(to, buffer, done, bytesRead - done, at + done)).bytesWritten
    at += bytesRead
    onProgress?.(at)
  }
}

async function clone(from: number, to: number): Promise<boolean> {
  try {
    await cloneFile(self(from), self(to), constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'ENOSPC', 'EDQUOT', 'EIO'].includes(systemCode(error))) throw error
    return false
  }
}

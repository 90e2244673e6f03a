import { constants, openSync } from 'node:fs'
import type { DiskIo } from './disk-io.ts'
import { systemCode } from './foreign-errors.ts'
import { type Folder, folder, self } from './walk.ts'

/** Makes a new name last through a power cut. */
export async function syncFolder({ fd }: Folder, io: DiskIo): Promise<void> {
  try {
    using readable = folder(openSync(`${self(fd)}/.`, constants.O_RDONLY | constants.O_DIRECTORY))
    await io.sync(readable.fd)
  } catch (error) {
    // Some network mounts cannot, and folders one may write to but not read.
    if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EACCES'].includes(systemCode(error))) throw error
  }
}

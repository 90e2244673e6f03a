import { constants, fsync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { systemCode } from './foreign-errors.ts'
import { type Folder, folder, self } from './walk.ts'

const sync = promisify(fsync)

/** Makes a new name last through a power cut. */
export async function syncFolder({ fd }: Folder): Promise<void> {
  try {
    using readable = folder(openSync(`${self(fd)}/.`, constants.O_RDONLY | constants.O_DIRECTORY))
    await sync(readable.fd)
  } catch (error) {
    // Some network mounts cannot, and folders one may write to but not read.
    if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EACCES'].includes(systemCode(error))) throw error
  }
}

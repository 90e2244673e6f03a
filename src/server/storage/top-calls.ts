import { closeSync, constants, openSync } from 'node:fs'
import { codeOf } from '../../shared/errors.ts'
import { folderMark } from './folder-mark.ts'
import { statOpen } from './nodes.ts'
import { openFolder } from './open-folder.ts'
import { O_PATH } from './proc-paths.ts'

/** The uppermost folder of a storage, as it was found. */
export interface Top {
  readonly fd: number
  /** As `Stat.identity`: it changes when the disk is connected as another device. */
  readonly identity: string
  /** What tells it from other folders on other days: its marker, or inode and birth time if it has none. */
  readonly mark: string
}

/** Steps of a storage whose disk may come and go, and may hang: threads run them. Paths are those of the machine, with links. */
export const topCalls = {
  /** Opens a folder, which the caller closes; null if there is none. With `make`, it gets a marker if it can hold one. */
  openTop(path: string, { make }: { make: boolean }): Top | null {
    const fd = openPath(path)
    if (fd === null) return null
    try {
      const { identity } = statOpen(fd)
      using folder = openFolder({ fd }, [])
      return { fd, identity, mark: folderMark(folder, { make }) ?? identity.slice(identity.indexOf(':') + 1) }
    } catch (error) {
      closeSync(fd)
      throw error
    }
  },

  /** The identity of the folder that has the path now; null if there is none. */
  identityOfTop(path: string): string | null {
    const fd = openPath(path)
    if (fd === null) return null
    try {
      return statOpen(fd).identity
    } finally {
      closeSync(fd)
    }
  },
}

function openPath(path: string): number | null {
  try {
    return openSync(path, O_PATH | constants.O_DIRECTORY)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENXIO', 'EIO', 'ENOTCONN', 'ESTALE'].includes(codeOf(error))) return null
    throw error
  }
}

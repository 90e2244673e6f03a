import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Files } from './sources.ts'
import { codeOf } from '../../shared/errors.ts'

export const systemFiles: Files = {
  read(path) {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      if (isMissing(error) || isOutOfReach(path)) return null
      throw error
    }
  },
  realPath(path) {
    try {
      return realpathSync(path)
    } catch (error) {
      // A folder that this account cannot read cannot be followed; its later use reports that.
      if (!(isMissing(error) || ['EACCES', 'ELOOP'].includes(codeOf(error))) || dirname(path) === path) throw error
      return join(systemFiles.realPath(dirname(path)), basename(path))
    }
  },
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
}

/** In a folder that this account cannot read, such as another account's home (`HOME` after `su`): treated as absent. */
function isOutOfReach(path: string): boolean {
  try {
    lstatSync(path)
    return false
  } catch (error) {
    return codeOf(error) === 'EACCES'
  }
}

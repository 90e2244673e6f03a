import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Files } from './sources.ts'

/** The machine's own files. */
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
      // What this account may not look into cannot be followed; whoever uses it is told so then.
      if (!(isMissing(error) || hasCode(error, ['EACCES', 'ELOOP'])) || dirname(path) === path) throw error
      return join(systemFiles.realPath(dirname(path)), basename(path))
    }
  },
}

function isMissing(error: unknown): boolean {
  return hasCode(error, ['ENOENT', 'ENOTDIR'])
}

/** In a folder that this account may not look into, such as the home of another (`HOME` after `su`): for it there is nothing. */
function isOutOfReach(path: string): boolean {
  try {
    lstatSync(path)
    return false
  } catch (error) {
    return hasCode(error, ['EACCES'])
  }
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

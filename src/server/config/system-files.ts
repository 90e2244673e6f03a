import { readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Files } from './sources.ts'

/** The machine's own files. */
export const systemFiles: Files = {
  read(path) {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  },
  realPath(path) {
    try {
      return realpathSync(path)
    } catch (error) {
      if (!isMissing(error) || dirname(path) === path) throw error
      return join(systemFiles.realPath(dirname(path)), basename(path))
    }
  },
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

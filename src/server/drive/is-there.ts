import { isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Drive } from './drive.ts'

/** Whether there is anything at a path that the viewer may see. */
export async function isThere(drive: Pick<Drive, 'stat'>, path: FilePath): Promise<boolean> {
  try {
    await drive.stat(path)
    return true
  } catch (error) {
    if (isAppError(error, 'not-found')) return false
    throw error
  }
}

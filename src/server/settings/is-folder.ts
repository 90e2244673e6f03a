import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'

/** Whether a local folder exists, at a path from the operator; false if it is not readable. */
export async function isFolder(path: string): Promise<boolean> {
  if (!isAbsolute(path) || path.includes('\0')) return false
  return (await stat(path).catch(() => null))?.isDirectory() === true
}

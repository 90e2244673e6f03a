import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'

/** Whether there is such a folder on the machine, where the operator put it; an unreadable place is none. */
export async function isFolder(path: string): Promise<boolean> {
  if (!isAbsolute(path) || path.includes('\0')) return false
  return (await stat(path).catch(() => null))?.isDirectory() === true
}

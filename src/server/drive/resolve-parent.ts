import { type FilePath, joinPath, nameOf, parentOf, ROOT } from '../../shared/file-path.ts'
import type { Drive } from './drive.ts'

/**
 * The storage path that a rename or a delete acts on: links on the way are resolved, the last name is kept. The node need not exist.
 * @param path from the storage's root
 */
export async function resolveParent(systemDrive: Drive, path: FilePath): Promise<FilePath> {
  return path === ROOT ? ROOT : joinPath(await systemDrive.place(parentOf(path), 'follow'), nameOf(path))
}

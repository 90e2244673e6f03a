import { type FilePath, joinPath, nameOf, parentOf, ROOT } from '../../shared/file-path.ts'
import type { Drive } from './drive.ts'

/**
 * The place of what a rename or a delete acts on: the links on the way resolved, its own not. It need not be there any more, or yet.
 * @param path from the storage's root
 */
export async function leafPlace(house: Drive, path: FilePath): Promise<FilePath> {
  return path === ROOT ? ROOT : joinPath(await house.place(parentOf(path), 'follow'), nameOf(path))
}

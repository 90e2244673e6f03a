import { type FilePath, joinPath, nameOf, parentOf, ROOT } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import type { Drive } from './drive.ts'
import type { Operation } from './operation.ts'

/**
 * The storage path that a rename or a delete acts on: links on the way are resolved, the last name is kept. The node need not exist.
 * @param path from the storage's root
 */
export async function resolveParent(systemDrive: Drive, path: FilePath): Promise<FilePath> {
  return path === ROOT ? ROOT : joinPath(await systemDrive.place(parentOf(path), 'follow'), nameOf(path))
}

/** Paths that were resolved for an operation that has ended, by storage path. */
const resolved = new WeakMap<Operation, Map<FilePath, Promise<FilePath>>>()

/** The same for a path of an operation that has ended, as its actor sees it. It is walked once for all observers. */
export function resolvedPathOf(systemDrive: Drive, operation: Operation, path: FilePath): Promise<FilePath> {
  const paths = resolved.get(operation) ?? new Map<FilePath, Promise<FilePath>>()
  resolved.set(operation, paths)
  const asked = inStorage(operation.access, path)
  const found = paths.get(asked) ?? resolveParent(systemDrive, asked)
  paths.set(asked, found)
  return found
}

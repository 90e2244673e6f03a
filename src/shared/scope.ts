import { type FilePath, joinPath, parentOf, ROOT } from './file-path.ts'

/**
 * A scope as the predecessor stored it (`.`, `./users/bob`, `/srv/x`, empty), as a folder of the storage.
 * It always lies under the root: an absolute one starts there too, and `..` does not climb above it.
 */
export function cleanScope(scope: string): FilePath {
  let place = ROOT
  for (const segment of scope.trim().split('/')) {
    if (segment === '' || segment === '.') continue
    place = segment === '..' ? parentOf(place) : joinPath(place, segment)
  }
  return place
}

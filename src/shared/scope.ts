import { type FilePath, joinPath, parentOf, ROOT } from './file-path.ts'

/**
 * Converts a scope as the predecessor stored it (`.`, `./users/bob`, `/srv/x`, empty) to a folder of the storage. It is always below the root: an
 * absolute one starts there too, and `..` does not lead above it.
 */
export function cleanScope(scope: string): FilePath {
  let place = ROOT
  for (const segment of scope.trim().split('/')) {
    if (segment === '' || segment === '.') continue
    place = segment === '..' ? parentOf(place) : joinPath(place, segment)
  }
  return place
}

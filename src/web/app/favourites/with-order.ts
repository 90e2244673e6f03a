import type { FilePath } from '../../../shared/file-path.ts'

/** All favourites with the folders reordered; files keep their positions. */
export function withOrder(
  favourites: readonly { readonly path: FilePath; readonly isDir: boolean }[],
  folders: readonly FilePath[],
): readonly FilePath[] {
  const next = folders.values()
  return favourites.map(({ path, isDir }) => (isDir ? (next.next().value ?? path) : path))
}

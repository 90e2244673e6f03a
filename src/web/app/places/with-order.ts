import type { FilePath } from '../../../shared/file-path.ts'

/** All favourites with their folders in another order: files keep their places between them. */
export function withOrder(
  favourites: readonly { readonly path: FilePath; readonly isDir: boolean }[],
  folders: readonly FilePath[],
): readonly FilePath[] {
  const next = folders.values()
  return favourites.map(({ path, isDir }) => (isDir ? (next.next().value ?? path) : path))
}

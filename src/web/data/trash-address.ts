import type { FilePath } from '../../shared/file-path.ts'

/** Address of the trash; with a folder, of what was deleted in it. */
export function trashAddress(folder: FilePath): string {
  return `/trash?${new URLSearchParams({ folder })}`
}

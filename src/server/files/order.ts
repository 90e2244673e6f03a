import type { Sorting } from '../../shared/contract/users.ts'
import { naturalKey } from '../../shared/natural-order.ts'
import { isFolderAt, type Sheet } from './sheet.ts'

/** Indices in the order of contract reference 9.2. Names decide where sizes or times are equal. */
export function orderOf(sheet: Sheet, { by, asc }: Sorting): number[] {
  const named = byName(sheet.names)
  if (by === 'name') return foldersFirst(sheet, asc ? named.reverse() : named)
  const value = by === 'size' ? sizeOf(sheet) : sheet.modified
  const sign = asc ? 1 : -1
  return named.sort((a, b) => sign * ((value[a] ?? 0) - (value[b] ?? 0)))
}

export function foldersFirst(sheet: Sheet, order: readonly number[]): number[] {
  const folders: number[] = []
  const files: number[] = []
  for (const index of order) (isFolderAt(sheet, index) ? folders : files).push(index)
  return folders.concat(files)
}

/**
 * Whole strings are sorted, because the engine does that four times faster than calling us to compare; each ends with its index.
 * No name holds a NUL, so the parts stay apart and a prefix comes first.
 */
function byName(names: readonly string[]): number[] {
  return names
    .map((name, index) => `${naturalKey(name)}\0${name}\0${index}`)
    .sort()
    .map((text) => Number(text.slice(text.lastIndexOf('\0') + 1)))
}

/** Folders count as smaller than any file. */
function sizeOf(sheet: Sheet): Float64Array {
  return sheet.sizes.map((size, index) => (isFolderAt(sheet, index) ? size - Number.MAX_SAFE_INTEGER : size))
}

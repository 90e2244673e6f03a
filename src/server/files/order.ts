import type { Sorting } from '../../shared/contract/users.ts'
import { orderOfNames } from '../../shared/natural-order.ts'
import { isFolderAt, type Sheet } from './sheet.ts'

/**
 * Indices in the order of contract reference 9.2. Names decide where sizes or times are equal.
 * @param named the order of the names, where somebody knows it already
 */
export function orderOf(sheet: Sheet, { by, asc }: Sorting, named: Iterable<number> = orderOfNames(sheet.names)): number[] {
  const order = [...named]
  if (by === 'name') return foldersFirst(sheet, asc ? order.reverse() : order)
  const value = by === 'size' ? sizeOf(sheet) : sheet.modified
  const sign = asc ? 1 : -1
  return order.sort((a, b) => sign * ((value[a] ?? 0) - (value[b] ?? 0)))
}

export function foldersFirst(sheet: Sheet, order: readonly number[]): number[] {
  const folders: number[] = []
  const files: number[] = []
  for (const index of order) (isFolderAt(sheet, index) ? folders : files).push(index)
  return folders.concat(files)
}

/** Folders count as smaller than any file. */
function sizeOf(sheet: Sheet): Float64Array {
  return sheet.sizes.map((size, index) => (isFolderAt(sheet, index) ? size - Number.MAX_SAFE_INTEGER : size))
}

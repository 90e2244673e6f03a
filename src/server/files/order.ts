import type { Sorting } from '../../shared/contract/users.ts'
import { orderOfNames } from '../../shared/name-order.ts'
import { unpackNames } from '../../shared/packed-names.ts'
import { isFolderAt, type FolderColumns } from './folder-columns.ts'

/**
 * Indices in the predecessor's order. Equal sizes or times are ordered by name.
 * @param named the order of the names, if it is already known
 */
export function orderOf(
  columns: FolderColumns,
  { by, asc }: Sorting,
  named: Uint32Array = orderOfNames(unpackNames(columns.names)),
): Uint32Array {
  if (by === 'name') return foldersFirst(columns, asc ? named.toReversed() : named)
  const value = by === 'size' ? sizeOf(columns) : columns.modified
  const sign = asc ? 1 : -1
  return named.toSorted((a, b) => sign * ((value[a] ?? 0) - (value[b] ?? 0)))
}

export function foldersFirst(columns: FolderColumns, order: Uint32Array): Uint32Array {
  const sorted = new Uint32Array(order.length)
  let end = 0
  for (const wanted of [true, false]) {
    for (let row = 0; row < order.length; row++) {
      const index = order[row] ?? 0
      if (isFolderAt(columns, index) === wanted) sorted[end++] = index
    }
  }
  return sorted
}

/**
 * The first rows of `foldersFirst` and `orderOf`, in one pass: sorting everything takes much longer.
 * @param named the sorted order of the names
 * @param count maximum
 */
export function firstRows(
  columns: FolderColumns,
  { by, asc }: Sorting,
  { named, count }: { named: Uint32Array; count: number },
): Uint32Array {
  const value = by === 'size' ? columns.sizes : columns.modified
  const sign = asc ? 1 : -1
  const weigh = (index: number): number => (by === 'name' ? 0 : sign * (value[index] ?? 0))
  const kept: Record<'folders' | 'files', number[]> = { folders: [], files: [] }
  for (const index of by === 'name' && asc ? named.toReversed() : named) {
    const rows = isFolderAt(columns, index) ? kept.folders : kept.files
    // After its equals: they come in the order of their names.
    const place = firstAbove(rows, weigh, weigh(index))
    if (place < count) rows.splice(place, 0, index)
    if (rows.length > count) rows.pop()
  }
  return Uint32Array.from([...kept.folders, ...kept.files].slice(0, count))
}

/** Binary search for the first row with a higher weight; the newest may come last, and then each goes to the front. */
function firstAbove(rows: readonly number[], weigh: (index: number) => number, weight: number): number {
  let from = 0
  let to = rows.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (weigh(rows[middle] ?? 0) > weight) to = middle
    else from = middle + 1
  }
  return from
}

/** Folders count as smaller than any file. */
function sizeOf(columns: FolderColumns): Float64Array {
  return columns.sizes.map((size, index) => (isFolderAt(columns, index) ? size - Number.MAX_SAFE_INTEGER : size))
}

import type { Sorting } from '../../shared/contract/users.ts'
import { orderOfNames } from '../../shared/natural-order.ts'
import { isFolderAt, type FolderColumns } from './folder-columns.ts'

/**
 * Indices in the order that the predecessor's wire has. Names decide where sizes or times are equal.
 * @param named the order of the names, where somebody knows it already
 */
export function orderOf(columns: FolderColumns, { by, asc }: Sorting, named: Iterable<number> = orderOfNames(columns.names)): number[] {
  const order = [...named]
  if (by === 'name') return foldersFirst(columns, asc ? order.reverse() : order)
  const value = by === 'size' ? sizeOf(columns) : columns.modified
  const sign = asc ? 1 : -1
  return order.sort((a, b) => sign * ((value[a] ?? 0) - (value[b] ?? 0)))
}

export function foldersFirst(columns: FolderColumns, order: readonly number[]): number[] {
  const folders: number[] = []
  const files: number[] = []
  for (const index of order) (isFolderAt(columns, index) ? folders : files).push(index)
  return folders.concat(files)
}

/**
 * The first of `foldersFirst` of `orderOf`, in one look at each entry: to put all of them in order takes far longer.
 * @param named the order of the names
 * @param count how many, at most
 */
export function firstRows(columns: FolderColumns, { by, asc }: Sorting, { named, count }: { named: Uint32Array; count: number }): number[] {
  const value = by === 'size' ? columns.sizes : columns.modified
  const sign = asc ? 1 : -1
  const weigh = (index: number): number => (by === 'name' ? 0 : sign * (value[index] ?? 0))
  const kept: Record<'folders' | 'files', number[]> = { folders: [], files: [] }
  for (const index of by === 'name' && asc ? named.toReversed() : named) {
    const rows = isFolderAt(columns, index) ? kept.folders : kept.files
    // Behind its equals: they come in the order of their names.
    const place = firstAbove(rows, weigh, weigh(index))
    if (place < count) rows.splice(place, 0, index)
    if (rows.length > count) rows.pop()
  }
  return kept.folders.concat(kept.files).slice(0, count)
}

/** Where the first row stands that weighs more, by halves: the newest may come last, and then each goes to the front. */
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

import type { Counts, FolderInOrder, FolderTask } from './folder-task.ts'
import { pieceOfItems, piecesOfItems } from './folder-items.ts'
import { pieceOfRows, piecesOfRows } from './folder-rows.ts'
import { firstRows, foldersFirst, orderOf } from './order.ts'
import { entriesOf, isFolderAt, type FolderColumns } from './folder-columns.ts'

/** Rows in the first part of a long folder: as many as a large screen shows. */
export const FIRST_ROWS = 200
const LONG = 2000

/** Whether a folder is long enough to send its first rows early; shorter ones are complete in about the same time. */
export function isLong(entries: number): boolean {
  return entries >= LONG
}

/** Indices into the columns in the order of the form: folders first, or as the predecessor sorts. */
export function rowsOf({ form, columns, sorting, named }: FolderTask): Uint32Array {
  const order = orderOf(columns, sorting, named)
  return form === 'rows' ? foldersFirst(columns, order) : order
}

export function withRows({ form, head, sorting, columns }: FolderTask, rows: Uint32Array): FolderInOrder {
  return { form, head, sorting, columns, rows, counts: countsOf(columns) }
}

/** The first rows only, as `Rows`. Null for short folders, or if the order of names is not known yet. */
export function firstRowsOf(task: FolderTask): FolderInOrder | null {
  const { columns, sorting, named } = task
  if (named === undefined || !isLong(entriesOf(columns))) return null
  return withRows({ ...task, form: 'rows' }, firstRows(columns, sorting, { named, count: FIRST_ROWS }))
}

function countsOf(columns: FolderColumns): Counts {
  const numDirs = columns.modes.reduce((count, _, index) => (isFolderAt(columns, index) ? count + 1 : count), 0)
  return { numDirs, numFiles: entriesOf(columns) - numDirs }
}

/** The number of pieces of a folder's JSON. */
export function piecesOf(folder: FolderInOrder): number {
  return folder.form === 'rows' ? piecesOfRows(folder) : piecesOfItems(folder)
}

/** One piece of the JSON of a folder, as `Folder` or as `Rows`, in UTF-8. */
export function pieceOf(folder: FolderInOrder, piece: number): Uint8Array<ArrayBuffer> {
  return folder.form === 'rows' ? pieceOfRows(folder, piece) : pieceOfItems(folder, piece)
}

/** All pieces joined, for short folders. */
export function wholeOf(folder: FolderInOrder): Uint8Array<ArrayBuffer> {
  const pieces = Array.from({ length: piecesOf(folder) }, (_, piece) => pieceOf(folder, piece))
  const [only] = pieces
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces)
}

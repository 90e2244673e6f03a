import type { Sorting } from '../../shared/contract/users.ts'
import type { FolderColumns } from './folder-columns.ts'

/** The folder itself, as requested. */
export interface FolderHead {
  /** With a trailing slash if the address had one. */
  path: string
  name: string
  size: number
  modified: number
  mode: number
  isSymlink: boolean
  /** Additional fields: for visitors the ticket and the terms of the link, for users their rights. */
  more?: Readonly<Record<string, unknown>>
}

export interface FolderTask {
  form: 'rows' | 'items'
  head: FolderHead
  sorting: Sorting
  columns: FolderColumns
  /** The order of the names, if it is already known. */
  named?: Uint32Array
}

/** A sorted folder, which can be written in independent pieces. */
export interface FolderInOrder extends Omit<FolderTask, 'named'> {
  /** Indices into the columns. */
  readonly rows: Uint32Array
  /** Of the whole folder. */
  readonly counts: Counts
}

export interface Counts {
  readonly numDirs: number
  readonly numFiles: number
}

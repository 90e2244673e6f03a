import type { FileType } from '../../shared/contract/resources.ts'
import { typeOf } from '../../shared/file-type.ts'
import type { Children } from '../drive/drive.ts'
import { isFolderMode, isRegularMode } from './go-mode.ts'

/** A folder's visible children as the wire tells of them: columns, which a worker can take over. */
export interface FolderColumns {
  readonly names: readonly string[]
  readonly sizes: Float64Array
  readonly modified: Float64Array
  /** POSIX st_mode, for a link that can be followed that of its target. */
  readonly modes: Uint32Array
  readonly links: ReadonlyMap<number, 'good' | 'bad'>
  /** What looking into the file said, where somebody looked. */
  readonly sniffed: ReadonlyMap<number, FileType>
}

/** Links that can be followed take on what their targets are. */
export function folderColumns(
  { names, sizes, modified, modes, linked }: Children,
  sniffed: ReadonlyMap<number, FileType> = new Map(),
): FolderColumns {
  const links = new Map<number, 'good' | 'bad'>()
  const columns = { names, sizes: sizes.slice(), modified: modified.slice(), modes: modes.slice(), links, sniffed }
  for (const [index, { stat, target }] of linked) {
    links.set(index, target === 'inside' ? 'good' : 'bad')
    columns.sizes[index] = stat.size
    columns.modified[index] = stat.modified
    columns.modes[index] = stat.mode
  }
  return columns
}

export function isFolderAt({ modes }: FolderColumns, index: number): boolean {
  return isFolderMode(modes[index] ?? 0)
}

export function typeAt(columns: FolderColumns, index: number): FileType {
  const mode = columns.modes[index] ?? 0
  if (columns.links.get(index) === 'bad') return 'invalid_link'
  if (isFolderMode(mode)) return ''
  if (!isRegularMode(mode)) return 'blob'
  return columns.sniffed.get(index) ?? typeOf({ name: columns.names[index] ?? '', size: columns.sizes[index] ?? 0 })
}

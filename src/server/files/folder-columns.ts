import { shared } from '../../shared/column.ts'
import type { FileType } from '../../shared/contract/resources.ts'
import { typeOf } from '../../shared/file-type.ts'
import { type NameBytes, packNames, shareNames } from '../../shared/packed-names.ts'
import type { Children } from '../drive/entry.ts'
import { isFolderMode, isRegularMode } from './go-mode.ts'

/** A folder's visible children as sent to clients: columns that threads can share. */
export interface FolderColumns {
  readonly names: NameBytes
  readonly sizes: Float64Array
  readonly modified: Float64Array
  /** POSIX st_mode; for a link that can be followed, that of its target. */
  readonly modes: Uint32Array
  /** `NO_LINK`, `GOOD_LINK` for one that can be followed, or `BAD_LINK`. */
  readonly links: Uint8Array
  /** The type detected from the content, if the file was opened. */
  readonly sniffed: ReadonlyMap<number, FileType>
}

export const NO_LINK = 0
export const GOOD_LINK = 1
export const BAD_LINK = 2

/** Links that can be followed get the values of their targets. */
export function folderColumns(children: Children, sniffed: ReadonlyMap<number, FileType> = new Map()): FolderColumns {
  const { linked } = children
  const { bytes, starts } = packNames(children.names)
  const links = new Uint8Array(children.names.length)
  const { sizes, modified, modes } = linked.size === 0 ? children : copyOf(children)
  for (const [index, { stat, target }] of linked) {
    links[index] = target === 'inside' ? GOOD_LINK : BAD_LINK
    sizes[index] = stat.size
    modified[index] = stat.modified
    modes[index] = stat.mode
  }
  return { names: { bytes, starts }, sizes, modified, modes, links, sniffed }
}

function copyOf({ sizes, modified, modes }: Children): Pick<Children, 'sizes' | 'modified' | 'modes'> {
  return { sizes: sizes.slice(), modified: modified.slice(), modes: modes.slice() }
}

/** The same in shared memory, for another thread without a copy. */
export function shareColumns({ names, sizes, modified, modes, links, sniffed }: FolderColumns): FolderColumns {
  return {
    names: shareNames(names),
    sizes: shared(sizes),
    modified: shared(modified),
    modes: shared(modes),
    links: shared(links),
    sniffed,
  }
}

export function entriesOf({ modes }: Pick<FolderColumns, 'modes'>): number {
  return modes.length
}

export function isFolderAt({ modes }: Pick<FolderColumns, 'modes'>, index: number): boolean {
  return isFolderMode(modes[index] ?? 0)
}

/** @param extension of its name */
export function typeAt(columns: FolderColumns, index: number, extension: string): FileType {
  const mode = columns.modes[index] ?? 0
  if (columns.links[index] === BAD_LINK) return 'invalid_link'
  if (isFolderMode(mode)) return ''
  if (!isRegularMode(mode)) return 'blob'
  return columns.sniffed.get(index) ?? typeOf({ name: extension, size: columns.sizes[index] ?? 0 })
}

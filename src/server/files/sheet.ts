import type { FileType } from '../../shared/contract/resources.ts'
import { typeOf } from '../../shared/file-type.ts'
import type { Children } from '../drive/drive.ts'
import { isFolderMode, isRegularMode } from './go-mode.ts'

/** A folder's visible children as the wire tells of them: columns, which a worker can take over. */
export interface Sheet {
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
export function sheetOf({ names, sizes, modified, modes, linked }: Children, sniffed: ReadonlyMap<number, FileType> = new Map()): Sheet {
  const links = new Map<number, 'good' | 'bad'>()
  const sheet = { names, sizes: sizes.slice(), modified: modified.slice(), modes: modes.slice(), links, sniffed }
  for (const [index, { stat, target }] of linked) {
    links.set(index, target === 'inside' ? 'good' : 'bad')
    sheet.sizes[index] = stat.size
    sheet.modified[index] = stat.modified
    sheet.modes[index] = stat.mode
  }
  return sheet
}

export function isFolderAt({ modes }: Sheet, index: number): boolean {
  return isFolderMode(modes[index] ?? 0)
}

export function typeAt(sheet: Sheet, index: number): FileType {
  const mode = sheet.modes[index] ?? 0
  if (sheet.links.get(index) === 'bad') return 'invalid_link'
  if (isFolderMode(mode)) return ''
  if (!isRegularMode(mode)) return 'blob'
  return sheet.sniffed.get(index) ?? typeOf({ name: sheet.names[index] ?? '', size: sheet.sizes[index] ?? 0 })
}

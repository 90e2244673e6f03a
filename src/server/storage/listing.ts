import { fstatSync } from 'node:fs'
import { type PackedNames, pickNames } from '../../shared/packed-names.ts'
import { libc, type StatColumns } from './libc.ts'
import { statAt } from './nodes.ts'
import type { Columns } from './storage.ts'

/** Sizes, times and modes of names in an open folder. A name that is gone by now is left out. */
export function statNames(fd: number, names: PackedNames): Columns {
  const { length } = names
  const columns = { sizes: new Float64Array(length), modified: new Float64Array(length), modes: new Uint32Array(length) }
  const look = libc()?.quickRows(fd, names, columns)
  const gone = new Set<number>()
  for (let index = 0; index < length; index++) {
    const row = index - gone.size
    if (look?.(index, row) !== true && !lookAt(fd, names.at(index) ?? '', row, columns)) gone.add(index)
  }
  if (gone.size === 0) return { ...columns, names }
  const present = [...names.keys()].filter((index) => !gone.has(index))
  const { sizes, modified, modes } = columns
  return {
    names: pickNames(names, present),
    sizes: sizes.slice(0, present.length),
    modified: modified.slice(0, present.length),
    modes: modes.slice(0, present.length),
  }
}

function lookAt(fd: number, name: string, row: number, { sizes, modified, modes }: StatColumns): boolean {
  const stats = statAt({ fd }, name)
  if (stats === null) return false
  sizes[row] = stats.size
  modified[row] = stats.modified
  modes[row] = stats.mode
  return true
}

/** A guess before anything is read: most file systems let a folder's size grow with its entries. */
export function looksBig(fd: number): boolean {
  return fstatSync(fd).size > 16 * 1024
}

import { fstatSync } from 'node:fs'
import { type PackedNames, pickNames } from '../../shared/packed-names.ts'
import { libc, type StatColumns } from './libc.ts'
import { statAt } from './nodes.ts'
import type { Columns, Stat } from './storage.ts'

/** The known values of a mount point in a listed folder. */
export interface ListedMount extends Pick<Stat, 'size' | 'modified' | 'mode'> {
  readonly name: string
}

/**
 * Sizes, times and modes of names in an open folder, without names that are gone by now.
 * @param mounts mount points that must not be accessed, because their disks may hang
 */
export function statNames(fd: number, names: PackedNames, mounts: readonly ListedMount[] = []): Columns {
  const { length } = names
  const isMount = mounts.length === 0 ? null : new Map(mounts.map((mount) => [mount.name, mount]))
  const columns = { sizes: new Float64Array(length), modified: new Float64Array(length), modes: new Uint32Array(length) }
  const look = libc()?.quickRows(fd, names, columns)
  const gone = new Set<number>()
  for (let index = 0; index < length; index++) {
    const row = index - gone.size
    const mount = isMount?.get(names.at(index) ?? '')
    if (mount !== undefined) put(mount, row, columns)
    else if (look?.(index, row) !== true && !lookAt(fd, names.at(index) ?? '', row, columns)) gone.add(index)
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

function lookAt(fd: number, name: string, row: number, columns: StatColumns): boolean {
  const stats = statAt({ fd }, name)
  if (stats !== null) put(stats, row, columns)
  return stats !== null
}

function put(known: Omit<ListedMount, 'name'>, row: number, { sizes, modified, modes }: StatColumns): void {
  sizes[row] = known.size
  modified[row] = known.modified
  modes[row] = known.mode
}

/** A guess before the folder is read: on most file systems a folder's size grows with its entries. */
export function looksBig(fd: number): boolean {
  return fstatSync(fd).size > 16 * 1024
}

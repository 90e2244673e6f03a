import { fstatSync } from 'node:fs'
import { nameToBytes } from '../../shared/file-path.ts'
import { createPacker, type PackedNames, pickNames, unpackNames } from '../../shared/packed-names.ts'
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
export function statNames(
  fd: number,
  names: PackedNames,
  mounts: readonly ListedMount[] = [],
  { identities: withIdentities = false }: { readonly identities?: boolean } = {},
): Columns {
  const { length } = names
  const identities = withIdentities ? createPacker(length) : null
  const identify = identities === null ? undefined : (identity: string): void => identities.add(nameToBytes(identity))
  const isMount = mounts.length === 0 ? null : new Map(mounts.map((mount) => [mount.name, mount]))
  const columns = { sizes: new Float64Array(length), modified: new Float64Array(length), modes: new Uint32Array(length) }
  const look = libc()?.quickRows(fd, names, columns, identify)
  const gone = new Set<number>()
  for (let index = 0; index < length; index++) {
    const row = index - gone.size
    const mount = isMount?.get(names.at(index) ?? '')
    if (mount !== undefined) {
      put(mount, row, columns)
      identify?.('')
    } else if (look?.(index, row) !== true && !lookAt(fd, names.at(index) ?? '', { row, columns, identify })) gone.add(index)
  }
  const told = identities === null ? {} : { identities: unpackNames(identities.end()) }
  if (gone.size === 0) return { ...columns, ...told, names }
  const present = [...names.keys()].filter((index) => !gone.has(index))
  const { sizes, modified, modes } = columns
  return {
    ...told,
    names: pickNames(names, present),
    sizes: sizes.slice(0, present.length),
    modified: modified.slice(0, present.length),
    modes: modes.slice(0, present.length),
  }
}

interface Row {
  readonly row: number
  readonly columns: StatColumns
  readonly identify: ((identity: string) => void) | undefined
}

function lookAt(fd: number, name: string, { row, columns, identify }: Row): boolean {
  const stats = statAt({ fd }, name)
  if (stats === null) return false
  put(stats, row, columns)
  identify?.(stats.identity)
  return true
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

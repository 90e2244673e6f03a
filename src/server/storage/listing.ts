import { constants, fstatSync, readdirSync } from 'node:fs'
import { bytesToName } from '../../shared/file-path.ts'
import { libc } from './libc.ts'
import { statAt } from './nodes.ts'
import { isPrivateName } from './private-name.ts'
import type { Columns } from './storage.ts'
import { self } from './walk.ts'

/** Whether a name was not UTF-8, and is none. */
const isReplaced = (name: string): boolean => name.includes('\ufffd')

/** The names in an open folder, without ours. */
export function readNames(fd: number): string[] {
  const names = readdirSync(self(fd))
  // What is not UTF-8 was replaced: read again, as bytes.
  const all = names.some(isReplaced) ? readdirSync(self(fd), { encoding: 'buffer' }).map((name) => bytesToName(name)) : names
  return all.filter((name) => !isPrivateName(name))
}

/** As `readNames`, with what the folder itself says of each: the type (POSIX st_mode), or 0 where it says nothing of use. */
export function readNamesAndTypes(fd: number): { names: string[]; types: Uint32Array } {
  const all = readdirSync(self(fd), { withFileTypes: true })
  const entries = all.filter(({ name }) => !isPrivateName(name))
  const types = Uint32Array.from(entries, (entry) =>
    entry.isFile() ? constants.S_IFREG : entry.isDirectory() ? constants.S_IFDIR : entry.isSymbolicLink() ? constants.S_IFLNK : 0,
  )
  const names = entries.map(({ name }) => name)
  if (!names.some(isReplaced)) return { names, types }
  const named = readNames(fd)
  return { names: named, types: new Uint32Array(named.length) }
}

/** Sizes, times and modes of names in an open folder. A name that is gone by now is left out. */
export function statNames(fd: number, names: readonly string[]) {
  const present: string[] = []
  const sizes = new Float64Array(names.length)
  const modified = new Float64Array(names.length)
  const modes = new Uint32Array(names.length)
  const quick = libc()
  for (const name of names) {
    const stats = quick?.quickStat(fd, name) ?? statAt({ fd }, name)
    if (stats === null) continue
    const row = present.push(name) - 1
    sizes[row] = stats.size
    modified[row] = stats.modified
    modes[row] = stats.mode
  }
  const rows = present.length
  if (rows === names.length) return { names: present, sizes, modified, modes } satisfies Columns
  return { names: present, sizes: sizes.slice(0, rows), modified: modified.slice(0, rows), modes: modes.slice(0, rows) } satisfies Columns
}

/** A guess before anything is read: most file systems let a folder's size grow with its entries. */
export function looksBig(fd: number): boolean {
  return fstatSync(fd).size > 16 * 1024
}

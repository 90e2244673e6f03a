import { realpathSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { orElse } from '../../shared/errors.ts'

/** Where the snapshots of the served folder are. Plain data, which can be sent to threads. */
export interface SnapshotPattern {
  /** Absolute path of the folder that has one entry for each snapshot. */
  readonly folder: string
  /** What the names of the entries begin and end with. */
  readonly prefix: string
  readonly suffix: string
  /** From such an entry to what the served folder was then. */
  readonly below: readonly string[]
}

/** @param text as the setting `snapshots` has it: a path with one `*`, which starts at the served folder if it is relative */
export function snapshotPattern(text: string, root: string): SnapshotPattern {
  const [before = '', after = ''] = text.split('*')
  const cut = before.lastIndexOf('/') + 1
  const [suffix = '', ...below] = after.split('/')
  return {
    folder: resolve(root, before.slice(0, cut) || '.'),
    prefix: before.slice(cut),
    suffix,
    below: below.filter((segment) => segment !== '' && segment !== '.'),
  }
}

/** Whether an entry of the folder may be a snapshot by its name. A name that is not UTF-8 is none: an address could not contain it. */
export function isSnapshotName({ prefix, suffix }: SnapshotPattern, name: string): boolean {
  const isLongEnough = name.length > prefix.length + suffix.length
  return isLongEnough && name.startsWith(prefix) && name.endsWith(suffix) && name.isWellFormed() && name !== '.' && name !== '..'
}

/** Entries of one folder that are neither indexed nor watched. */
export interface LeftOut {
  /** Segments from the root. */
  readonly folder: readonly string[]
  /** What their names begin and end with. */
  readonly prefix: string
  readonly suffix: string
}

/** The snapshots as the index leaves them out; null if they are not below the root. */
export function placeInRoot({ folder, prefix, suffix }: SnapshotPattern, root: string): LeftOut | null {
  const real = (path: string): string => orElse(path, () => realpathSync(path))
  const way = relative(real(root), real(folder))
  if (way === '..' || way.startsWith('../') || isAbsolute(way)) return null
  return { folder: way === '' ? [] : way.split('/'), prefix, suffix }
}

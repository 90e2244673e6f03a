import { type RawBuilder, sql } from 'kysely'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import { toStored } from '../journal/stored-path.ts'

/** Condition on a column with paths: strictly below a folder. A path that is not UTF-8 is stored as JSON. */
export function isBelow(folder: FilePath, column = 'path'): RawBuilder<boolean> {
  if (folder === ROOT) return sql<boolean>`1 = 1`
  const start = `${toStored(folder).replace(/"$/, '')}/`
  const below = sql<boolean>`${sql.ref(column)} > ${start} and ${sql.ref(column)} < ${`${start.slice(0, -1)}0`}`
  if (!folder.isWellFormed()) return sql<boolean>`(${below})`
  // The folder's name can be read, but not all that is in it.
  const odd = `${JSON.stringify(folder).slice(0, -1)}/`
  return sql<boolean>`(${below} or (${sql.ref(column)} > ${odd} and ${sql.ref(column)} < ${`${odd.slice(0, -1)}0`}))`
}

/** Condition on an operation: at a path, or moved away from there. */
export function isAt(path: FilePath): RawBuilder<boolean> {
  const stored = toStored(path)
  return sql<boolean>`(path = ${stored} or (kind = 'move' and origin = ${stored}))`
}

/** The same, or below. */
export function isAtOrBelow(path: FilePath): RawBuilder<boolean> {
  if (path === ROOT) return sql<boolean>`1 = 1`
  const stored = toStored(path)
  return sql<boolean>`(path = ${stored} or ${isBelow(path)} or (kind = 'move' and (origin = ${stored} or ${isBelow(path, 'origin')})))`
}

import { type RawBuilder, sql } from 'kysely'
import { type FilePath, ROOT } from '../../shared/file-path.ts'

/** Condition on a row's `place`, or another column. Whole segments only: `/a` is not above `/abc` (GHSA-5ww9-jg6q-38r7). `0` is the character after `/`. */
export function isAtOrBelow(place: FilePath, name = 'place'): RawBuilder<boolean> {
  const column = sql.ref(name)
  if (place === ROOT) return sql<boolean>`${column} >= ${ROOT}`
  return sql<boolean>`(${column} = ${place} or (${column} > ${`${place}/`} and ${column} < ${`${place}0`}))`
}

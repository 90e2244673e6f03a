import { type RawBuilder, sql } from 'kysely'
import { type FilePath, ROOT } from '../../shared/file-path.ts'

/** Condition on a row's `place`. Whole segments only: `/a` is not above `/abc` (GHSA-5ww9-jg6q-38r7). `0` is the character after `/`. */
export function isAtOrBelow(place: FilePath): RawBuilder<boolean> {
  if (place === ROOT) return sql<boolean>`place >= ${ROOT}`
  return sql<boolean>`(place = ${place} or (place > ${`${place}/`} and place < ${`${place}0`}))`
}

import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { newShareRow } from './store.ts'
import type { NewShare } from './store.ts'

/** How many rows one statement writes: SQLite accepts 32,766 values. */
const ROWS_AT_ONCE = 500

/**
 * Imports links under the names that they had, all of them or none.
 * @param list their hashes differ, and none is the hash or slug of a stored link
 */
export async function importShares(db: Kysely<Schema>, list: readonly NewShare[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (let at = 0; at < list.length; at += ROWS_AT_ONCE)
      await trx
        .insertInto('shares')
        .values(list.slice(at, at + ROWS_AT_ONCE).map(newShareRow))
        .execute()
  })
}

/** Names of all links as they open them: hashes, and slugs in lower case. */
export async function shareNames(db: Kysely<Schema>): Promise<{ hashes: ReadonlySet<string>; slugs: ReadonlySet<string> }> {
  const rows = await db.selectFrom('shares').select(['hash', 'slug']).execute()
  return { hashes: new Set(rows.map(({ hash }) => hash)), slugs: new Set(rows.map(({ slug }) => slug.toLowerCase())) }
}

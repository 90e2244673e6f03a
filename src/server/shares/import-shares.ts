import type { Kysely } from 'kysely'
import { inTransaction } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { hashOf } from '../db/secret.ts'
import { type NewShare, newShareRow, WITHOUT_END } from './store.ts'

/** A link of another server. */
export interface ImportedShare extends NewShare {
  /** What opens it as `?token=` without its password; empty if nothing does. */
  readonly token: string
}

/** How many rows one statement writes: SQLite accepts 32,766 values. */
const ROWS_AT_ONCE = 500

/**
 * Imports links under the names that they had, all of them or none.
 * @param list their hashes differ, and none is the hash or slug of a stored link
 */
export async function importShares(db: Kysely<Schema>, list: readonly ImportedShare[]): Promise<void> {
  await inTransaction(db, async (trx) => {
    for (let at = 0; at < list.length; at += ROWS_AT_ONCE) {
      const part = list.slice(at, at + ROWS_AT_ONCE)
      await trx.insertInto('shares').values(part.map(newShareRow)).execute()
      const tickets = part.filter(({ token }) => token !== '').map(ticketRow)
      if (tickets.length > 0) await trx.insertInto('share_tickets').values(tickets).execute()
    }
  })
}

function ticketRow({ hash, token, passwordVersion }: ImportedShare) {
  return { key_hash: hashOf(token), share: hash, password_version: passwordVersion, expires_at: WITHOUT_END }
}

/** Names of all links as they open them: hashes, and slugs in lower case. */
export async function shareNames(db: Kysely<Schema>): Promise<{ hashes: ReadonlySet<string>; slugs: ReadonlySet<string> }> {
  const rows = await db.selectFrom('shares').select(['hash', 'slug']).execute()
  return { hashes: new Set(rows.map(({ hash }) => hash)), slugs: new Set(rows.map(({ slug }) => slug.toLowerCase())) }
}

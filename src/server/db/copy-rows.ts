import type { Kysely } from 'kysely'
import { keepCounting } from './database.ts'
import type { Schema } from './schema.ts'

const TABLES = {
  users: 'rows',
  sessions: 'rows',
  settings: 'rows',
  uploads: 'rows',
  shares: 'rows',
  share_tickets: 'rows',
  share_downloads: 'rows',
  share_visits: 'rows',
  jobs: 'rows',
  checksums: 'rows',
  audit: 'rows',
  webhooks: 'rows',
  favourites: 'rows',
  recents: 'rows',
  recents_off: 'rows',
} as const satisfies Record<keyof Schema, 'rows'>

/** A SQLite statement may have 32,766 values; the widest table has 28 columns. */
const AT_ONCE = 1000

/**
 * Replaces the content of one database by that of another, completely or not at all; both must be migrated. Nothing else writes to either meanwhile,
 * so the copy is consistent.
 */
export async function copyRows(from: Kysely<Schema>, to: Kysely<Schema>): Promise<void> {
  // Every key of the record is a table.
  const tables = Object.keys(TABLES) as (keyof Schema)[]
  await from.transaction().execute((source) =>
    to.transaction().execute(async (target) => {
      for (const table of tables) {
        await target.deleteFrom(table).execute()
        const rows = await source.selectFrom(table).selectAll().execute()
        for (let at = 0; at < rows.length; at += AT_ONCE) {
          await target
            .insertInto(table)
            .values(rows.slice(at, at + AT_ONCE))
            .execute()
        }
      }
      await keepCounting(target, 'users')
      await keepCounting(target, 'audit')
    }),
  )
}

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

/** A statement of SQLite has room for 32,766 values; the widest table has 28 columns. */
const AT_ONCE = 1000

/**
 * Puts everything that one database knows in the place of what another one knows, all of it or nothing; both must be up to date. While it is read,
 * nothing else is written to either, so that it is as of one moment.
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

import { type Kysely, sql } from 'kysely'
import { isShared } from '../database-kind.ts'

/** Several servers: guesses that all of them count, and jobs that another one may go on with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const table = db.schema.createTable('guess_counts')
  // Not logged: counting costs no more than memory, and after a crash of PostgreSQL it starts anew.
  const created = isShared(db) ? table.modifyFront(sql`unlogged`) : table
  await created
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('count', 'double precision', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addColumn('next_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('guess_counts_by_age').on('guess_counts').columns(['kind', 'last_at']).execute()
  for (const name of ['holder', 'request'])
    await db.schema
      .alterTable('jobs')
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  await db.schema
    .alterTable('jobs')
    .addColumn('cancelled', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}

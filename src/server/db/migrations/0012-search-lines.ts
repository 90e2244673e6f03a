import type { Kysely } from 'kysely'

/** Marks sign-ins of clients that read search results as NDJSON (decision 049). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('search_lines', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}

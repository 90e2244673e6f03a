import type { Kysely } from 'kysely'

/** Administrators who look at the files as somebody else; kept for the person for a while. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('viewings')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('viewer_id', 'integer', (column) => column.notNull())
    .addColumn('viewer_name', 'text', (column) => column.notNull())
    .addColumn('family', 'text', (column) => column.notNull())
    .addColumn('began_at', 'bigint', (column) => column.notNull())
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('viewings_of_user').on('viewings').columns(['user_id', 'began_at']).execute()
}

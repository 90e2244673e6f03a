import type { Kysely } from 'kysely'

/** What other programs changed below the served folder, as the index found it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('outside_changes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('first', 'bigint', (column) => column.notNull())
    .addColumn('last', 'bigint', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('appeared', 'integer', (column) => column.notNull())
    .addColumn('changed', 'integer', (column) => column.notNull())
    .addColumn('gone', 'integer', (column) => column.notNull())
    .addColumn('items', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('outside_changes_by_path').on('outside_changes').columns(['path', 'id']).execute()
  await db.schema.createIndex('outside_changes_by_age').on('outside_changes').columns(['last']).execute()
}

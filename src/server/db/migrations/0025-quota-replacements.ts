import type { Kysely } from 'kysely'

/** Which file an announced upload replaces, and what it needs less because of that; and the oldest versions of one person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('quota_changes')
    .addColumn('replaces', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema
    .alterTable('quota_changes')
    .addColumn('freed_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('versions_of_holder').on('versions').columns(['kept_volume', 'user_name', 'at']).execute()
}

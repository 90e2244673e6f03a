import type { Kysely } from 'kysely'

/** WebDAV: whose properties are, and of which node; and what is overwriting a folder. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('dav_properties')
    .addColumn('identity', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema
    .alterTable('dav_properties')
    .addColumn('user_id', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('dav_properties')
    .addColumn('chars', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('dav_properties_of_user').on('dav_properties').columns(['user_id', 'chars']).execute()
  await db.schema
    .createTable('dav_overwrites')
    .addColumn('gesture', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute()
}

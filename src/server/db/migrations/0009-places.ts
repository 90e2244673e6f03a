import type { Kysely } from 'kysely'

/** Favourites, recent files, and users who switched off the list of recent files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('favourites')
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('rank', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('favourites_key', ['user_id', 'place'])
    .execute()
  await db.schema.createIndex('favourites_of_place').on('favourites').column('place').execute()

  await db.schema
    .createTable('recents')
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('how', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('recents_key', ['user_id', 'place'])
    .execute()
  await db.schema.createIndex('recents_of_place').on('recents').column('place').execute()

  await db.schema
    .createTable('recents_off')
    .addColumn('user_id', 'integer', (column) => column.primaryKey())
    .execute()
}

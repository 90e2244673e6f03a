import type { Kysely } from 'kysely'

/** WebDAV: who does not use it, locks, and properties that clients set. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('webdav_disabled', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('dav_locks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('deep', 'integer', (column) => column.notNull())
    .addColumn('exclusive', 'integer', (column) => column.notNull())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('seconds', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('dav_locks_of_place').on('dav_locks').column('place').execute()
  await db.schema.createIndex('dav_locks_of_user').on('dav_locks').column('user_id').execute()
  await db.schema
    .createTable('dav_properties')
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('parent', 'text', (column) => column.notNull())
    .addColumn('namespace', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('dav_properties_key', ['place', 'namespace', 'name'])
    .execute()
  await db.schema.createIndex('dav_properties_of_parent').on('dav_properties').column('parent').execute()
}

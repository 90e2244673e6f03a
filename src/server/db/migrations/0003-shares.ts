import type { Kysely } from 'kysely'

/** Share links, and tickets of visitors who gave a password. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('shares')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('identity', 'text', (column) => column.notNull())
    .addColumn('folder', 'integer', (column) => column.notNull())
    .addColumn('expire', 'bigint', (column) => column.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('password_version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('shares_of_place').on('shares').column('place').execute()
  await db.schema.createIndex('shares_of_user').on('shares').column('user_id').execute()

  await db.schema
    .createTable('share_tickets')
    .addColumn('key_hash', 'text', (column) => column.primaryKey())
    .addColumn('share', 'text', (column) => column.notNull())
    .addColumn('password_version', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('tickets_of_share').on('share_tickets').column('share').execute()
}

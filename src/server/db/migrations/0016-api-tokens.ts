import type { Kysely } from 'kysely'

/** API tokens, of which only hashes are kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_tokens')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('perm', 'text', (column) => column.notNull())
    .addColumn('folder', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('last_address', 'text', (column) => column.notNull())
    .addColumn('networks', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('api_tokens_of_user').on('api_tokens').columns(['user_id', 'created_at']).execute()
}

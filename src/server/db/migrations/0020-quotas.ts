import type { Kysely } from 'kysely'

/** Quotas, and what is reserved of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('quotas')
    .addColumn('subject', 'text', (column) => column.primaryKey())
    .addColumn('max_bytes', 'bigint')
    .addColumn('max_files', 'bigint')
    .addColumn('used_bytes', 'bigint')
    .addColumn('used_files', 'bigint')
    .addColumn('changes', 'bigint', (column) => column.notNull())
    .addColumn('folders', 'text', (column) => column.notNull())
    .addColumn('stale', 'integer', (column) => column.notNull())
    .addColumn('counted_at', 'bigint')
    .execute()
  await db.schema
    .createTable('quota_changes')
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('files', 'bigint', (column) => column.notNull())
    .addColumn('publishing', 'integer', (column) => column.notNull())
    .addColumn('server', 'text', (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('quota_changes_key', ['id', 'subject'])
    .execute()
  await db.schema.createIndex('quota_changes_of_subject').on('quota_changes').columns(['subject']).execute()
}

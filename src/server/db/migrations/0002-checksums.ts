import type { Kysely } from 'kysely'

/** Checksums of files that were archived, one row per file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('checksums')
    .addColumn('identity', 'text', (column) => column.primaryKey())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('modified', 'double precision', (column) => column.notNull())
    .addColumn('spans', 'text', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('checksums_by_use').on('checksums').column('used_at').execute()
}

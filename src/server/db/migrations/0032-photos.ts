import type { Kysely } from 'kysely'

/** What photos and films say about themselves, one row per file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('photo_facts')
    .addColumn('identity', 'text', (column) => column.primaryKey())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('modified', 'double precision', (column) => column.notNull())
    .addColumn('reader', 'integer', (column) => column.notNull())
    .addColumn('taken', 'bigint')
    .addColumn('taken_offset', 'integer')
    .addColumn('width', 'bigint', (column) => column.notNull())
    .addColumn('height', 'bigint', (column) => column.notNull())
    .addColumn('latitude', 'double precision')
    .addColumn('longitude', 'double precision')
    .addColumn('facts', 'text', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('photo_facts_by_use').on('photo_facts').column('used_at').execute()
}

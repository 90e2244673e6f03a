import type { Kysely } from 'kysely'

/** Further roots: by which mark their folders are recognised. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('roots')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('mark', 'text', (column) => column.notNull())
    .addColumn('first_used_at', 'bigint', (column) => column.notNull())
    .execute()
}

import type { Kysely } from 'kysely'

/** Some sign-ins are of front ends that read a search line by line (S5). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('search_lines', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}

import type { Kysely } from 'kysely'

/** Shares with people and groups: rows of `shares` with a recipient and a role instead of a secret. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['recipient', 'role'])
    await db.schema
      .alterTable('shares')
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  await db.schema.createIndex('shares_of_recipient').on('shares').column('recipient').execute()
}

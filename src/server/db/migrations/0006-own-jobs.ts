import type { Kysely } from 'kysely'

/** Jobs that a user started and watches, besides those of the server. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('user_id', 'integer').execute()
  await db.schema.createIndex('jobs_by_user').on('jobs').columns(['user_id', 'created_at']).execute()
}

import type { Kysely } from 'kysely'

/** Mail about arrivals, quotas and new devices, and who wants which. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mail_choices')
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('wanted', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('mail_choices_key', ['user_id', 'kind'])
    .execute()
  await db.schema
    .createTable('arrivals')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('share', 'text', (column) => column.notNull())
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('job', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('arrivals_of_user').on('arrivals').columns(['user_id', 'job']).execute()
  await db.schema
    .createTable('known_devices')
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('key_hash', 'text', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('known_devices_key', ['user_id', 'key_hash'])
    .execute()
  await db.schema
    .alterTable('quotas')
    .addColumn('told', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('jobs')
    .addColumn('topic', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema.createIndex('jobs_of_topic').on('jobs').columns(['topic', 'state']).execute()
}

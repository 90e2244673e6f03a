import type { Kysely } from 'kysely'

/** Groups of people, who is in them, and rights on folders. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('groups')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('name_key', 'text', (column) => column.notNull().unique())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('perm', 'text', (column) => column.notNull())
    .addColumn('rules', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('memberships')
    .addColumn('group_id', 'integer', (column) => column.notNull())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('memberships_key', ['group_id', 'user_id'])
    .execute()
  await db.schema.createIndex('memberships_of_user').on('memberships').columns(['user_id', 'group_id']).execute()
  await db.schema
    .createTable('grants')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('regex', 'integer', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('rights', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('grants_of_subject').on('grants').columns(['subject', 'regex', 'path']).unique().execute()
  await db.schema.createIndex('grants_on_path').on('grants').columns(['path']).execute()
}

import { type Kysely, sql } from 'kysely'

/** The journal of operations, and links that are suspended while their node is in the trash. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('operations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('group_id', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('via', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('target', 'text')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('parent', 'text', (column) => column.notNull())
    .addColumn('identity', 'text', (column) => column.notNull())
    .addColumn('folder', 'integer', (column) => column.notNull())
    .addColumn('size', 'bigint')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('kept_volume', 'text')
    .addColumn('kept_id', 'text')
    .execute()
  const index = (name: string, columns: string[]) => db.schema.createIndex(name).on('operations').columns(columns).execute()
  await index('operations_by_state', ['kind', 'state', 'id'])
  await index('operations_of_user', ['user_id', 'kind', 'state', 'id'])
  await index('operations_in_folder', ['parent', 'kind', 'state', 'id'])
  await index('operations_of_group', ['group_id'])
  await index('operations_on_volume', ['kept_volume', 'kind', 'state', 'at', 'id', 'size'])
  await index('operations_by_kept', ['kept_id'])
  await index('operations_by_age', ['kind', 'state', 'at', 'id'])
  await sql`create index operations_uncounted on operations (kind, state, at, id) where size is null`.execute(db)

  await db.schema
    .alterTable('shares')
    .addColumn('trashed', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema.createIndex('shares_by_trashed').on('shares').column('trashed').execute()
}

import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'

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
    .addColumn('origin', 'text')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('parent', 'text', (column) => column.notNull())
    .addColumn('identity', 'text', (column) => column.notNull())
    .addColumn('folder', 'integer', (column) => column.notNull())
    .addColumn('size', 'bigint')
    .addColumn('modified', 'bigint')
    .addColumn('version_id', 'text')
    .addColumn('reverts', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('kept_volume', 'text')
    .addColumn('kept_id', 'text')
    .execute()
  // What has begun and need not be durable: written while somebody waits, so there is one index only, and in SQLite the table is in it.
  const open = db.schema
    .createTable('operations_open')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('group_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('entry', 'text', (column) => column.notNull())
  await (db.getExecutor().adapter instanceof PostgresAdapter ? open : open.modifyEnd(sql`without rowid`)).execute()
  const index = (name: string, columns: string[]) => db.schema.createIndex(name).on('operations').columns(columns)
  await index('operations_of_group', ['group_id', 'id']).execute()
  await index('operations_by_path', ['path', 'id']).execute()
  await index('operations_by_user', ['user_id', 'id', 'group_id']).execute()
  const partial = (name: string, columns: string[], where: RawBuilder<boolean>) => index(name, columns).where(where).execute()
  await partial('operations_by_origin', ['origin', 'id'], sql`origin is not null`)
  await partial('operations_by_reverted', ['reverts'], sql`reverts is not null`)
  await partial('operations_unsettled', ['id'], sql`state = 'intended'`)
  await partial('operations_old', ['state', 'at'], sql`kind <> 'delete'`)
  // Most operations are no deletions: the indexes of the trash leave them out.
  await partial('operations_by_state', ['state', 'id'], sql`kind = 'delete'`)
  await partial('operations_by_age', ['state', 'at', 'id'], sql`kind = 'delete'`)
  await partial('operations_of_user', ['user_id', 'state', 'id'], sql`kind = 'delete'`)
  await partial('operations_in_folder', ['parent', 'state', 'id'], sql`kind = 'delete'`)
  await partial('operations_on_volume', ['kept_volume', 'state', 'at', 'id', 'size'], sql`kind = 'delete'`)
  await partial('operations_by_kept', ['kept_id'], sql`kept_id is not null`)
  await partial('operations_uncounted', ['state', 'at', 'id'], sql`kind = 'delete' and size is null`)

  await db.schema
    .alterTable('shares')
    .addColumn('trashed', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema.createIndex('shares_by_trashed').on('shares').column('trashed').execute()
}

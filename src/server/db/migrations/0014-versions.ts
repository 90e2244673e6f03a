import { type Kysely, sql } from 'kysely'

/** Earlier contents of files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('versions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('modified', 'bigint', (column) => column.notNull())
    .addColumn('identity', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('tier', 'integer', (column) => column.notNull())
    .addColumn('trashed', 'text', (column) => column.notNull())
    .addColumn('kept_volume', 'text', (column) => column.notNull())
    .execute()
  const index = (name: string, columns: string[]) => db.schema.createIndex(name).on('versions').columns(columns)
  await index('versions_of_path', ['path', 'at']).execute()
  await index('versions_to_thin', ['tier', 'at']).execute()
  await index('versions_on_volume', ['kept_volume', 'at', 'size']).execute()
  await index('versions_unsettled', ['id'])
    .where(sql<boolean>`state <> 'done'`)
    .execute()
  await index('versions_in_trash', ['trashed'])
    .where(sql<boolean>`trashed <> ''`)
    .execute()
}

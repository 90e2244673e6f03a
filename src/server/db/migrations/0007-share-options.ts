import { type Kysely, sql } from 'kysely'

/** Options of links (name, limits, drop boxes), visits, and uploads of visitors. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const texts = ['slug', 'title', 'message', 'drop_types'] as const
  for (const name of texts) await addColumn(db, name, 'text', '')
  await addColumn(db, 'rights', 'text', 'download')
  const numbers = ['starts', 'max_downloads', 'downloads', 'spilled', 'drop_max_file', 'drop_max_files', 'drop_max_bytes'] as const
  for (const name of [...numbers, 'drop_files', 'drop_bytes'] as const) await addColumn(db, name, 'bigint', 0)
  await addColumn(db, 'log_visits', 'integer', 1)
  await sql`create unique index shares_by_slug on shares (lower(slug)) where slug <> ''`.execute(db)

  await db.schema
    .createTable('share_downloads')
    .addColumn('share', 'text', (column) => column.notNull())
    .addColumn('key_hash', 'text', (column) => column.notNull())
    .addColumn('running', 'integer', (column) => column.notNull())
    .addColumn('kept', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('share_downloads_key', ['share', 'key_hash'])
    .execute()

  await db.schema
    .createTable('share_visits')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('share', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('sender', 'text', (column) => column.notNull())
    .addColumn('note', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('visits_of_share').on('share_visits').columns(['share', 'at']).execute()

  await db.schema
    .alterTable('uploads')
    .addColumn('share', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema.createIndex('uploads_of_share').on('uploads').column('share').execute()
}

async function addColumn(db: Kysely<unknown>, name: string, type: 'text' | 'bigint' | 'integer', empty: string | number): Promise<void> {
  await db.schema
    .alterTable('shares')
    .addColumn(name, type, (column) => column.notNull().defaultTo(empty))
    .execute()
}

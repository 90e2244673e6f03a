import type { Kysely } from 'kysely'

/** Several uploads to one path, each by its own client, with its durable bytes; uploads that an older version began continue. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const added = (name: string, type: 'text' | 'integer', empty: string | number) =>
    db.schema
      .alterTable('uploads')
      .addColumn(name, type, (column) => column.notNull().defaultTo(empty))
      .execute()
  await added('key', 'text', '')
  await added('session', 'text', '')
  await added('generation', 'integer', 0)
  await db.schema.alterTable('uploads').addColumn('durable', 'bigint').execute()
  await db.schema.dropIndex('uploads_of_path').execute()
  await db.schema.createIndex('uploads_by_name').on('uploads').columns(['user_id', 'path', 'key']).unique().execute()
}

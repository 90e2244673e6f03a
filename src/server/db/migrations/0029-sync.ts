import type { Kysely } from 'kysely'

/** Sync clients: uploads in numbered pieces, and sign-ins that a program waits for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('upload_pieces')
    .addColumn('upload', 'text', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('upload_pieces_key', ['upload', 'number'])
    .execute()
  await db.schema
    .createTable('login_flows')
    .addColumn('poll_hash', 'text', (column) => column.primaryKey())
    .addColumn('flow_hash', 'text', (column) => column.notNull().unique())
    .addColumn('client', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('user_id', 'integer')
    .execute()
  await db.schema.createIndex('login_flows_by_age').on('login_flows').column('created_at').execute()
}

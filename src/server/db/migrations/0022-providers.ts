import type { Kysely } from 'kysely'

/** Signing in through OpenID Connect providers, and links that sign in once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('factor_elsewhere', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('sign_in_tickets')
    .addColumn('carried', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema
    .createTable('sign_in_providers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('rank', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('config', 'text', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('account_links')
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('made_admin', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('account_links_pk', ['issuer', 'subject'])
    .execute()
  await db.schema.createIndex('account_links_of_user').on('account_links').columns(['user_id']).execute()
  await db.schema
    .createTable('sign_in_flows')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('cookie_hash', 'text', (column) => column.notNull())
    .addColumn('nonce', 'text', (column) => column.notNull())
    .addColumn('verifier', 'text', (column) => column.notNull())
    .addColumn('redirect_uri', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('remember', 'integer', (column) => column.notNull())
    .addColumn('max_age', 'integer')
    .addColumn('user_id', 'integer')
    .addColumn('stage', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('sign_in_flows_of_cookie').on('sign_in_flows').columns(['cookie_hash']).execute()
  await db.schema.createIndex('sign_in_flows_by_end').on('sign_in_flows').columns(['expires_at']).execute()
  await db.schema
    .createTable('provider_sessions')
    .addColumn('family', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('sid', 'text', (column) => column.notNull())
    .addColumn('id_token', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('provider_sessions_of_subject').on('provider_sessions').columns(['issuer', 'subject']).execute()
  for (const name of ['spent_tokens', 'sign_in_links'] as const) {
    const table = db.schema
      .createTable(name)
      .addColumn('key_hash', 'text', (column) => column.primaryKey())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
    await (name === 'spent_tokens' ? table : table.addColumn('user_id', 'integer', (column) => column.notNull())).execute()
  }
}

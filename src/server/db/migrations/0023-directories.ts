import type { Kysely } from 'kysely'

/** Signing in by LDAP directories: beside the providers, and with what is known of each account from the last comparison. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sign_in_providers')
    .addColumn('checked_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('sign_in_providers')
    .addColumn('check_result', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema
    .alterTable('account_links')
    .addColumn('switched_off', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('account_links')
    .addColumn('login', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}

import type { Kysely } from 'kysely'
import { up as start } from './migrations/0001-start.ts'
import { up as checksums } from './migrations/0002-checksums.ts'
import { up as shares } from './migrations/0003-shares.ts'
import { up as jobs } from './migrations/0004-jobs.ts'
import { up as audit } from './migrations/0005-audit.ts'
import { up as ownJobs } from './migrations/0006-own-jobs.ts'
import { up as shareOptions } from './migrations/0007-share-options.ts'
import { up as webhooks } from './migrations/0008-webhooks.ts'
import { up as places } from './migrations/0009-places.ts'
import { up as uploads } from './migrations/0010-uploads.ts'
import { up as linkSecrets } from './migrations/0011-link-secrets.ts'
import { up as searchLines } from './migrations/0012-search-lines.ts'
import { DatabaseProblem } from './problem.ts'
import type { Schema } from './schema.ts'

export interface Migration {
  readonly name: string
  up(db: Kysely<unknown>): Promise<void>
}

/** In order; a released migration is never changed. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-start', up: start },
  { name: '0002-checksums', up: checksums },
  { name: '0003-shares', up: shares },
  { name: '0004-jobs', up: jobs },
  { name: '0005-audit', up: audit },
  { name: '0006-own-jobs', up: ownJobs },
  { name: '0007-share-options', up: shareOptions },
  { name: '0008-webhooks', up: webhooks },
  { name: '0009-places', up: places },
  { name: '0010-uploads', up: uploads },
  { name: '0011-link-secrets', up: linkSecrets },
  { name: '0012-search-lines', up: searchLines },
]

interface Ledger {
  migrations: { name: string; applied_at: number }
}

/**
 * Runs missing migrations, each in one transaction together with the record that it ran. Throws if the database has a migration that this program
 * does not know: a newer version has used it.
 */
export async function migrate(db: Kysely<Schema>, { clock, migrations = MIGRATIONS }: MigrateOptions): Promise<void> {
  const ledger: Kysely<Ledger> = db.withTables<{ migrations: Ledger['migrations'] }>()
  await ledger.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute()
  await refuseNewer(ledger, migrations)
  for (const migration of migrations) await runOnce(ledger, migration, clock)
}

export interface MigrateOptions {
  clock: () => Date
  migrations?: readonly Migration[]
}

async function refuseNewer(db: Kysely<Ledger>, migrations: readonly Migration[]): Promise<void> {
  const known = new Set(migrations.map(({ name }) => name))
  const applied = await db.selectFrom('migrations').select('name').orderBy('name').execute()
  const unknown = applied.find(({ name }) => !known.has(name))
  if (unknown === undefined) return
  throw new DatabaseProblem(
    `The database is newer than this program: it has "${unknown.name}", this program ends at "${migrations.at(-1)?.name}". ` +
      'Start the newer program, or go back to a backup from before the update.',
  )
}

/** Checked again inside the transaction: two processes may start at once. */
async function runOnce(db: Kysely<Ledger>, { name, up }: Migration, clock: () => Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const done = await trx.selectFrom('migrations').select('name').where('name', '=', name).executeTakeFirst()
    if (done !== undefined) return
    // A migration knows no tables, so nothing is lost by dropping the types.
    await up(trx as unknown as Kysely<unknown>)
    await trx.insertInto('migrations').values({ name, applied_at: clock().getTime() }).execute()
  })
}

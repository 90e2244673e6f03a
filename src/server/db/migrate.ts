import { hostname } from 'node:os'
import { type Kysely, sql } from 'kysely'
import { isLockTimeout, isShared } from './database-kind.ts'
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
import { up as operations } from './migrations/0013-operations.ts'
import { up as versions } from './migrations/0014-versions.ts'
import { up as outsideChanges } from './migrations/0015-outside-changes.ts'
import { up as apiTokens } from './migrations/0016-api-tokens.ts'
import { up as mail } from './migrations/0017-mail.ts'
import { up as factors } from './migrations/0018-factors.ts'
import { up as groups } from './migrations/0019-groups.ts'
import { up as quotas } from './migrations/0020-quotas.ts'
import { up as peopleShares } from './migrations/0021-people-shares.ts'
import { up as providers } from './migrations/0022-providers.ts'
import { up as directories } from './migrations/0023-directories.ts'
import { up as viewings } from './migrations/0024-viewings.ts'
import { up as quotaReplacements } from './migrations/0025-quota-replacements.ts'
import { up as notices } from './migrations/0026-notices.ts'
import { up as dav } from './migrations/0027-dav.ts'
import { up as davRecovery } from './migrations/0028-dav-recovery.ts'
import { up as sync } from './migrations/0029-sync.ts'
import { up as roots } from './migrations/0030-roots.ts'
import { up as nodes } from './migrations/0031-nodes.ts'
import { up as photos } from './migrations/0032-photos.ts'
import { DatabaseProblem } from './problem.ts'
import type { Schema } from './schema.ts'
import { tableNames } from './table-names.ts'
import { lastUpgrade, newerDatabase, recordUpgrade } from './upgrade-record.ts'

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
  { name: '0013-operations', up: operations },
  { name: '0014-versions', up: versions },
  { name: '0015-outside-changes', up: outsideChanges },
  { name: '0016-api-tokens', up: apiTokens },
  { name: '0017-mail', up: mail },
  { name: '0018-factors', up: factors },
  { name: '0019-groups', up: groups },
  { name: '0020-quotas', up: quotas },
  { name: '0021-people-shares', up: peopleShares },
  { name: '0022-providers', up: providers },
  { name: '0023-directories', up: directories },
  { name: '0024-viewings', up: viewings },
  { name: '0025-quota-replacements', up: quotaReplacements },
  { name: '0026-notices', up: notices },
  { name: '0027-dav', up: dav },
  { name: '0028-dav-recovery', up: davRecovery },
  { name: '0029-sync', up: sync },
  { name: '0030-roots', up: roots },
  { name: '0031-nodes', up: nodes },
  { name: '0032-photos', up: photos },
]

interface AppliedMigrations {
  migrations: { name: string; applied_at: number }
}

export interface MigrateOptions {
  clock: () => Date
  migrations?: readonly Migration[]
  /** Of this program, for the record of the upgrade. */
  version?: string
  /**
   * Called before the first missing migration of a database that has some already. `trx` is the transaction of the upgrade, in which nobody else
   * writes; if this fails, nothing is changed. @returns where the backup is
   */
  save?: (trx: Kysely<Schema>, applied: readonly Migration[]) => Promise<string>
}

/** Another server may be making a backup of a large database. */
const OTHERS_MS = 10 * 60_000

/**
 * Runs all missing migrations in one transaction, with a backup before them: an upgrade is done completely or not at all, and by one of several
 * servers that start at once. Throws `DatabaseProblem` if a newer version has used the database.
 */
export async function migrate(db: Kysely<Schema>, options: MigrateOptions): Promise<void> {
  for (const end = performance.now() + OTHERS_MS; ;) {
    try {
      await createAppliedMigrations(db)
      if ((await missingIn(db, options)).length === 0) return
      return await db.transaction().execute(async (trx) => upgrade(trx, options))
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() > end) throw error
    }
  }
}

/** Runs the missing migrations in a transaction of the caller. */
export async function upgrade(trx: Kysely<Schema>, options: MigrateOptions): Promise<void> {
  const { clock, migrations = MIGRATIONS, save, version = '' } = options
  await createAppliedMigrations(trx)
  // Again: another process may have been faster.
  const missing = await missingIn(trx, options)
  if (missing.length === 0) return
  const applied = migrations.filter((one) => !missing.includes(one))
  // PostgreSQL would end the transaction while the backup is written.
  if (isShared(trx)) await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
  const backup = applied.length === 0 || save === undefined ? null : await save(trx, applied)
  const before = await tableNames(trx)
  const known = applied.length === 0 ? [] : ((await lastUpgrade(trx))?.tables ?? [])
  const table = appliedMigrationsIn(trx)
  for (const { name, up } of missing) {
    // A migration knows no tables, so nothing is lost by dropping the types.
    await up(trx as unknown as Kysely<unknown>)
    await table.insertInto('migrations').values({ name, applied_at: clock().getTime() }).execute()
  }
  const tables = [...known, ...(await tableNames(trx)).filter((name) => !before.includes(name))]
  await recordUpgrade(trx, { version, backup, host: hostname(), at: clock().toISOString(), tables })
}

async function createAppliedMigrations(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute()
}

/** Throws `DatabaseProblem` if the database has a migration that this program does not know. */
async function missingIn(db: Kysely<Schema>, { migrations = MIGRATIONS, version }: MigrateOptions): Promise<Migration[]> {
  const rows = await appliedMigrationsIn(db).selectFrom('migrations').select('name').orderBy('name').execute()
  const applied = new Set(rows.map(({ name }) => name))
  const unknown = [...applied].find((name) => !migrations.some((one) => one.name === name))
  if (unknown !== undefined) {
    const { text, todo } = newerDatabase(await lastUpgrade(db), { unknown, version })
    throw new DatabaseProblem(`${text}. Nothing was changed; ${todo}`)
  }
  return migrations.filter(({ name }) => !applied.has(name))
}

function appliedMigrationsIn(db: Kysely<Schema>): Kysely<AppliedMigrations> {
  return db.withTables<{ migrations: AppliedMigrations['migrations'] }>()
}

import { type Kysely, sql } from 'kysely'
import { ConfigError } from '../../config/config-error.ts'
import { copyRows, tablesIn } from '../../db/copy-rows.ts'
import { connectDatabase, hasServers } from '../../db/database.ts'
import { upgrade } from '../../db/migrate.ts'
import type { Schema } from '../../db/schema.ts'
import { tableNames } from '../../db/table-names.ts'
import { lastUpgrade } from '../../db/upgrade-record.ts'

/**
 * Makes the tables anew and fills them from a SQLite file of the same schema, in one transaction. The tables that were there may be those of a newer
 * program; they are moved as they are into another schema of the database.
 * @returns the name of that schema; null if there were no tables. Throws `ConfigError`
 */
export async function restoreToPostgres(file: string, url: string, { version }: { version: string }): Promise<string | null> {
  await using from = await connectDatabase({ file })
  await using to = await connectDatabase({ url })
  const tables = await tablesIn(from)
  return await from.transaction().execute((source) =>
    to.transaction().execute(async (target) => {
      // Until the end of this transaction, no server starts.
      if (await hasServers(target)) throw new ConfigError('a server is using the database; stop all of them first')
      const kept = await keepTables(target, tables)
      await upgrade(target, { clock: () => new Date(), version })
      await copyRows(source, target, tables)
      return kept
    }),
  )
}

async function keepTables(trx: Kysely<Schema>, known: readonly string[]): Promise<string | null> {
  const there = await tableNames(trx)
  if (!there.includes('migrations')) return null
  // A newer program has recorded the tables that it has besides.
  const ours = new Set(['migrations', ...known, ...((await lastUpgrade(trx))?.tables ?? [])])
  const name = await freeSchema(trx)
  await sql`create schema ${sql.id(name)}`.execute(trx).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(
      `what is in the database cannot be kept (${reason}): grant the account CREATE on the database, or name a new database with --database. Nothing was changed`,
      { cause: error },
    )
  })
  for (const table of there.filter((one) => ours.has(one))) await sql`alter table ${sql.id(table)} set schema ${sql.id(name)}`.execute(trx)
  return name
}

async function freeSchema(trx: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select nspname as name from pg_namespace`.execute(trx)
  const { rows: current } = await sql<{ name: string }>`select current_schema() as name`.execute(trx)
  const wanted = `${(current[0]?.name ?? '').slice(0, 40)}_before_restore`
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}_${number}`
    if (!rows.some((one) => one.name === name)) return name
  }
}

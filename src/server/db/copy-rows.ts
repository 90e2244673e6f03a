import type { Kysely } from 'kysely'
import { keepCounting } from './database.ts'
import type { Schema } from './schema.ts'
import { tableNames } from './table-names.ts'

/** Any table: the rows may be those of an older schema. */
type Rows = Record<string, Record<string, unknown>>

/** A SQLite statement may have 32,766 values; the widest table has 28 columns. */
const AT_ONCE = 1000

/**
 * Replaces the rows of one database by those of another with the same migrations; one of the two is SQLite. Run it in a transaction of each, so that
 * nothing else writes meanwhile.
 */
export async function copyRows(from: Kysely<Schema>, to: Kysely<Schema>, tables: readonly string[]): Promise<void> {
  // Rows go from a table to the same table, whatever their columns are.
  const source = from as unknown as Kysely<Rows>
  const target = to as unknown as Kysely<Rows>
  for (const table of tables) {
    await target.deleteFrom(table).execute()
    let rows: Record<string, unknown>[] = []
    const write = async (): Promise<void> => {
      if (rows.length > 0) await target.insertInto(table).values(rows).execute()
      rows = []
    }
    // A long trail of activity does not fit into memory.
    for await (const row of source.selectFrom(table).selectAll().stream(AT_ONCE)) {
      rows.push(row)
      if (rows.length === AT_ONCE) await write()
    }
    await write()
  }
  for (const table of ['users', 'audit'] as const) if (tables.includes(table)) await keepCounting(to, table)
}

/** The tables of a SQLite database, without the list of its migrations. */
export async function tablesIn(sqlite: Kysely<Schema>): Promise<string[]> {
  return (await tableNames(sqlite)).filter((name) => name !== 'migrations')
}

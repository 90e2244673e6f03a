import { Kysely } from 'kysely'
import { migrate } from './migrate.ts'
import type { Schema } from './schema.ts'
import { isSqliteUniqueViolation, openSqlite } from './sqlite.ts'

/**
 * Opens the database, creates it where there is none, and brings it up to date. Close it with `destroy()`.
 * There is one connection: inside a transaction ask its `trx` only, `db` would wait for the transaction to end.
 */
export async function openDatabase(place: { file: string } | 'memory', { clock }: { clock: () => Date }): Promise<Kysely<Schema>> {
  const { dialect, writesElsewhere: count } = openSqlite(place)
  const db = new Kysely<Schema>({ dialect })
  counters.set(db, count)
  try {
    await migrate(db, { clock })
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

const counters = new WeakMap<Kysely<Schema>, () => number>()

/**
 * A number that is another one as soon as another process (the command line) has written to the database. What was read is remembered
 * together with it, and read anew when it has moved: so a change from outside is felt at the next request. Cheap enough for each.
 */
export function writesElsewhere(db: Kysely<Schema>): number {
  return counters.get(db)?.() ?? 0
}

/** Whether a write failed because somebody else has the key. */
export function isUniqueViolation(error: unknown): boolean {
  return isSqliteUniqueViolation(error)
}

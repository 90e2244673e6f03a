import { Kysely } from 'kysely'
import { migrate } from './migrate.ts'
import type { Schema } from './schema.ts'
import { isSqliteUniqueViolation, sqliteDialect } from './sqlite.ts'

/**
 * Opens the database, creates it where there is none, and brings it up to date. Close it with `destroy()`.
 * There is one connection: inside a transaction ask its `trx` only, `db` would wait for the transaction to end.
 */
export async function openDatabase(place: { file: string } | 'memory', { clock }: { clock: () => Date }): Promise<Kysely<Schema>> {
  const db = new Kysely<Schema>({ dialect: sqliteDialect(place) })
  try {
    await migrate(db, { clock })
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Whether a write failed because somebody else has the key. */
export function isUniqueViolation(error: unknown): boolean {
  return isSqliteUniqueViolation(error)
}

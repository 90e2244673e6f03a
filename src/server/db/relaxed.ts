import { CompiledQuery, type Kysely, sql } from 'kysely'
import { isShared } from './database-kind.ts'
import type { Schema } from './schema.ts'

/**
 * Writes what must survive the end of this process, but not a power failure: nobody waits for the disk. What is committed in the ordinary way later
 * makes it durable. All of `write` is one statement, or may be done in part.
 */
export async function relaxed<T>(db: Kysely<Schema>, write: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
  if (isShared(db))
    return db.transaction().execute(async (trx) => {
      await sql`set local synchronous_commit = off`.execute(trx)
      return write(trx)
    })
  return db.connection().execute(async (connection) => {
    // With SQLite's older journal a power failure could leave a broken database.
    if (!(await hasLog(connection, db))) return write(connection)
    await connection.executeQuery(NORMAL)
    try {
      return await write(connection)
    } finally {
      await connection.executeQuery(FULL)
    }
  })
}

const NORMAL = CompiledQuery.raw('pragma synchronous = normal')
const FULL = CompiledQuery.raw('pragma synchronous = full')

const logs = new WeakMap<Kysely<Schema>, boolean>()

async function hasLog(connection: Kysely<Schema>, db: Kysely<Schema>): Promise<boolean> {
  const known = logs.get(db)
  if (known !== undefined) return known
  const { rows } = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(connection)
  const found = rows[0]?.journal_mode === 'wal'
  logs.set(db, found)
  return found
}

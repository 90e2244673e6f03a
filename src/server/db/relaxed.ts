import { CompiledQuery, type Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** Begins a statement that the drivers do not make durable. */
const MARK = '/* relaxed */ '

/** Runs a relaxed statement at once. @returns false if it has to queue like any other: nothing was done */
export type RunRelaxed = (sql: string, parameters: readonly unknown[]) => boolean

const direct = new WeakMap<Kysely<Schema>, RunRelaxed>()

/** From now on relaxed statements of `db` are run by `run` where it can: composing and queueing one costs more than SQLite takes for it. */
export function runRelaxedWith(db: Kysely<Schema>, run: RunRelaxed): void {
  direct.set(db, run)
}

/**
 * Runs a statement that must survive the end of this process, but not a power failure: nobody waits for the disk, and what is committed in the ordinary
 * way later makes it durable. On PostgreSQL it also waits for no other writer, other servers are not told, and it is repeated after a restart of the
 * database: it must not read what it does not lock, and doing it twice must be the same. Not inside a transaction.
 * @param sql in the dialect of the database; one text for each purpose, because it stays prepared
 */
export async function relaxed(db: Kysely<Schema>, sql: string, parameters: readonly unknown[]): Promise<void> {
  const marked = MARK + sql
  if (direct.get(db)?.(marked, parameters) === true) return
  await db.executeQuery(CompiledQuery.raw(marked, [...parameters]))
}

/** Whether a statement comes from `relaxed`. */
export function isRelaxed(sql: string): boolean {
  return sql.startsWith(MARK)
}

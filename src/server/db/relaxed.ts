import { CompiledQuery, type Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** Begins a statement that the drivers do not make durable. */
const MARK = '/* relaxed */ '

/**
 * Runs a statement that must survive the end of this process, but not a power failure: nobody waits for the disk, and what is committed in the ordinary
 * way later makes it durable. On PostgreSQL it also waits for no other writer, other servers are not told, and it is repeated after a restart of the
 * database: it must not read what it does not lock, and doing it twice must be the same. Not inside a transaction.
 * @param sql in the dialect of the database; one text for each purpose, because it stays prepared
 */
export async function relaxed(db: Kysely<Schema>, sql: string, parameters: readonly unknown[]): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(MARK + sql, [...parameters]))
}

/** Whether a statement comes from `relaxed`. */
export function isRelaxed(sql: string): boolean {
  return sql.startsWith(MARK)
}

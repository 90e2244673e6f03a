import { CompiledQuery, type Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** Begins a statement that the drivers do not make durable. */
const MARK = '/* relaxed */ '

/** A statement in the dialect of the database, and its values: one text for each purpose, because it stays prepared. */
export interface Relaxed {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Runs relaxed statements at once, in one transaction. @returns false if they have to queue like any other: nothing was done */
export type RunRelaxed = (statements: readonly Relaxed[]) => boolean

const direct = new WeakMap<Kysely<Schema>, RunRelaxed>()

/** From now on relaxed statements of `db` are run by `run` where it can: composing and queueing one costs more than SQLite takes for it. */
export function runRelaxedWith(db: Kysely<Schema>, run: RunRelaxed): void {
  direct.set(db, run)
}

/**
 * Runs a statement that must survive the end of this process, but not a power failure: nobody waits for the disk, and what is committed in the ordinary
 * way later makes it durable. On PostgreSQL it also waits for no other writer, other servers are not told, and it is repeated after a restart of the
 * database: it must not read what it does not lock, and doing it twice must be the same. Not inside a transaction.
 */
export async function relaxed(db: Kysely<Schema>, statement: Relaxed): Promise<void> {
  await relaxedTogether(db, [statement])
}

/** The same for several, in this order. SQLite writes them together: a page that several change is written once. Elsewhere each is by itself. */
export async function relaxedTogether(db: Kysely<Schema>, statements: readonly Relaxed[]): Promise<void> {
  const marked = statements.map(({ sql, parameters }) => ({ sql: MARK + sql, parameters }))
  if (direct.get(db)?.(marked) === true) return
  for (const { sql, parameters } of marked) await db.executeQuery(CompiledQuery.raw(sql, [...parameters]))
}

/** Whether a statement comes from `relaxed`. */
export function isRelaxed(sql: string): boolean {
  return sql.startsWith(MARK)
}

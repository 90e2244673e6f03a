import { type Kysely, PostgresAdapter } from 'kysely'

/** Whether several servers may use it, perhaps on other machines. */
export function isShared(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** Whether PostgreSQL gave up waiting because another process kept a lock. */
export function isLockTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === '55P03') || isLockTimeout(error.cause)
}

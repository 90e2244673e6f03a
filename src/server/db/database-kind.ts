import { type Kysely, PostgresAdapter } from 'kysely'
import type { Schema } from './schema.ts'

/** Whether several servers may use it, perhaps on other machines. */
export function isShared(db: Kysely<Schema>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** Whether PostgreSQL gave up waiting because another process kept a lock. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

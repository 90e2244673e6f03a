import { type Kysely, sql } from 'kysely'
import { isShared } from './database-kind.ts'
import type { Schema } from './schema.ts'

/** All tables of a SQLite file, or of one schema of PostgreSQL, where other programs may have theirs. */
export async function tableNames(db: Kysely<Schema>): Promise<string[]> {
  const query = isShared(db)
    ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
    : sql<{ name: string }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite%'`
  return (await query.execute(db)).rows.map(({ name }) => name)
}

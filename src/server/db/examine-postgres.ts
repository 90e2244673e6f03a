import { type Kysely, sql } from 'kysely'
import { connectDatabase } from './database.ts'
import type { DatabaseHealth } from './examine.ts'
import { MIGRATIONS } from './migrate.ts'
import type { Schema } from './schema.ts'

/** The same for PostgreSQL, whose files are not checked here. */
export interface PostgresHealth extends DatabaseHealth {
  /** Such as `PostgreSQL 15.18`. */
  readonly server: string
  /** Acknowledged writes may be lost when the database machine crashes. */
  readonly isForgetful: boolean
}

/** Examines it without changing anything. Throws `DatabaseProblem` if it cannot be reached. */
export async function examinePostgres(url: string): Promise<PostgresHealth> {
  const db = await connectDatabase({ url })
  try {
    const applied = await names(db)
    const known = MIGRATIONS.map(({ name }) => name)
    const { rows } = await sql<{ server: string; forgetful: boolean; bytes: number; latest: number | null }>`
      select split_part(current_setting('server_version'), ' ', 1) as server,
        current_setting('fsync') = 'off' or current_setting('synchronous_commit') = 'off' as forgetful,
        pg_database_size(current_database()) as bytes,
        greatest((select max(applied_at) from migrations), (select max(last_seen_at) from sessions)) as latest`.execute(db)
    const { server = '', forgetful = false, bytes = 0, latest = null } = rows[0] ?? {}
    return {
      server: `PostgreSQL ${server}`,
      isForgetful: forgetful,
      damage: [],
      missing: known.filter((name) => !applied.includes(name)),
      unknown: applied.filter((name) => !known.includes(name)),
      latest: latest === null ? null : new Date(latest),
      bytes,
    }
  } finally {
    await db.destroy()
  }
}

async function names(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}

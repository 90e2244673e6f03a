import { Database } from 'bun:sqlite'
import { MIGRATIONS } from './migrate.ts'
import { keepLogFile } from './sqlite.ts'
import { isServed } from './sqlite-server.ts'
import { codeOf } from '../../shared/errors.ts'

/** What can be found out about a database without changing it or migrating it. */
export interface DatabaseHealth {
  /** Damage that SQLite reports, at most ten lines; empty if there is none. */
  readonly damage: readonly string[]
  /** Migrations that have not run; the next start runs them. */
  readonly missing: readonly string[]
  /** Migrations that this program does not know, from a newer version. */
  readonly unknown: readonly string[]
  /** The latest time that was stored; null if there is none. */
  readonly latest: Date | null
  readonly bytes: number
}

const MOST_LINES = 10
/** A server may be writing. */
const TIMEOUT_MS = 5000

/** Examines a database file. Throws SQLite's error if it is not a database or cannot be opened. */
export function examineDatabase(file: string): DatabaseHealth {
  const db = new Database(file, { readwrite: true, create: false })
  try {
    keepLogFile(db)
    db.run(`PRAGMA busy_timeout = ${TIMEOUT_MS}`)
    const damage = [...column(db, `PRAGMA quick_check(${MOST_LINES})`).filter((line) => line !== 'ok'), ...danglingRows(db)]
    const tables = new Set(column(db, "SELECT name FROM sqlite_schema WHERE type = 'table'"))
    const applied = tables.has('migrations') ? column(db, 'SELECT name FROM migrations ORDER BY name') : []
    const known = MIGRATIONS.map(({ name }) => name)
    return {
      damage: damage.slice(0, MOST_LINES),
      missing: known.filter((name) => !applied.includes(name)),
      unknown: applied.filter((name) => !known.includes(name)),
      latest: latestOf(db, tables),
      bytes: Number(column(db, 'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size')[0] ?? 0),
    }
  } finally {
    db.close()
  }
}

/**
 * Whether another process has the database open: it holds a lock that switching off the write-ahead log would need. If nobody has, the file is left
 * in the older journal mode, without a log; the next start changes it back.
 */
export function isInUse(file: string): boolean {
  if (isServed(file)) return true
  const db = new Database(file, { readwrite: true, create: false })
  try {
    db.run('PRAGMA journal_mode = DELETE')
    return false
  } catch (error) {
    if (codeOf(error).startsWith('SQLITE_BUSY')) return true
    throw error
  } finally {
    db.close()
  }
}

/** A consistent copy, even while others write; `to` must be empty or absent. */
export function copyDatabase(from: string, to: string): void {
  const db = new Database(from, { readwrite: true, create: false })
  try {
    keepLogFile(db)
    db.run(`PRAGMA busy_timeout = ${TIMEOUT_MS}`)
    db.run('VACUUM INTO ?', [to])
  } finally {
    db.close()
  }
}

/** Rows that refer to a missing row. */
function danglingRows(db: Database): string[] {
  const rows = db.query<{ table: string; parent: string }, []>('PRAGMA foreign_key_check').all()
  return rows.map(({ table, parent }) => `a row of ${table} points to none of ${parent}`)
}

function latestOf(db: Database, tables: ReadonlySet<string>): Date | null {
  const asked = [
    ...(tables.has('migrations') ? ['SELECT max(applied_at) FROM migrations'] : []),
    ...(tables.has('sessions') ? ['SELECT max(last_seen_at) FROM sessions'] : []),
  ]
  const times = asked.flatMap((sql) => column(db, sql)).map(Number)
  const latest = Math.max(0, ...times)
  return latest === 0 ? null : new Date(latest)
}

/** The first column of every row as text, without empty cells. */
function column(db: Database, sql: string): string[] {
  return db
    .query<Record<string, unknown>, []>(sql)
    .all()
    .flatMap((row) => Object.values(row).slice(0, 1))
    .flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? [String(value)] : []))
}

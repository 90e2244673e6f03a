import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { Database, SQLiteError } from 'bun:sqlite'
import { type Dialect, SqliteDialect } from 'kysely'
import { fail } from '../../shared/errors.ts'
import { refuseForeign } from './foreign.ts'
import { DatabaseProblem } from './problem.ts'

/** A dialect, and what Kysely cannot ask. */
export interface Sqlite {
  readonly dialect: Dialect
  /** A number that is another one as soon as another process has written; 0 before the first question to the database. */
  writesElsewhere(): number
}

/**
 * The runtime's SQLite.
 *
 * What was acknowledged is durable: WAL with `synchronous = FULL` syncs the log at every commit, so that a session that was revoked or a
 * password that was changed stays so after a power cut; `NORMAL` may forget the last commits. Readers in other processes are not held up.
 */
export function openSqlite(place: { file: string } | 'memory'): Sqlite {
  let version: (() => number) | null = null
  const dialect = new SqliteDialect({
    async database() {
      const db = place === 'memory' ? new Database(':memory:') : openFile(place.file)
      // Two microseconds: SQLite looks at a counter of the log that all processes share. Our own writes do not move it.
      const statement = db.query<{ data_version: number }, []>('PRAGMA data_version')
      version = () => statement.get()?.data_version ?? 0
      return adapt(db)
    },
  })
  return { dialect, writesElsewhere: () => version?.() ?? 0 }
}

/** How long another process may hold the database before that is a failure. */
const PATIENCE_MS = 5000
const AGAIN_MS = 5

function openFile(file: string): Database {
  refuseForeign(file)
  makeReady(file)
  const db = new Database(file)
  try {
    // A second process (the command line) may be writing.
    db.run(`PRAGMA busy_timeout = ${PATIENCE_MS}`)
    keepLog(db)
    db.run('PRAGMA synchronous = FULL')
    return db
  } catch (error) {
    db.close()
    if (codeOf(error) !== 'SQLITE_NOTADB') throw error
    throw new DatabaseProblem(`${file} is not a database of this program`, { cause: error })
  }
}

/** A new file gets its log from whoever is first; of several at once SQLite tells the others that they are late, and waits for nothing. */
function keepLog(db: Database): void {
  for (const end = performance.now() + PATIENCE_MS; ; Bun.sleepSync(AGAIN_MS)) {
    try {
      db.run('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (codeOf(error) !== 'SQLITE_BUSY' || performance.now() > end) throw error
    }
  }
}

/** SQLite gives its log the mode of the database: nobody else reads password hashes. */
function makeReady(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    closeSync(openSync(file, 'a', 0o600))
    chmodSync(file, 0o600)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new DatabaseProblem(
      `${file} cannot be written (${code}): it belongs to another account, or lies in a place that cannot be used`,
      {
        cause: error,
      },
    )
  }
}

/** The few calls that Kysely makes, in the runtime's terms. */
function adapt(db: Database) {
  db.run('PRAGMA foreign_keys = ON')
  return {
    close: () => db.close(),
    prepare(sql: string) {
      // Taking the write lock at once lets a second process wait for its turn; a lock taken half-way could only fail.
      const statement = db.query(sql === 'begin' ? 'begin immediate' : sql)
      return {
        reader: statement.columnNames.length > 0,
        all: (parameters: readonly unknown[]) => translated(() => statement.all(...bindings(parameters))),
        run: (parameters: readonly unknown[]) => translated(() => statement.run(...bindings(parameters))),
        iterate: (parameters: readonly unknown[]) => statement.iterate(...bindings(parameters)),
      }
    },
  }
}

type Binding = string | number | bigint | boolean | null | Uint8Array

function bindings(parameters: readonly unknown[]): Binding[] {
  return parameters.map((value) => {
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
    if (typeof value === 'boolean' || value instanceof Uint8Array) return value
    throw new TypeError(`a ${typeof value} cannot be stored`)
  })
}

function translated<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (codeOf(error) === 'SQLITE_FULL') fail('storage-full', {}, { cause: error })
    throw error
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof SQLiteError ? error.code : undefined
}

/** Whether a write failed because its key is taken. */
export function isSqliteUniqueViolation(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}

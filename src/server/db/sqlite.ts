import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { constants, Database } from 'bun:sqlite'
import { type Dialect, SqliteDialect } from 'kysely'
import { fail } from '../../shared/errors.ts'
import { throttled } from './throttled.ts'
import { DatabaseProblem } from './problem.ts'
import { codeOf, isNoRoom, problemWith } from './sqlite-problem.ts'
import { becomeServer, checkPages, hasLostLog, journalFor, reserveRoom } from './sqlite-server.ts'

/** A dialect, and what Kysely cannot ask. */
export interface Sqlite {
  readonly dialect: Dialect
  /** A number that is another one as soon as another process has written; 0 before the first question to the database. */
  writesElsewhere(): number
  /** To be called before the first question: from now on no other server may use the file. Throws `DatabaseProblem`. */
  serve(log: (line: string) => void): void
  /** Fails when another file, or none, lies where this one was opened. */
  probe(): Promise<void>
}

/**
 * The runtime's SQLite.
 *
 * What was acknowledged is durable: WAL with `synchronous = FULL` syncs the log at every commit, so that a session that was revoked or a
 * password that was changed stays so after a power cut; `NORMAL` may forget the last commits. Readers in other processes are not held up.
 */
export function openSqlite(place: { file: string } | 'memory'): Sqlite {
  let version: (() => number) | null = null
  let served: Disposable | null = null
  let opened: number | null = null
  let log: (line: string) => void = () => undefined
  const file = place === 'memory' ? null : place.file
  const dialect = new SqliteDialect({
    async database() {
      const db = file === null ? new Database(':memory:') : openServed(file)
      // Two microseconds: SQLite looks at a counter of the log that all processes share. Our own writes do not move it.
      const statement = db.query<{ data_version: number }, []>('PRAGMA data_version')
      version = () => statement.get()?.data_version ?? 0
      return adapt(db, {
        onFull: (line) => log(line),
        file,
        close() {
          db.close()
          served?.[Symbol.dispose]()
        },
      })
    },
  })
  function openServed(name: string): Database {
    try {
      const db = openFile(name)
      if (served !== null) prepare(db, name)
      opened = statSync(name).ino
      return db
    } catch (error) {
      served?.[Symbol.dispose]()
      throw error
    }
  }

  return {
    dialect,
    writesElsewhere: () => version?.() ?? 0,
    async probe() {
      if (file !== null && opened !== null && statSync(file).ino !== opened) throw new Error(`${file} is another file now`)
    },
    serve(tell) {
      if (file === null) return
      makeReady(file)
      if (hasLostLog(file)) tell(`database: ${file}-wal is missing; what was written shortly before the last stop may be lost`)
      log = throttled(tell)
      served = becomeServer(file)
    },
  }
}

/** Of a server: before anything is asked. */
function prepare(db: Database, file: string): void {
  try {
    checkPages(db, file)
    reserveRoom(db, file)
  } catch (error) {
    db.close()
    throw problemWith(file, error) ?? error
  }
}

/** How long another process may hold the database before that is a failure. */
const TIMEOUT_MS = 5000
const AGAIN_MS = 5

function openFile(file: string): Database {
  makeReady(file)
  const db = new Database(file)
  try {
    // A second process (the command line) may be writing.
    db.run(`PRAGMA busy_timeout = ${TIMEOUT_MS}`)
    keepLog(db, file)
    keepLogFile(db)
    db.run('PRAGMA synchronous = FULL')
    db.run('PRAGMA mmap_size = 0')
    return db
  } catch (error) {
    db.close()
    throw problemWith(file, error) ?? error
  }
}

/** The log is emptied, but stays, when the last process closes it: one that is missing was taken away. */
export function keepLogFile(db: Database): void {
  db.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1)
  // With a limit it is cut to nothing at the end; a log with pages in it would be taken for news by whatever file comes to this place.
  db.run(`PRAGMA journal_size_limit = ${LONGEST_LOG_BYTES}`)
}

const LONGEST_LOG_BYTES = 8 * 1024 * 1024

/** A new file gets its log from whoever is first; of several at once SQLite tells the others that they are late, and waits for nothing. */
function keepLog(db: Database, file: string): void {
  const journal = journalFor(file)
  for (const end = performance.now() + TIMEOUT_MS; ; Bun.sleepSync(AGAIN_MS)) {
    try {
      db.run(`PRAGMA journal_mode = ${journal}`)
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
function adapt(db: Database, { file, close, onFull }: { file: string | null; close: () => void; onFull: (line: string) => void }) {
  db.run('PRAGMA foreign_keys = ON')
  const translated = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      if (!isNoRoom(error, file)) throw error
      onFull(`database: there is no room on the disk of ${file}; nothing can be changed until there is`)
      return fail('storage-full', {}, { cause: error })
    }
  }
  return {
    close,
    prepare(sql: string) {
      // Where there is no room SQLite has undone everything by itself.
      if (sql === 'rollback' && !db.inTransaction) return NOTHING_TO_DO
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

const NOTHING_TO_DO = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
}

/** Whether a write failed because its key is taken. */
export function isSqliteUniqueViolation(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}

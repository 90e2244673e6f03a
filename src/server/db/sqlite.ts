import { statSync } from 'node:fs'
import { constants, Database } from 'bun:sqlite'
import { SqliteDialect } from 'kysely'
import { fail, codeOf } from '../../shared/errors.ts'
import { isRelaxed, type Relaxed, type RunRelaxed } from './relaxed.ts'
import { throttled } from './throttled.ts'
import { makeReady } from './sqlite-file.ts'
import { isNoRoom, problemWith } from './sqlite-problem.ts'
import { lockDatabase, checkPages, hasLostLog, journalFor, reserveRoom } from './sqlite-server.ts'

/**
 * The runtime's SQLite. Acknowledged writes are durable: WAL with `synchronous = FULL` syncs the log at every commit, so that a revoked session or a
 * changed password stays so after a power cut; `NORMAL` may lose the last commits. Readers in other processes are not blocked.
 *
 * @param content what a database in memory begins with: the bytes of a file without a log
 */
export function openSqlite(place: { file: string } | 'memory', content: Uint8Array | null = null) {
  let version: (() => number) | null = null
  let served: Disposable | null = null
  let opened: number | null = null
  let log: (line: string) => void = () => undefined
  let adapted: ReturnType<typeof adapt> | null = null
  const file = place === 'memory' ? null : place.file
  const dialect = new SqliteDialect({
    async database() {
      const db = file === null ? openMemory(content) : openServed(file)
      // SQLite reads a counter of the log that all processes share. Our own writes do not change it.
      const statement = db.query<{ data_version: number }, []>('PRAGMA data_version')
      version = oncePerRound(() => statement.get()?.data_version ?? 0)
      adapted = adapt(db, {
        onFull: (line) => log(line),
        file,
        close() {
          adapted = null
          db.close()
          served?.[Symbol.dispose]()
        },
      })
      return adapted
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
    runRelaxed: ((statements) => adapted?.runRelaxed(statements) ?? false) satisfies RunRelaxed,
    /** A number that changes when another process has written; 0 before the first query. */
    writesElsewhere: (): number => version?.() ?? 0,
    /** Fails if another file, or none, is at the path. */
    async probe(): Promise<void> {
      if (file !== null && opened !== null && statSync(file).ino !== opened) throw new Error(`${file} is another file now`)
    },
    /** Call before the first query: from now on no other server may use the file. Throws `DatabaseProblem`. */
    serve(tell: (line: string) => void): void {
      if (file === null) return
      makeReady(file)
      if (hasLostLog(file)) tell(`database: ${file}-wal is missing; what was written shortly before the last stop may be lost`)
      log = throttled(tell)
      served = lockDatabase(file)
    },
  }
}

/**
 * A value that is read once in each iteration of the event loop. Requests of one iteration were all there before it began: a change that was made
 * before one of them was sent is not missed, and reading it for each of them would take a fifth of the time of a small file.
 */
function oncePerRound(read: () => number): () => number {
  let current: number | null = null
  const forget = (): void => void (current = null)
  return () => {
    if (current === null) setImmediate(forget)
    return (current ??= read())
  }
}

function openMemory(content: Uint8Array | null): Database {
  return content === null ? new Database(':memory:') : Database.deserialize(content)
}

/** For a server, before the first query. */
function prepare(db: Database, file: string): void {
  try {
    checkPages(db, file)
    reserveRoom(db, file)
  } catch (error) {
    db.close()
    throw problemWith(file, error) ?? error
  }
}

/** How long another process may lock the database before a write fails. */
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

/** The log is emptied but kept when the last process closes it: a missing log was removed by somebody. */
export function keepLogFile(db: Database): void {
  db.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1)
  // With a limit it is truncated at the end; a log that still has pages would be replayed into whatever file replaces the database.
  db.run(`PRAGMA journal_size_limit = ${LONGEST_LOG_BYTES}`)
}

const LONGEST_LOG_BYTES = 8 * 1024 * 1024

/** The first process creates the log of a new file; SQLite tells concurrent ones that they are late, without waiting. */
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

/** The few calls that Kysely makes, in the runtime's terms. */
function adapt(db: Database, { file, close, onFull }: { file: string | null; close: () => void; onFull: (line: string) => void }) {
  db.run('PRAGMA foreign_keys = ON')
  // The runtime keeps the first statements that it sees, and no others.
  const kept = new Map<string, ReturnType<typeof db.query>>()
  const keep = (sql: string) => {
    const statement = kept.get(sql) ?? db.prepare(sql)
    kept.set(sql, statement)
    return statement
  }
  // With SQLite's older journal a power failure could leave a broken database.
  const hasLog = file !== null && journalFor(file) === 'WAL'
  let isSynced = true
  /** Whether the next commit waits for the disk. Changed only when it must be: relaxed statements come many at a time. */
  const sync = (next: boolean): void => {
    if (!hasLog || next === isSynced) return
    keep(next ? 'PRAGMA synchronous = FULL' : 'PRAGMA synchronous = NORMAL').run()
    isSynced = next
  }
  const translated = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      if (!isNoRoom(error, file)) throw error
      onFull(`database: there is no room on the disk of ${file}; nothing can be changed until there is`)
      return fail('storage-full', {}, { cause: error })
    }
  }
  const together = (work: () => void): void => {
    keep('begin immediate').run()
    try {
      work()
      keep('commit').run()
    } catch (error) {
      // If the disk is full, SQLite has rolled back by itself.
      if (db.inTransaction) keep('rollback').run()
      throw error
    }
  }
  return {
    close() {
      // The file stays open as long as a statement does.
      for (const statement of kept.values()) statement.finalize()
      close()
    },
    /** Without the queue for the only connection. @returns false if a transaction is open, which the statement must wait for */
    runRelaxed(statements: readonly Relaxed[]): boolean {
      if (db.inTransaction) return false
      sync(false)
      const run = ({ sql, parameters }: Relaxed) => keep(sql).run(...bindings(parameters))
      translated(() => (statements.length === 1 ? statements.forEach(run) : together(() => statements.forEach(run))))
      return true
    },
    prepare(sql: string) {
      // If the disk is full, SQLite has rolled back by itself.
      if (sql === 'rollback' && !db.inTransaction) return NOTHING_TO_DO
      // Taking the write lock at once lets a second process wait; upgrading a read lock could only fail.
      const isUnsynced = isRelaxed(sql)
      const statement = isUnsynced ? keep(sql) : db.query(sql === 'begin' ? 'begin immediate' : sql)
      const synced = <T>(work: () => T): T => {
        // Within a transaction it cannot be changed; `begin` has.
        if (!db.inTransaction) sync(!isUnsynced)
        return work()
      }
      return {
        reader: statement.columnNames.length > 0,
        all: (parameters: readonly unknown[]) => translated(() => synced(() => statement.all(...bindings(parameters)))),
        run: (parameters: readonly unknown[]) => translated(() => synced(() => statement.run(...bindings(parameters)))),
        iterate: (parameters: readonly unknown[]) => synced(() => statement.iterate(...bindings(parameters))),
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

import { closeSync, openSync, readSync, realpathSync, statfsSync, statSync } from 'node:fs'
import { orElse, codeOf } from '../../shared/errors.ts'
import { dirname } from 'node:path'
import { Database } from 'bun:sqlite'
import { DatabaseProblem } from './problem.ts'
import { makeReady } from './sqlite-file.ts'
import { problemWith } from './sqlite-problem.ts'

/** From `statfs`. On btrfs, writing to a mapped file needs new space each time, and a full disk kills the process (SIGBUS). */
const BTRFS = 0x9123683e
/** How long a server that is stopping may keep the file. */
const STOPPING_MS = 10_000
/** A thousand pages, after which SQLite restarts its log, and some more. */
const LOG_BYTES = 4_400_000
/** Pages of 4 KiB, for rows that are added when the disk is full. */
const SPARE_PAGES = 500
/** Checking this much takes a moment; larger databases are checked by `doctor`. */
const CHECKED_BYTES = 64 * 1024 * 1024

/**
 * The journal mode. WAL needs one sync per change and shares an index of its log between processes in a mapped file. Where that could kill the
 * process, the older rollback journal is used: slower, but nothing is mapped.
 */
export function journalFor(file: string, fileSystem: number = statfsSync(dirname(file)).type): 'WAL' | 'PERSIST' {
  return fileSystem === BTRFS ? 'PERSIST' : 'WAL'
}

/** The path of another file of a database: beside the file itself, where SQLite puts its log too, and not beside a link to it. */
function besides(file: string, suffix: '-server' | '-wal'): string {
  // Opening it for use will report the error.
  return orElse(file + suffix, () => realpathSync(file) + suffix)
}

const lockOf = (file: string): string => besides(file, '-server')

export function isServed(file: string): boolean {
  if (statSync(lockOf(file), { throwIfNoEntry: false }) === undefined) return false
  const lock = new Database(lockOf(file), { readwrite: true, create: false })
  try {
    lock.run('BEGIN EXCLUSIVE')
    return false
  } catch (error) {
    if (codeOf(error) === 'SQLITE_BUSY') return true
    throw error
  } finally {
    lock.close()
  }
}

/**
 * Makes this process the only server on a database, for as long as it lives. The lock is SQLite's own, on an empty file beside the database; the
 * kernel releases it when the process ends. Commands do not use it. Nobody else can open the file: who can read it can lock it. Throws
 * `DatabaseProblem`.
 */
export function lockDatabase(file: string): Disposable {
  makeReady(lockOf(file))
  let lock: Database | null = null
  try {
    lock = new Database(lockOf(file))
    lock.run(`PRAGMA busy_timeout = ${STOPPING_MS}`)
    lock.run('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    if (codeOf(error) !== 'SQLITE_BUSY') throw problemWith(file, error) ?? error
    throw new DatabaseProblem(
      `another Satchel server is at work on ${file}: stop that one, or give this one a database of its own with --data or --database. ` +
        'Several servers on one database need PostgreSQL',
      { cause: error },
    )
  }
}

/** Whether the log of a database that was served before is missing; the last writes are lost with it. */
export function hasLostLog(file: string): boolean {
  const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined
  return isThere(lockOf(file)) && isThere(file) && isInWal(file) && !isThere(besides(file, '-wal'))
}

/** Two bytes of the header say so. */
function isInWal(file: string): boolean {
  const fd = openSync(file, 'r')
  try {
    const version = new Uint8Array(2)
    return readSync(fd, version, 0, 2, 18) === 2 && version[0] === 2 && version[1] === 2
  } finally {
    closeSync(fd)
  }
}

/** Throws `DatabaseProblem` if SQLite finds damage. */
export function checkPages(db: Database, file: string): void {
  if (statSync(file).size > CHECKED_BYTES) return
  const [found] = db.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').all()
  if (found === undefined || found.quick_check === 'ok') return
  throw new DatabaseProblem(`${file} is damaged (${found.quick_check.split('\n')[0]}): put a backup in its place with satchel restore`)
}

/**
 * Reserves space for a full disk: the log has its full length and is overwritten from then on, and the database has unused pages. People can still
 * sign in, and an administrator can free space.
 */
export function reserveRoom(db: Database, file: string): void {
  const { freelist_count: spare = 0 } = db.query<{ freelist_count: number }, []>('PRAGMA freelist_count').get() ?? {}
  const log = statSync(besides(file, '-wal'), { throwIfNoEntry: false })?.size ?? 0
  const bytes = Math.max(journalFor(file) === 'WAL' && log < LOG_BYTES ? LOG_BYTES : 0, spare < SPARE_PAGES / 2 ? SPARE_PAGES * 4096 : 0)
  if (bytes === 0) return
  try {
    db.transaction(() => {
      db.run('CREATE TABLE reserved_room (bytes)')
      db.run(`INSERT INTO reserved_room VALUES (zeroblob(${bytes}))`)
      db.run('DROP TABLE reserved_room')
    }).immediate()
    db.run('PRAGMA wal_checkpoint(RESTART)')
  } catch (error) {
    // The disk is full already, or another process is writing: the next start tries again.
    if (problemWith(file, error) === null && codeOf(error) !== 'SQLITE_BUSY') throw error
  }
}

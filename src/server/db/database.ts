import { statSync } from 'node:fs'
import { Kysely, sql } from 'kysely'
import { isLockTimeout, isShared } from './database-kind.ts'
import { type Migration, migrate } from './migrate.ts'
import { noPeers, type Peers, SERVER_LOCK } from './peers.ts'
import { runRelaxedWith } from './relaxed.ts'
import { DatabaseProblem } from './problem.ts'
import type { Schema } from './schema.ts'
import { refuseForeign } from './foreign.ts'
import { isServed } from './sqlite-server.ts'
import { isSqliteUniqueViolation, openSqlite } from './sqlite.ts'
import { problemWith } from './sqlite-problem.ts'
import { codeOf } from '../../shared/errors.ts'

/** Where a database is: a SQLite file, a PostgreSQL server, or in memory. */
export type DatabaseLocation = { readonly file: string } | { readonly url: string } | 'memory'

/**
 * Opens the database, creates it if necessary, and migrates it. Close it with `destroy()`. Throws `DatabaseProblem`. Inside a transaction use only
 * its `trx`: `db` would wait for the transaction to end.
 */
export async function openDatabase(place: DatabaseLocation, { clock, server, upgrades, content }: OpenOptions): Promise<Kysely<Schema>> {
  const db = await connectDatabase(place, content)
  try {
    if (server !== undefined) peersOf(db).serve(server.log)
    const save = async (trx: Kysely<Schema>, applied: readonly Migration[], { save: write }: Upgrades): Promise<string> => {
      if (server === undefined) await refuseServed(trx, place)
      return write(trx, { place, applied })
    }
    await migrate(db, {
      clock,
      ...(upgrades && { version: upgrades.version, save: (trx, applied) => save(trx, applied, upgrades) }),
    })
    return db
  } catch (error) {
    await db.destroy()
    throw (typeof place === 'object' && 'file' in place && problemWith(place.file, error)) || error
  }
}

/** How a database is saved before it is migrated. */
export interface Upgrades {
  /** Of this program. */
  readonly version: string
  /** @param trx in which nobody else writes. @returns the path of the backup, which is on the disk then */
  save(trx: Kysely<Schema>, about: { place: DatabaseLocation; applied: readonly Migration[] }): Promise<string>
}

interface OpenOptions {
  readonly clock: () => Date
  /** Without it, nothing is saved: for databases that hold nothing yet, and for copies. */
  readonly upgrades?: Upgrades
  /** For a server: no other server may use this file, and warnings for the operator are logged. */
  readonly server?: { readonly log: (line: string) => void }
  /** What a database in memory begins with: the bytes of a SQLite file without a log. */
  readonly content?: Uint8Array
}

/** A server of an older version would continue with tables that it does not know. Throws `DatabaseProblem`. */
async function refuseServed(trx: Kysely<Schema>, place: DatabaseLocation): Promise<void> {
  const served = place === 'memory' ? false : 'file' in place ? isServed(place.file) : await hasServers(trx)
  if (served)
    throw new DatabaseProblem(
      'a server of an older version is using the database: start that server anew with this version, then try again',
    )
}

/** Connects without changing anything. */
export async function connectDatabase(place: DatabaseLocation, content?: Uint8Array): Promise<Kysely<Schema>> {
  const { dialect, peers, runRelaxed } = await open(place, content)
  const db = new Kysely<Schema>({ dialect })
  known.set(db, peers)
  if (runRelaxed !== null) runRelaxedWith(db, runRelaxed)
  return db
}

async function open(place: DatabaseLocation, content?: Uint8Array) {
  if (place !== 'memory' && 'url' in place) {
    // Loaded only if needed.
    const { openPostgres } = await import('./postgres.ts')
    return { ...(await openPostgres(place.url)), runRelaxed: null }
  }
  const { dialect, runRelaxed, writesElsewhere: writes, ...more } = openSqlite(place, content)
  return { dialect, peers: noPeers(writes, more), runRelaxed }
}

/**
 * Whether there is a database of this program, as far as this can be determined without creating one. Throws `DatabaseProblem` if none can be
 * reached, and for one of the predecessor.
 */
export async function isThere(place: DatabaseLocation): Promise<boolean> {
  if (place === 'memory') return false
  if ('file' in place) {
    refuseForeign(place.file)
    return isFileThere(place.file)
  }
  await using db = await connectDatabase(place)
  return await hasTable(db, 'migrations')
}

/** A folder that cannot be read says nothing about its content. */
function isFileThere(file: string): boolean {
  try {
    return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOTDIR') return false
    throw new DatabaseProblem(
      `${file} cannot be looked at by this account (${code}, uid ${process.getuid?.() ?? '?'}): give it rights on the folder`,
      { cause: error },
    )
  }
}

/**
 * Whether a shared database has no accounts yet: until then, each of several servers that start together is at its first start, whichever creates the
 * tables. A file belongs to one server.
 */
export async function awaitsFirstAccount(place: DatabaseLocation): Promise<boolean> {
  if (place === 'memory' || 'file' in place) return false
  await using db = await connectDatabase(place)
  if (!(await hasTable(db, 'users'))) return true
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined
}

async function hasTable(db: Kysely<Schema>, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(db)
  return rows[0]?.found === true
}

const known = new WeakMap<Kysely<Schema>, Peers>()

export function peersOf(db: Kysely<Schema>): Peers {
  return known.get(db) ?? noPeers(() => 0)
}

/** The clock that all its servers share: theirs may differ by minutes, and leases, sessions and links end by the same one. */
export function clockOf(db: Kysely<Schema>): () => Date {
  const peers = peersOf(db)
  return () => new Date(peers.now())
}

/** Fails if the database does not answer, or if another file has taken its place. */
export async function probe(db: Kysely<Schema>): Promise<void> {
  await peersOf(db).probe()
  await db.selectFrom('settings').select('key').limit(1).execute()
}

/** Whether a server is using a shared database now. */
export async function hasServers(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(SERVER_LOCK)}, hashtext(current_schema())) as free`.execute(db)
  return rows[0]?.free !== true
}

/**
 * A number that changes when another process (the command line, another server) has written to the database. Cached values are stored together with
 * it and read again when it has changed, so that an external change takes effect at the next request. Cheap enough for each request.
 */
export function externalWrites(db: Kysely<Schema>): number {
  return peersOf(db).writes()
}

/** Does all of it in one transaction: the one that `db` is already, or a new one. */
export function inTransaction<T>(db: Kysely<Schema>, action: (trx: Kysely<Schema>) => Promise<T>): Promise<T> {
  return db.isTransaction ? action(db) : db.transaction().execute(action)
}

/** Whether a write failed because the key is taken. */
export function isUniqueViolation(error: unknown): boolean {
  return isSqliteUniqueViolation(error) || codeOf(error) === '23505'
}

/** Whether a write failed because another process kept the database locked. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY') || isLockTimeout(error)
}

/** After rows were inserted with explicit ids: the next generated id is higher than all of them. */
export async function keepCounting(trx: Kysely<Schema>, table: 'users' | 'audit'): Promise<void> {
  if (!isShared(trx)) return
  await sql`select setval(pg_get_serial_sequence(${table}, 'id'), greatest((select max(id) from ${sql.table(table)}),
    nextval(pg_get_serial_sequence(${table}, 'id'))))`.execute(trx)
}

/** Its size on disk, including a log in its own file. */
export async function databaseBytes(db: Kysely<Schema>, place: DatabaseLocation): Promise<number> {
  if (place === 'memory') return 0
  if ('file' in place)
    return [place.file, `${place.file}-wal`].reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db)
  return rows[0]?.bytes ?? 0
}

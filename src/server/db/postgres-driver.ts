import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { fail } from '../../shared/errors.ts'
import { throttled } from './throttled.ts'
import { createMutex } from './mutex.ts'

export interface DriverOptions {
  readonly pool: Pool
  /** SQL that is run with every commit of something written, so that others hear of it. */
  readonly notifySql: string
  /** To be called when nothing is asked any more, before the connections go. */
  readonly onDestroy: () => Promise<void>
}

/** Of ours among all locks of a database; the second half is the schema, so that installations beside each other do not wait for each other. */
const WRITER_LOCK = 0x5a7c4e1
/** For a turn at writing, behind other processes, and how long a process that hangs between two statements may keep it. */
const TIMEOUT = '30s'

/**
 * Everything that writes takes its turn: one transaction or statement at a time, in this process by a queue and among processes by a lock that
 * ends with the transaction. It is what SQLite gives by its nature, and what the stores are written for: whoever reads in a transaction before
 * they write knows that nobody else writes in between. Reading never waits.
 */
const BEGIN = [
  'begin',
  `set local lock_timeout = '${TIMEOUT}'`,
  `set local idle_in_transaction_session_timeout = '${TIMEOUT}'`,
  `select pg_advisory_xact_lock(${WRITER_LOCK}, hashtext(current_schema()))`,
].join('; ')

/** A driver that can tell its operator when PostgreSQL is gone. */
export interface PostgresDriver extends Driver {
  tellOutages(log: (line: string) => void): void
}

interface Connection extends DatabaseConnection {
  begin(): Promise<void>
  end(how: 'commit' | 'rollback'): Promise<void>
}

/** Kysely's driver over a pool of connections. One is taken when there is something to ask, so that nobody who waits for a turn keeps one. */
export function createPostgresDriver({ pool, notifySql, onDestroy }: DriverOptions): PostgresDriver {
  const turn = createMutex()
  let say: (line: string) => void = () => undefined

  /** Without a database nobody can be served, and one line says so for all of them. */
  function unlessGone(error: unknown): never {
    if (!isGone(error)) throw error
    say(
      `database: PostgreSQL cannot be reached (${error instanceof Error ? error.message : ''}); requests are answered with 503 until it can`,
    )
    return fail('offline', {}, { cause: error })
  }

  const COMMIT = `${notifySql}; commit`

  /** In a transaction of its own that is the only one that writes. */
  async function written<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const writing = await beginWriting()
    try {
      const result = await work(writing.client)
      await writing.end('commit')
      return result
    } catch (error) {
      await writing.end('rollback')
      throw error
    }
  }

  async function begun(): Promise<PoolClient> {
    const client = await pool.connect()
    try {
      await client.query(BEGIN)
      return client
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  async function beginWriting() {
    const leave = await turn.lock()
    const mine = await retryAfterRestart(begun).catch((error: unknown) => {
      leave()
      throw error
    })
    let over = false
    return {
      client: mine,
      async end(how: 'commit' | 'rollback'): Promise<void> {
        if (over) return
        over = true
        let broken = true
        try {
          await mine.query(how === 'commit' ? COMMIT : 'rollback')
          broken = false
        } catch (error) {
          // A connection that is gone has rolled back by that.
          if (how === 'commit') throw error
        } finally {
          mine.release(broken)
          leave()
        }
      },
    }
  }

  function connect(): Connection {
    let writing: Awaited<ReturnType<typeof beginWriting>> | null = null
    return {
      async begin() {
        writing = await beginWriting().catch(unlessGone)
      },
      async end(how) {
        const ending = writing
        writing = null
        await ending?.end(how).catch(unlessGone)
      },
      executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        if (writing !== null) return ask<R>(writing.client, query).catch(unlessGone)
        const answer = isReading(query) ? retryAfterRestart(() => ask<R>(pool, query)) : written((client) => ask<R>(client, query))
        return answer.catch(unlessGone)
      },
      streamQuery() {
        throw new Error('nothing here reads row by row')
      },
    }
  }

  const ours = new WeakMap<DatabaseConnection, Connection>()
  return {
    tellOutages: (log) => void (say = throttled(log)),
    async init() {},
    async acquireConnection() {
      const connection = connect()
      ours.set(connection, connection)
      return connection
    },
    beginTransaction: async (connection) => ours.get(connection)?.begin(),
    commitTransaction: async (connection) => ours.get(connection)?.end('commit'),
    rollbackTransaction: async (connection) => ours.get(connection)?.end('rollback'),
    async releaseConnection() {},
    async destroy() {
      await onDestroy()
      await pool.end()
    },
  }
}

async function ask<R>(connection: Pool | PoolClient, { sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
  try {
    const { command, rowCount, rows } = await connection.query(sql, [...parameters])
    const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE'
    // The rows are what the schema says of the tables, as with every dialect.
    return { rows: rows as R[], ...(changes && { numAffectedRows: BigInt(rowCount ?? 0) }) }
  } catch (error) {
    return translate(error)
  }
}

/** Of connections, and a few that are made meanwhile. */
const MOST_BROKEN = 12

/** Does again what changes nothing, where it met a connection that PostgreSQL had closed: after its restart all of them are. */
async function retryAfterRestart<T>(work: () => Promise<T>): Promise<T> {
  for (let broken = 1; ; broken++) {
    try {
      return await work()
    } catch (error) {
      if (broken === MOST_BROKEN || !isCutOff(error)) throw error
    }
  }
}

function isCutOff(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return ['57P01', '57P02', 'ECONNRESET', 'EPIPE'].includes(code) || error.message === 'Connection terminated unexpectedly'
}

/** Besides: refused, not found, not answered, starting up or going down. */
function isGone(error: unknown): boolean {
  if (isCutOff(error)) return true
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', '57P03'].includes(code)) return true
  return /^timeout exceeded when trying to connect|^Connection terminated/.test(error.message)
}

function isReading({ query, sql }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*(select|show)\b/i.test(sql))
}

function translate(error: unknown): never {
  const code = sqlState(error)
  if (code === '53100') fail('storage-full', {}, { cause: error })
  // Text with a NUL in it, which no column takes.
  if (code === '22021') fail('invalid-input', { issues: ['text with a character that cannot be stored'] }, { cause: error })
  // A column of four bytes; SQLite's have eight.
  if (code === '22003') fail('invalid-input', { issues: ['a number that is too large'] }, { cause: error })
  throw error
}

/** PostgreSQL's five letters for what went wrong; null for anything else. */
export function sqlState(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^[0-9A-Z]{5}$/.test(code) ? code : null
}

import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { fail, codeOf } from '../../shared/errors.ts'
import type { Outages } from './postgres-outages.ts'
import { isRelaxed } from './relaxed.ts'
import { createSemaphore, EVERYBODY } from '../../shared/semaphore.ts'

export interface DriverOptions {
  readonly pool: Pool
  /** For statements of `relaxed`: its connections do not wait for the disk. */
  readonly relaxedPool: Pool
  readonly outages: Outages
  /** SQL that runs with every commit of a write, to notify others. */
  readonly notifySql: string
  /** Called when no more queries follow, before the connections are closed. */
  readonly onDestroy: () => Promise<void>
}

/**
 * Identifies our lock among all locks of a database; the second half is the schema, so that installations in one database do not wait for each other.
 */
const WRITER_LOCK = 0x5a7c4e1
/** How long a process that hangs between two statements may hold the lock, and how long others wait for it: a little longer. */
const HANGING = '10s'
const TIMEOUT = '12s'

/**
 * Writers take turns: one transaction or statement at a time, by a queue in this process and by a lock among processes that ends with the
 * transaction. SQLite behaves like this by itself, and the stores rely on it: what a transaction has read before it writes cannot change meanwhile.
 * Reading never waits.
 */
const BEGIN = [
  'begin',
  `set local lock_timeout = '${TIMEOUT}'`,
  `set local idle_in_transaction_session_timeout = '${HANGING}'`,
  `select pg_advisory_xact_lock(${WRITER_LOCK}, hashtext(current_schema()))`,
].join('; ')

interface Connection extends DatabaseConnection {
  begin(): Promise<void>
  end(how: 'commit' | 'rollback'): Promise<void>
}

/** Kysely's driver over a connection pool. A connection is taken only for a query, so that nobody holds one while waiting for the lock. */
export function createPostgresDriver({ pool, relaxedPool, outages, notifySql, onDestroy }: DriverOptions): Driver {
  const writers = createSemaphore({ slots: 1 })
  const { unlessGone } = outages
  const COMMIT = `${notifySql}; commit`

  /** In a transaction of its own, as the only writer. */
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
      return translate(error)
    }
  }

  async function beginWriting() {
    const leave = await writers.acquire(EVERYBODY)
    const mine = await outages.retry(begun).catch((error: unknown) => {
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
          // A lost connection has rolled back by itself.
          if (how === 'commit') throw error
        } finally {
          mine.release(broken)
          leave()
        }
      },
    }
  }

  function alone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (isRelaxed(query.sql)) return outages.retry(() => ask<R>(relaxedPool, query))
    return isReading(query) ? outages.retry(() => ask<R>(pool, query)) : written((client) => ask<R>(client, query))
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
        return alone<R>(query).catch(unlessGone)
      },
      async *streamQuery<R>({ sql, parameters, ...query }: CompiledQuery, chunkSize = 1000) {
        if (writing === null) throw new Error('rows are read one after another only in a transaction')
        const { client } = writing
        await ask(client, { ...query, sql: `declare streamed cursor for ${sql}`, parameters }).catch(unlessGone)
        for (let more = true; more;) {
          const chunk = await ask<R>(client, { ...query, sql: `fetch ${chunkSize} from streamed`, parameters: [] }).catch(unlessGone)
          more = chunk.rows.length > 0
          if (more) yield chunk
        }
        await ask(client, { ...query, sql: 'close streamed', parameters: [] }).catch(unlessGone)
      },
    }
  }

  const ours = new WeakMap<DatabaseConnection, Connection>()
  return {
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
      await relaxedPool.end()
    },
  }
}

async function ask<R>(connection: Pool | PoolClient, { sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
  try {
    const { command, rowCount, rows } = await connection.query(sql, [...parameters])
    const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE'
    // The rows match the schema, as with every dialect.
    return { rows: rows as R[], ...(changes && { numAffectedRows: BigInt(rowCount ?? 0) }) }
  } catch (error) {
    return translate(error)
  }
}

/** After others have written for too long. */
const BUSY_SECONDS = 2

function isReading({ query, sql }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*(select|show)\b/i.test(sql))
}

function translate(error: unknown): never {
  const code = sqlState(error)
  if (code === '55P03') fail('storage-busy', { retryAfterSeconds: BUSY_SECONDS }, { cause: error })
  if (code === '53100') fail('storage-full', {}, { cause: error })
  // Text with a NUL, which no column accepts.
  if (code === '22021') fail('invalid-input', { issues: ['text with a character that cannot be stored'] }, { cause: error })
  // A column of four bytes; SQLite's have eight.
  if (code === '22003') fail('invalid-input', { issues: ['a number that is too large'] }, { cause: error })
  throw error
}

/** PostgreSQL's five-letter error code; null for anything else. */
export function sqlState(error: unknown): string | null {
  const code = codeOf(error)
  return /^[0-9A-Z]{5}$/.test(code) ? code : null
}

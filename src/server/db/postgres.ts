import { randomUUID } from 'node:crypto'
import {
  type ColumnDefinitionNode,
  type DataTypeNode,
  type Dialect,
  GeneratedNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { type ClientBase, type ClientConfig, Pool, type PoolConfig, types } from 'pg'
import type { Peers } from './peers.ts'
import { createPostgresDriver, sqlState } from './postgres-driver.ts'
import { CLOCK, createListener } from './postgres-listener.ts'
import { createDatabaseClock, type DatabaseClock } from './database-clock.ts'
import { createLocks } from './postgres-locks.ts'
import { createOutages } from './postgres-outages.ts'
import { DatabaseProblem } from './problem.ts'

/** A dialect, and the other processes on the same database. */
export interface Postgres {
  readonly dialect: Dialect
  readonly peers: Peers
}

/** For one process; most of them for reading, because one at a time writes. */
const MOST_CONNECTIONS = 10
/** With the time until the listener notices, less than fifteen seconds. */
const CONNECT_MS = 8000
/** For what is written while somebody waits, but not for the disk. */
const MOST_RELAXED = 2
/** While a file is saved, and for work within that. */
const MOST_LOCKS = 4
const LOCK_TIMEOUT_MS = 30_000
/** For what is counted of guesses. */
const MOST_BRIEF = 2
/** 13; older versions are no longer maintained. */
const OLDEST = 130_000

/**
 * PostgreSQL by its JavaScript client. Acknowledged writes are durable if the server keeps its default `synchronous_commit`. Throws `DatabaseProblem`
 * if it cannot be reached or its encoding is not UTF-8.
 * @param url `postgres://user:password@host:port/database?sslmode=…`; missing parts come from `PGPASSWORD` etc. and `~/.pgpass`
 */
export async function openPostgres(url: string): Promise<Postgres> {
  const config: ClientConfig = {
    connectionString: url,
    fallback_application_name: 'satchel',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    types: { getTypeParser: parserOf },
  }
  const pool = new Pool({ ...config, max: MOST_CONNECTIONS })
  // The pool waits for what this returns, which its types do not say.
  const unsynced: unknown = (client: ClientBase) => client.query('set synchronous_commit = off')
  const relaxedPool = new Pool({ ...config, max: MOST_RELAXED, onConnect: unsynced as NonNullable<PoolConfig['onConnect']> })
  const locks = new Pool({ ...config, max: MOST_LOCKS, lock_timeout: LOCK_TIMEOUT_MS })
  const innerLocks = new Pool({ ...config, max: MOST_LOCKS, lock_timeout: LOCK_TIMEOUT_MS })
  const brief = new Pool({ ...config, max: MOST_BRIEF })
  const outages = createOutages([pool, relaxedPool, locks, innerLocks, brief])
  const clock = createDatabaseClock()
  const schema = await schemaOf(pool, clock).catch(async (error: unknown) => {
    await pool.end()
    throw error
  })

  const self = randomUUID()
  const channel = `satchel:${schema}`.replaceAll(/[^\w:]/g, '_').slice(0, 63)
  const heard = new Set<(text: string) => void>()
  const missed = new Set<() => void>()
  let writes = 0
  const listener = createListener({
    config,
    channel,
    onText(message) {
      const at = message.indexOf(' ')
      if (message.slice(0, at) === self) return
      if (at === message.length - 1) writes += 1
      else for (const told of heard) told(message.slice(at + 1))
    },
    clock,
    onLost: outages.lost,
    onHeard({ isGap }) {
      outages.back()
      if (!isGap) return
      writes += 1
      for (const told of missed) told()
    },
  })
  const driver = createPostgresDriver({
    pool,
    relaxedPool,
    outages,
    notifySql: `select pg_notify('${channel}', '${self} ')`,
    async onDestroy() {
      await listener.stop()
      await locks.end()
      await innerLocks.end()
      await brief.end()
    },
  })
  const dialect: Dialect = {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new Compiler(),
  }
  const peers: Peers = {
    serve: outages.tell,
    now: clock.now,
    // The query itself will tell.
    probe: async () => undefined,
    start: () => listener.start(),
    // Messages may have been missed, so the number changes each time.
    writes: () => (listener.isListening() ? writes : (writes += 1)),
    async send(text) {
      outages.refuse()
      await pool.query('select pg_notify($1, $2)', [channel, `${self} ${text}`])
    },
    ...createLocks({ locks, innerLocks, brief, outages, schema }),
    onMessage(told) {
      heard.add(told)
      return () => void heard.delete(told)
    },
    onGap: (told) => void missed.add(told),
  }
  return { dialect, peers }
}

/** Kysely's compiler, with two terms of the portable migrations translated. */
class Compiler extends PostgresQueryCompiler {
  /** Text is compared and sorted by its bytes, as in SQLite, whatever the locale of the database. */
  protected override visitDataType(node: DataTypeNode): void {
    super.visitDataType(node)
    if (node.dataType === 'text') this.append(' collate "C"')
  }

  protected override visitColumnDefinition({ autoIncrement, ...node }: ColumnDefinitionNode): void {
    super.visitColumnDefinition(
      autoIncrement === true ? { ...node, generated: GeneratedNode.create({ identity: true, byDefault: true }) } : node,
    )
  }
}

/** Counts and sums arrive as text because they may exceed a number; ours do not. */
function parserOf(oid: Parameters<typeof types.getTypeParser>[0], format?: 'text' | 'binary') {
  return oid === types.builtins.INT8 || oid === types.builtins.NUMERIC ? Number : types.getTypeParser(oid, format)
}

async function schemaOf(pool: Pool, clock: DatabaseClock): Promise<string> {
  const { rows } = await pool
    .query<{ schema: string | null; version: number; encoding: string }>(
      `select current_schema() as schema, current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
    )
    .catch((error: unknown) => {
      throw unreachable(error)
    })
  const { schema, version, encoding } = rows[0] ?? { schema: null, version: 0, encoding: '' }
  if (version < OLDEST)
    throw new DatabaseProblem(`this PostgreSQL is too old: it is ${Math.floor(version / 10_000)}, and 13 is needed at least`)
  if (encoding !== 'UTF8') throw new DatabaseProblem(`the database keeps text as ${encoding}; make one with encoding UTF8`)
  // On the connection that is open now.
  await clock.measure(async () => (await pool.query<{ now: number }>(CLOCK)).rows[0]?.now ?? Date.now())
  return schema ?? refuse('the database has no schema that this account may use; grant it one, or set its search_path')
}

function unreachable(error: unknown): DatabaseProblem {
  const reason = error instanceof Error ? error.message || String('code' in error ? error.code : '') : String(error)
  const hint = sqlState(error) === '3D000' ? '; make it with createdb' : ''
  return new DatabaseProblem(`the PostgreSQL database cannot be used: ${reason}${hint}`, { cause: error })
}

function refuse(line: string): never {
  throw new DatabaseProblem(line)
}

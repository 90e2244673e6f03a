import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import { connectDatabase, openDatabase, peersOf } from './database.ts'
import type { Schema } from './schema.ts'

/** A PostgreSQL server that `scripts/lib/postgres.mjs` started for tests; without it they use SQLite. */
const SERVER = process.env['TEST_POSTGRES']

/** An empty database for one test: one of its own on the tests' PostgreSQL server, otherwise at `place`. Destroy it. */
export async function openTestDatabase(
  { clock = () => new Date() }: { clock?: () => Date } = {},
  place: { file: string } | 'memory' = 'memory',
): Promise<Kysely<Schema>> {
  const db = await openEmpty(place, clock)
  await peersOf(db).start()
  return db
}

async function openEmpty(place: { file: string } | 'memory', clock: () => Date): Promise<Kysely<Schema>> {
  if (SERVER !== undefined) return openCopy(SERVER, clock)
  if (place === 'memory') return openDatabase(place, { clock, content: await (inMemory ??= fresh().then(withoutLog)) })
  if (!existsSync(place.file)) await writeFile(place.file, await fresh(), { mode: 0o600 })
  return openDatabase(place, { clock })
}

/** In memory there is no write-ahead log; a file says in two bytes of its header whether it has one. */
function withoutLog(file: Uint8Array): Uint8Array {
  return Buffer.concat([file.subarray(0, 18), Buffer.of(1, 1), file.subarray(20)])
}

let made: Promise<Uint8Array> | null = null
let inMemory: Promise<Uint8Array> | null = null

/** An empty file with all tables, created once per process: the migrations take longer than most tests, and wait for the disk. */
function fresh(): Promise<Uint8Array> {
  return (made ??= makeFresh())
}

async function makeFresh(): Promise<Uint8Array> {
  const home = await mkdtemp(join(tmpdir(), 'satchel-database-'))
  try {
    const file = join(home, 'satchel.db')
    const db = await openDatabase({ file }, { clock: () => new Date() })
    await db.destroy()
    return await readFile(file)
  } finally {
    await rm(home, { recursive: true })
  }
}

/** A copy of a database with all tables takes PostgreSQL a fourth of the time of the migrations. */
const TEMPLATE = 'satchel_template'
/** Held by the process that makes the template. */
const TEMPLATE_LOCK = 0x7e3917
/** Databases whose tests are over, to be removed before the next is made. */
const ended: string[] = []

async function openCopy(server: string, clock: () => Date): Promise<Kysely<Schema>> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await withClient(server, async (client) => {
    await makeTemplate(client, server)
    for (const old of ended.splice(0)) await client.query(`drop database ${old} with (force)`)
    await client.query(`create database ${name} template ${TEMPLATE}`)
  })
  const db = await openDatabase({ url: databaseOn(server, name) }, { clock })
  const destroy = db.destroy.bind(db)
  db.destroy = async () => {
    await destroy()
    if (!ended.includes(name)) ended.push(name)
  }
  return db
}

/** It has its name as soon as it is complete. */
async function makeTemplate(client: Client, server: string): Promise<void> {
  const isThere = async (): Promise<boolean> =>
    (await client.query('select from pg_database where datname = $1', [TEMPLATE])).rowCount === 1
  if (await isThere()) return
  await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
  if (!(await isThere())) {
    const draft = `${TEMPLATE}_draft`
    await client.query(`drop database if exists ${draft}`)
    await client.query(`create database ${draft}`)
    const db = await openDatabase({ url: databaseOn(server, draft) }, { clock: () => new Date() })
    await db.destroy()
    await client.query(`alter database ${draft} rename to ${TEMPLATE}`)
  }
  await client.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK])
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function databaseOn(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** @returns the address of a new empty schema on that server */
export async function newSchema(server: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const db = await connectDatabase({ url: server })
  await sql`create schema ${sql.id(name)}`.execute(db)
  await db.destroy()
  const url = new URL(server)
  url.searchParams.set('options', `-c search_path=${name}`)
  return url.href
}

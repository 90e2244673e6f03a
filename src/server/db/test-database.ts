import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { connectDatabase, openDatabase, peersOf } from './database.ts'
import type { Schema } from './schema.ts'

/** A PostgreSQL server that `scripts/lib/postgres.mjs` started, for the tests that run on it; without it they run on SQLite. */
const SERVER = process.env['TEST_POSTGRES']

/** An empty database for one test: a schema of its own on the PostgreSQL server of the tests, else what `place` says. To be destroyed. */
export async function openTestDatabase(
  { clock = () => new Date() }: { clock?: () => Date } = {},
  place: { file: string } | 'memory' = 'memory',
): Promise<Kysely<Schema>> {
  const db = await openDatabase(SERVER === undefined ? place : { url: await newSchema(SERVER) }, { clock })
  await peersOf(db).start()
  return db
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

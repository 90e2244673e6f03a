import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'

type Tables = {
  shares: { hash: string; version: number; ticket_key: string }
  uploads: { id: string; path: string; share: string }
}

/**
 * Links have versions, so that of two concurrent changes none is lost, and a key that identifies the tickets issued for them (A13). Visitors'
 * uploads are no longer stored under the secret itself (A16).
 */
export async function up(untyped: Kysely<unknown>): Promise<void> {
  await untyped.schema
    .alterTable('shares')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await untyped.schema
    .alterTable('shares')
    .addColumn('ticket_key', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  const db = untyped.withTables<Tables>()
  for (const { hash } of await db.selectFrom('shares').select('hash').execute()) {
    const ticketKey = randomBytes(32).toString('base64url')
    await db.updateTable('shares').set({ ticket_key: ticketKey }).where('hash', '=', hash).execute()
  }
  for (const { id, path } of await db.selectFrom('uploads').select(['id', 'path']).where('share', '!=', '').execute()) {
    const [, track = '', ...rest] = path.split('/')
    const hashed = createHash('sha256').update(track).digest('hex')
    await db
      .updateTable('uploads')
      .set({ path: ['', hashed, ...rest].join('/') })
      .where('id', '=', id)
      .execute()
  }
}

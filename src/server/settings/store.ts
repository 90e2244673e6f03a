import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** The JSON text of a key; null if nothing was ever stored. */
export async function loadSetting(db: Kysely<Schema>, key: string): Promise<string | null> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value ?? null
}

export async function saveSetting(db: Kysely<Schema>, key: string, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

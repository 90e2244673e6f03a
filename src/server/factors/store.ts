import type { Insertable, Kysely, Selectable } from 'kysely'
import type { SecondFactorsTable } from '../db/sign-in-tables.ts'
import type { Schema } from '../db/schema.ts'

export type FactorRow = Selectable<SecondFactorsTable>

/** Those that count, the oldest first. */
export async function confirmedOf(db: Kysely<Schema>, userId: number): Promise<FactorRow[]> {
  return db
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where('confirmed', '=', 1)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** A key for an authenticator app that no code has confirmed yet. */
export async function pendingTotp(db: Kysely<Schema>, userId: number): Promise<FactorRow | null> {
  const row = await db
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', 'totp')
    .where('confirmed', '=', 0)
    .executeTakeFirst()
  return row ?? null
}

export async function findPasskey(db: Kysely<Schema>, credential: string): Promise<FactorRow | null> {
  const row = await db
    .selectFrom('second_factors')
    .selectAll()
    .where('credential', '=', credential)
    .where('kind', '=', 'passkey')
    .executeTakeFirst()
  return row ?? null
}

export async function insertFactor(db: Kysely<Schema>, row: Insertable<SecondFactorsTable>): Promise<void> {
  await db.insertInto('second_factors').values(row).execute()
}

/** Only over an older counter: two calls with the same code or answer, on whatever server, cannot both get true. */
export async function advance(db: Kysely<Schema>, { id, counter }: FactorRow, next: { counter: number; now: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factors')
    .set({ counter: next.counter, last_used_at: next.now, confirmed: 1 })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function removePendingTotp(db: Kysely<Schema>, userId: number): Promise<void> {
  await db.deleteFrom('second_factors').where('user_id', '=', userId).where('kind', '=', 'totp').where('confirmed', '=', 0).execute()
}

/** The authenticator app that was there before another one was confirmed. */
export async function removeOtherTotp(db: Kysely<Schema>, userId: number, keep: string): Promise<void> {
  await db.deleteFrom('second_factors').where('user_id', '=', userId).where('kind', '=', 'totp').where('id', '<>', keep).execute()
}

/** @returns whether it was there */
export async function removeFactor(db: Kysely<Schema>, userId: number, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('second_factors').where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** @returns whether it was there */
export async function renameFactor(db: Kysely<Schema>, userId: number, { id, name }: { id: string; name: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factors')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('kind', '=', 'passkey')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function countCodes(db: Kysely<Schema>, userId: number): Promise<number> {
  // PostgreSQL returns counts as text.
  const { rows } = await db
    .selectFrom('recovery_codes')
    .select((of) => of.fn.countAll<number | string>().as('rows'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(rows)
}

export async function replaceCodes(db: Kysely<Schema>, userId: number, hashes: readonly string[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}

/** @returns whether it was there: only one of several calls gets true */
export async function useUpCode(db: Kysely<Schema>, userId: number, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

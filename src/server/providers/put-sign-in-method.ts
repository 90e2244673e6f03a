import type { Insertable, Kysely } from 'kysely'
import { fail } from '../../shared/errors.ts'
import { inTransaction } from '../db/database.ts'
import type { SignInProvidersTable } from '../db/provider-tables.ts'
import type { Schema } from '../db/schema.ts'

/**
 * Adds a sign-in method (a provider or a directory) as the last one, or replaces the one with the same id. Fails with `already-exists` if one of the other
 * kind has that id.
 */
export async function putSignInMethod(db: Kysely<Schema>, method: Omit<Insertable<SignInProvidersTable>, 'rank'>): Promise<void> {
  const { id, kind, config, secret } = method
  await inTransaction(db, async (trx) => {
    const { rank } = await trx
      .selectFrom('sign_in_providers')
      .select((of) => of.fn.coalesce(of.fn.max('rank'), of.lit(0)).as('rank'))
      .executeTakeFirstOrThrow()
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('sign_in_providers')
      .values({ ...method, rank: rank + 1 })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ config, secret }).where('sign_in_providers.kind', '=', kind))
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows !== 1n) fail('already-exists', { path: id })
  })
}

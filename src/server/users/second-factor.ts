import { type Kysely, sql } from 'kysely'
import { fail } from '../../shared/errors.ts'
import type { Schema } from '../db/schema.ts'
import type { Settings } from '../settings/settings.ts'
import type { Account } from './account.ts'
import { NO_PASSWORD } from './password.ts'
import { carryOver, FACTOR_TABLES } from './store.ts'

/** Whether people give us a password or the like; where a proxy vouches for them, or nobody signs in, we ask for nothing. */
export function asksForFactors({ authMethod }: Pick<Settings, 'authMethod'>): boolean {
  return authMethod === 'json' || authMethod === 'hook'
}

/**
 * The one place that decides whether an account must have a second factor.
 * @param isAdmin by itself or by a group
 */
export function isFactorRequired(
  { passwordHash, factorElsewhere }: Pick<Account, 'passwordHash' | 'factorElsewhere'>,
  isAdmin: boolean,
  settings: Pick<Settings, 'authMethod' | 'secondFactorFor'>,
): boolean {
  if (!asksForFactors(settings)) return false
  // They sign in through a provider that is trusted to ask for one, and in no other way.
  if (factorElsewhere && passwordHash === NO_PASSWORD) return false
  return settings.secondFactorFor === 'everybody' || (settings.secondFactorFor === 'administrators' && isAdmin)
}

/**
 * Keeps the account in step with its second factors, in the transaction that changed them. The first one ends every other session: they began with a
 * password alone. With the last one go recovery codes and trusted devices. Fails with `busy` if the account was changed meanwhile.
 * @param keep the session whose sign-in continues
 */
export async function refreshSecondFactor(trx: Kysely<Schema>, before: Account, { keep }: { keep: string | null }): Promise<void> {
  // First: of two calls that each remove one of the last two factors, the second one sees what the first one did.
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ version: before.version + 1 })
    .where('id', '=', before.id)
    .where('version', '=', before.version)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) fail('busy', {})
  const one = await trx
    .selectFrom('second_factors')
    .select('id')
    .where('user_id', '=', before.id)
    .where('confirmed', '=', 1)
    .executeTakeFirst()
  const has = one !== undefined
  if (!has) await forgetFactors(trx, before.id)
  if (has === before.secondFactor) return
  await trx
    .updateTable('users')
    .set({ second_factor: Number(has), auth_epoch: before.authEpoch + Number(has) })
    .where('id', '=', before.id)
    .execute()
  if (has && keep !== null) await carryOver(trx, before, keep)
}

/** Everything that belongs to the second factors of an account; its row is not changed. */
export async function forgetFactors(trx: Kysely<Schema>, userId: number): Promise<void> {
  for (const table of FACTOR_TABLES) await trx.deleteFrom(table).where('user_id', '=', userId).execute()
}

/** After accounts were written in another way, such as an import: each says again whether it has a second factor. */
export async function recountSecondFactors(trx: Kysely<Schema>): Promise<void> {
  const confirmed = sql<number>`(select case when count(*) > 0 then 1 else 0 end from second_factors where second_factors.user_id = users.id and confirmed = 1)`
  await trx.updateTable('users').set({ second_factor: confirmed }).execute()
}

import { type Kysely, sql } from 'kysely'
import { fail } from '../../shared/errors.ts'
import { inTransaction, keepCounting } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import type { Account, KeptApart } from './account.ts'
import { recountSecondFactors } from './second-factor.ts'
import { FACTOR_TABLES, hasAdministrator, rowFrom } from './store.ts'
import { usernameKey } from './username.ts'

export type ImportedAccount = Omit<Account, 'authEpoch' | 'version' | 'createdAt' | KeptApart>

export interface ImportOptions {
  readonly overwrite: boolean
  readonly replace: boolean
  readonly now: Date
}

export interface ImportResult {
  readonly accounts: readonly { id: number; username: string; work: 'added' | 'overwrote' }[]
  readonly removed: readonly string[]
}

/**
 * Imports a list of accounts, completely or not at all. Ids are kept, because shares refer to them. Overwritten and removed accounts are signed out.
 * Fails with `forbidden` if no administrator would be left.
 * @returns what was done, or why nothing was
 */
export async function importAccounts(
  db: Kysely<Schema>,
  list: readonly ImportedAccount[],
  { overwrite, replace, now }: ImportOptions,
): Promise<ImportResult | { conflicts: string[] }> {
  return inTransaction(db, async (trx) => {
    const before = await trx.selectFrom('users').select(['id', 'username', 'username_key']).execute()
    const present = replace ? [] : before
    const conflicts = present.flatMap((old) => conflictsOf(old, list, { overwrite }))
    if (conflicts.length > 0) return { conflicts }

    const had = await hasAdministrator(trx)
    if (replace) {
      await trx.deleteFrom('users').execute()
      await trx.deleteFrom('sessions').execute()
    }
    await forgetPlaces(trx, before, { list, replace })
    const accounts = []
    for (const account of list) {
      const isOver = present.some(({ id }) => id === account.id)
      const row = rowFrom({ ...account, createdAt: now })
      if (isOver) {
        const { created_at: _, ...columns } = row
        const raised = { auth_epoch: sql<number>`auth_epoch + 1`, version: sql<number>`version + 1` }
        await trx
          .updateTable('users')
          .set({ ...columns, ...raised })
          .where('id', '=', account.id)
          .execute()
      } else {
        await trx
          .insertInto('users')
          .values({ id: account.id, ...row })
          .execute()
      }
      accounts.push({ id: account.id, username: account.username, work: isOver ? ('overwrote' as const) : ('added' as const) })
    }
    await recountSecondFactors(trx)
    await keepCounting(trx, 'users')
    if (had && !(await hasAdministrator(trx))) fail('forbidden', { right: 'admin' })
    const ids = new Set(list.map(({ id }) => id))
    return { accounts, removed: replace ? before.filter(({ id }) => !ids.has(id)).map(({ username }) => username) : [] }
  })
}

/** Second factors, tokens, favourites and recent files belong to a person, not to an id: another person with the same id starts without them. */
async function forgetPlaces(
  trx: Kysely<Schema>,
  before: readonly { id: number; username_key: string }[],
  { list, replace }: { list: readonly ImportedAccount[]; replace: boolean },
): Promise<void> {
  for (const { id, username_key } of before) {
    const now = list.find((account) => account.id === id)
    if (now === undefined ? !replace : usernameKey(now.username) === username_key) continue
    for (const table of ['api_tokens', 'login_flows', 'favourites', 'recents', 'recents_off', ...FACTOR_TABLES] as const)
      await trx.deleteFrom(table).where('user_id', '=', id).execute()
  }
}

/** Why an existing account conflicts with the list. */
export function conflictsOf(
  old: { readonly id: number; readonly username: string },
  list: readonly ImportedAccount[],
  { overwrite }: Pick<ImportOptions, 'overwrite'>,
): string[] {
  const sameId = list.find(({ id }) => id === old.id)
  const sameName = list.find(({ username }) => usernameKey(username) === usernameKey(old.username))
  const label = JSON.stringify(old.username)
  if (sameName !== undefined && sameName.id !== old.id)
    return [`${label} has the id ${old.id} here and ${sameName.id} in the file; rename one of them, or use --replace`]
  if (sameId !== undefined && !overwrite)
    return [`the id ${old.id} is here ${label} and in the file ${JSON.stringify(sameId.username)}; --overwrite takes the file’s`]
  return []
}

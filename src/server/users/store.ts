import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from 'kysely'
import * as z from 'zod/mini'
import { Permissions, Rule, Sorting, ViewMode } from '../../shared/contract/users.ts'
import { fail } from '../../shared/errors.ts'
import { isUniqueViolation } from '../db/database.ts'
import type { Schema, UsersTable } from '../db/schema.ts'
import { cleanScope } from '../../shared/scope.ts'
import type { Account, Editable, KeptApart } from './account.ts'
import { usernameKey } from './username.ts'

/** Text columns with records and lists, parsed by the schemas of the API. */
const Stored = {
  sorting: Sorting,
  perm: Permissions,
  commands: z.array(z.string()),
  rules: z.array(Rule),
}

export type NewAccount = Omit<Account, 'id' | 'authEpoch' | 'version' | 'disabled' | KeptApart> & { readonly disabled?: boolean }

/** One transaction. */
export interface AccountChange {
  readonly fields: Partial<Editable>
  readonly passwordHash?: string
  /** Ends every session of the account, except the sign-in that the session `keep` belongs to; if there is none, its API tokens too (decision 076). */
  readonly endSessions?: { readonly keep: string | null }
}

export async function findAccount(db: Kysely<Schema>, id: number): Promise<Account | null> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : accountFrom(row)
}

export async function findAccountByName(db: Kysely<Schema>, username: string): Promise<Account | null> {
  const row = await db.selectFrom('users').selectAll().where('username_key', '=', usernameKey(username)).executeTakeFirst()
  return row === undefined ? null : accountFrom(row)
}

export async function hasAccounts(db: Kysely<Schema>): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function listAccounts(db: Kysely<Schema>): Promise<Account[]> {
  return (await db.selectFrom('users').selectAll().orderBy('id').execute()).map(accountFrom)
}

/** Fails with `name-taken` if the name exists, in whatever spelling, or with `ownScope` its folder. */
export async function insertAccount(db: Kysely<Schema>, account: NewAccount, options?: { ownScope: boolean }): Promise<Account> {
  return unlessTaken(account.username, () =>
    db.transaction().execute(async (trx) => {
      if (options?.ownScope && (await isScopeTaken(trx, account.scope))) fail('name-taken', { username: account.username })
      return accountFrom(await trx.insertInto('users').values(rowFrom(account)).returningAll().executeTakeFirstOrThrow())
    }),
  )
}

/**
 * Writes only the given fields, and only over the version in `before`. Fails with `name-taken`, and with `forbidden` if no administrator would be
 * left.
 * @returns whether it was still that version
 */
export async function updateAccount(db: Kysely<Schema>, before: Account, change: AccountChange): Promise<boolean> {
  const { fields, passwordHash, endSessions } = change
  const columns = { ...columnsFrom(fields), ...(passwordHash !== undefined && { password_hash: passwordHash }) }
  return unlessTaken(fields.username ?? before.username, () =>
    db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('users')
        .set({ ...columns, version: before.version + 1, auth_epoch: before.authEpoch + (endSessions ? 1 : 0) })
        .where('id', '=', before.id)
        .where('version', '=', before.version)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      if (fields.disabled !== undefined) await forgetSwitchedOff(trx, before.id)
      if (endSessions && endSessions.keep !== null) await carryOver(trx, before, endSessions.keep)
      if (endSessions?.keep === null) await endTokensOf(trx, before.id)
      await keepAnAdministrator(trx, before)
      return true
    }),
  )
}

/** Also ends every session and API token of the account. @returns whether the account still exists */
export async function updatePassword(db: Kysely<Schema>, id: number, hash: string): Promise<boolean> {
  return (await update(db, id, { password_hash: hash }, { endSessions: true })) && endTokensOf(db, id)
}

/** Also ends every session and API token of the account. @returns whether the account still exists */
export async function updateDisabled(db: Kysely<Schema>, id: number, disabled: boolean): Promise<boolean> {
  await forgetSwitchedOff(db, id)
  return (await update(db, id, { disabled: Number(disabled) }, { endSessions: true })) && endTokensOf(db, id)
}

/** The last decision about an account counts: a directory switches on only what it switched off itself, and marks that afterwards. */
async function forgetSwitchedOff(db: Kysely<Schema>, id: number): Promise<void> {
  await db.updateTable('account_links').set({ switched_off: 0 }).where('user_id', '=', id).execute()
}

/** @returns whether the account still exists */
export async function updateFactorElsewhere(db: Kysely<Schema>, id: number, elsewhere: boolean): Promise<boolean> {
  return update(db, id, { factor_elsewhere: Number(elsewhere) })
}

/** Ends every session of the account. @returns whether the account still exists */
export async function endSessionsOf(db: Kysely<Schema>, id: number): Promise<boolean> {
  return update(db, id, {}, { endSessions: true })
}

/** A stronger hash of the same password: sessions continue, and a password that was changed meanwhile is kept. */
export async function replaceHash(db: Kysely<Schema>, { id, passwordHash }: Account, hash: string): Promise<void> {
  await db.updateTable('users').set({ password_hash: hash }).where('id', '=', id).where('password_hash', '=', passwordHash).execute()
}

/** What belongs to the second factors of an account. */
export const FACTOR_TABLES = ['second_factors', 'recovery_codes', 'trusted_devices', 'sign_in_tickets'] as const

const OWN_TABLES = [
  'sessions',
  'api_tokens',
  'mail_addresses',
  'password_links',
  'mail_choices',
  'arrivals',
  'known_devices',
  'favourites',
  'recents',
  'recents_off',
  'memberships',
  ...FACTOR_TABLES,
  'account_links',
  'provider_sessions',
  'sign_in_links',
  'viewings',
  'dav_locks',
  'login_flows',
] as const

/**
 * With its sessions, tokens, factors, favourites and recent files. Fails with `forbidden` if no administrator would be left.
 * @returns whether the account existed
 */
export async function deleteAccount(db: Kysely<Schema>, id: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const before = await findAccount(trx, id)
    if (before === null) return false
    await trx.deleteFrom('users').where('id', '=', id).execute()
    for (const table of ['grants', 'quotas', 'quota_changes'] as const)
      await trx.deleteFrom(table).where('subject', '=', `user ${id}`).execute()
    await trx.deleteFrom('shares').where('recipient', '=', `user ${id}`).execute()
    for (const table of OWN_TABLES) await trx.deleteFrom(table).where('user_id', '=', id).execute()
    await keepAnAdministrator(trx, before)
    return true
  })
}

/** Fails, and rolls back the transaction, if the last administrator would be removed. */
async function keepAnAdministrator(trx: Kysely<Schema>, before: Account): Promise<void> {
  if (!before.perm.admin || before.disabled) return
  if (!(await hasAdministrator(trx))) fail('forbidden', { right: 'admin' })
}

export async function hasAdministrator(db: Kysely<Schema>): Promise<boolean> {
  const rows = await db.selectFrom('users').select('perm').where('disabled', '=', 0).execute()
  return rows.some(({ perm }) => Stored.perm.parse(JSON.parse(perm)).admin)
}

/** Moves the sign-in to the new epoch, unless it had already ended in the old one. */
export async function carryOver(trx: Kysely<Schema>, before: Account, sessionId: string): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ auth_epoch: before.authEpoch + 1 })
    .where('family', '=', (of) => of.selectFrom('sessions').select('family').where('id', '=', sessionId))
    .where('user_id', '=', before.id)
    .where('auth_epoch', '=', before.authEpoch)
    .execute()
}

/** Also those that a program may fetch yet. @returns true */
async function endTokensOf(db: Kysely<Schema>, userId: number): Promise<true> {
  for (const table of ['api_tokens', 'login_flows'] as const) await db.deleteFrom(table).where('user_id', '=', userId).execute()
  return true
}

/** Folders that a case-insensitive or normalising disk treats as one count as one (GHSA-7rc3-g7h6-22m7). */
async function isScopeTaken(trx: Kysely<Schema>, scope: string): Promise<boolean> {
  const rows = await trx.selectFrom('users').select('scope').execute()
  const key = usernameKey(cleanScope(scope))
  return rows.some((row) => usernameKey(cleanScope(row.scope)) === key)
}

async function unlessTaken<T>(username: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isUniqueViolation(error)) fail('name-taken', { username }, { cause: error })
    throw error
  }
}

async function update(db: Kysely<Schema>, id: number, columns: Updateable<UsersTable>, options?: { endSessions: true }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ ...columns, version: sql`version + 1`, ...(options?.endSessions && { auth_epoch: sql`auth_epoch + 1` }) })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

function accountFrom(row: Selectable<UsersTable>): Account {
  return {
    id: row.id,
    username: row.username,
    passwordHash: row.password_hash,
    scope: row.scope,
    locale: row.locale,
    lockPassword: row.lock_password === 1,
    viewMode: ViewMode.parse(row.view_mode),
    singleClick: row.single_click === 1,
    redirectAfterCopyMove: row.redirect_after_copy_move === 1,
    hideDotfiles: row.hide_dotfiles === 1,
    dateFormat: row.date_format === 1,
    aceEditorTheme: row.ace_editor_theme,
    sorting: Stored.sorting.parse(JSON.parse(row.sorting)),
    perm: Stored.perm.parse(JSON.parse(row.perm)),
    commands: Stored.commands.parse(JSON.parse(row.commands)),
    rules: Stored.rules.parse(JSON.parse(row.rules)),
    disabled: row.disabled === 1,
    ...(row.webdav_disabled === 1 && { webdavDisabled: true }),
    secondFactor: row.second_factor === 1,
    factorElsewhere: row.factor_elsewhere === 1,
    authEpoch: row.auth_epoch,
    version: row.version,
    createdAt: new Date(row.created_at),
  }
}

/** A new row; the database assigns its id. */
export function rowFrom({ disabled = false, ...account }: NewAccount): Insertable<UsersTable> {
  return {
    ...columnsFrom({ ...account, disabled }),
    password_hash: account.passwordHash,
    auth_epoch: 1,
    version: 1,
    created_at: account.createdAt.getTime(),
  }
}

type Columns = Omit<
  Insertable<UsersTable>,
  'id' | 'password_hash' | 'auth_epoch' | 'version' | 'created_at' | 'second_factor' | 'factor_elsewhere'
>

/** Columns of fields that are not given are undefined, and not written. */
function columnsFrom(fields: Editable): Columns
function columnsFrom(fields: Partial<Editable>): Partial<Columns>
function columnsFrom({ username, scope, locale, ...fields }: Partial<Editable>): Partial<Columns> {
  const number = (flag: boolean | undefined) => (flag === undefined ? undefined : Number(flag))
  return {
    username,
    username_key: username === undefined ? undefined : usernameKey(username),
    scope,
    locale,
    lock_password: number(fields.lockPassword),
    view_mode: fields.viewMode,
    single_click: number(fields.singleClick),
    redirect_after_copy_move: number(fields.redirectAfterCopyMove),
    hide_dotfiles: number(fields.hideDotfiles),
    date_format: number(fields.dateFormat),
    ace_editor_theme: fields.aceEditorTheme,
    sorting: JSON.stringify(fields.sorting),
    perm: JSON.stringify(fields.perm),
    commands: JSON.stringify(fields.commands),
    rules: JSON.stringify(fields.rules),
    disabled: number(fields.disabled),
    webdav_disabled: number(fields.webdavDisabled),
  }
}

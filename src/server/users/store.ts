import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from 'kysely'
import * as z from 'zod/mini'
import { type OwnFields, Permissions, Rule, Sorting, ViewMode } from '../../shared/contract/users.ts'
import { fail } from '../../shared/errors.ts'
import { isUniqueViolation } from '../db/database.ts'
import type { Schema, UsersTable } from '../db/schema.ts'
import type { Account } from './account.ts'
import { usernameKey } from './username.ts'

/** The text columns that hold records and lists, read back through what the wire allows. */
const Stored = {
  sorting: Sorting,
  perm: Permissions,
  commands: z.array(z.string()),
  rules: z.array(Rule),
}

export type NewAccount = Omit<Account, 'id' | 'authEpoch' | 'version' | 'disabled'>

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

/** Fails with `name-taken` when somebody has that name, in whatever spelling. */
export async function insertAccount(db: Kysely<Schema>, account: NewAccount): Promise<Account> {
  try {
    return accountFrom(await db.insertInto('users').values(rowFrom(account)).returningAll().executeTakeFirstOrThrow())
  } catch (error) {
    if (isUniqueViolation(error)) fail('name-taken', { username: account.username }, { cause: error })
    throw error
  }
}

/** Writes only what is named. @returns whether the account is still there */
export async function updateOwnFields(db: Kysely<Schema>, id: number, fields: OwnFields): Promise<boolean> {
  return update(db, id, ownColumns(fields))
}

/** Every session of the account ends with it. @returns whether the account is still there */
export async function updatePassword(db: Kysely<Schema>, id: number, hash: string): Promise<boolean> {
  return update(db, id, { password_hash: hash }, { endSessions: true })
}

/** Every session of the account ends with it. @returns whether the account is still there */
export async function updateDisabled(db: Kysely<Schema>, id: number, disabled: boolean): Promise<boolean> {
  return update(db, id, { disabled: Number(disabled) }, { endSessions: true })
}

/** Ends every session of the account. @returns whether the account is still there */
export async function raiseEpoch(db: Kysely<Schema>, id: number): Promise<boolean> {
  return update(db, id, {}, { endSessions: true })
}

/** A better hash of the same password: nothing ends, and a password changed in the meantime stays. */
export async function replaceHash(db: Kysely<Schema>, { id, passwordHash }: Account, hash: string): Promise<void> {
  await db.updateTable('users').set({ password_hash: hash }).where('id', '=', id).where('password_hash', '=', passwordHash).execute()
}

export async function deleteAccount(db: Kysely<Schema>, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('users').where('id', '=', id).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
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
    authEpoch: row.auth_epoch,
    version: row.version,
    createdAt: new Date(row.created_at),
  }
}

function rowFrom(account: NewAccount): Insertable<UsersTable> {
  return {
    username: account.username,
    username_key: usernameKey(account.username),
    password_hash: account.passwordHash,
    scope: account.scope,
    locale: account.locale,
    lock_password: Number(account.lockPassword),
    view_mode: account.viewMode,
    single_click: Number(account.singleClick),
    redirect_after_copy_move: Number(account.redirectAfterCopyMove),
    hide_dotfiles: Number(account.hideDotfiles),
    date_format: Number(account.dateFormat),
    ace_editor_theme: account.aceEditorTheme,
    sorting: JSON.stringify(account.sorting),
    perm: JSON.stringify(account.perm),
    commands: JSON.stringify(account.commands),
    rules: JSON.stringify(account.rules),
    disabled: 0,
    auth_epoch: 1,
    version: 1,
    created_at: account.createdAt.getTime(),
  }
}

function ownColumns(fields: OwnFields): Updateable<UsersTable> {
  const columns: Updateable<UsersTable> = {}
  if (fields.locale !== undefined) columns.locale = fields.locale
  if (fields.viewMode !== undefined) columns.view_mode = fields.viewMode
  if (fields.aceEditorTheme !== undefined) columns.ace_editor_theme = fields.aceEditorTheme
  if (fields.sorting !== undefined) columns.sorting = JSON.stringify(fields.sorting)
  if (fields.hideDotfiles !== undefined) columns.hide_dotfiles = Number(fields.hideDotfiles)
  if (fields.singleClick !== undefined) columns.single_click = Number(fields.singleClick)
  if (fields.redirectAfterCopyMove !== undefined) columns.redirect_after_copy_move = Number(fields.redirectAfterCopyMove)
  if (fields.dateFormat !== undefined) columns.date_format = Number(fields.dateFormat)
  return columns
}

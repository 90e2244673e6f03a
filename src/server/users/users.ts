import type { Kysely } from 'kysely'
import type { OwnFields } from '../../shared/contract/users.ts'
import { fail, isAppError } from '../../shared/errors.ts'
import type { Bus } from '../bus/bus.ts'
import type { Schema } from '../db/schema.ts'
import type { Account } from './account.ts'
import type { Passwords } from './password.ts'
import * as store from './store.ts'
import { usernameProblem } from './username.ts'

/** A password in clear, which goes no further, or the hash of one that another program made. */
export type Secret = { readonly text: string } | { readonly hash: string }

/** What an account is made from. */
export type AccountFields = Omit<store.NewAccount, 'passwordHash' | 'createdAt'> & { password: string | Secret }

export interface Users {
  find(id: number): Promise<Account | null>
  /** By the name's key: spelling and case of the name do not matter. */
  findByName(username: string): Promise<Account | null>
  /** Whether there is any account at all. */
  any(): Promise<boolean>
  /** Fails with `name-taken`, or with `invalid-input` for a name or password that cannot be one. */
  create(fields: AccountFields): Promise<Account>
  /** What people may change of their own record. Fails with `not-found`. */
  changeOwn(id: number, fields: OwnFields): Promise<void>
  /** Ends every session of the account in the same step. Fails with `not-found`, or `invalid-input` for what can be no password. */
  setPassword(id: number, password: string): Promise<void>
  /** Ends every session of the account in the same step. Fails with `not-found`. */
  setDisabled(id: number, options: { disabled: boolean }): Promise<void>
  /** Ends every session of the account. An account that is gone has none. */
  endSessions(id: number): Promise<void>
  /** Fails with `not-found`. */
  remove(id: number): Promise<void>
  /** Whose password this is; null when it is nobody's, the account is switched off, or the name is unknown, in the same time. */
  prove(username: string, password: string): Promise<Account | null>
}

/** Longest text of a preference; more is nobody's language or theme. */
const MAX_PREFERENCE_LENGTH = 64

export function createUsers({ db, bus, passwords, clock }: UsersOptions): Users {
  async function changed(id: number, deed: Promise<boolean>): Promise<void> {
    if (!(await deed)) fail('not-found', {})
    bus.announce('user.changed', { userId: id })
  }

  /** A courtesy: when there is too much to do, the next sign-in does it. */
  async function rehash(account: Account, password: string): Promise<void> {
    try {
      await store.replaceHash(db, account, await passwords.hash(password))
    } catch (error) {
      if (!isAppError(error, 'too-many-requests')) throw error
    }
  }

  return {
    find: (id) => store.findAccount(db, id),
    findByName: (username) => store.findAccountByName(db, username),
    any: () => store.hasAccounts(db),

    async create({ password, ...fields }) {
      const problem = usernameProblem(fields.username)
      if (problem !== null) fail('invalid-input', { issues: [`username: ${problem}`] })
      const secret = typeof password === 'string' ? { text: password } : password
      const passwordHash = 'hash' in secret ? secret.hash : await passwords.hash(secret.text)
      return store.insertAccount(db, { ...fields, passwordHash, createdAt: clock() })
    },

    async changeOwn(id, fields) {
      for (const [name, value] of Object.entries({ locale: fields.locale, aceEditorTheme: fields.aceEditorTheme })) {
        if (value !== undefined && value.length > MAX_PREFERENCE_LENGTH) fail('invalid-input', { issues: [`data.${name}: too long`] })
      }
      await changed(id, store.updateOwnFields(db, id, fields))
    },

    async setPassword(id, password) {
      const hash = await passwords.hash(password)
      await changed(id, store.updatePassword(db, id, hash))
    },

    setDisabled: (id, { disabled }) => changed(id, store.updateDisabled(db, id, disabled)),
    remove: (id) => changed(id, store.deleteAccount(db, id)),

    async endSessions(id) {
      if (await store.raiseEpoch(db, id)) bus.announce('user.changed', { userId: id })
    },

    async prove(username, password) {
      const account = await store.findAccountByName(db, username)
      const verdict = await passwords.verify(password, account?.passwordHash ?? null)
      if (account === null || verdict === 'wrong' || account.disabled) return null
      if (verdict === 'outdated') await rehash(account, password)
      return account
    },
  }
}

export interface UsersOptions {
  db: Kysely<Schema>
  bus: Bus
  passwords: Passwords
  clock: () => Date
}

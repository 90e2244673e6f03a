import type { Kysely } from 'kysely'
import { fail, isAppError } from '../../shared/errors.ts'
import type { Bus } from '../bus/bus.ts'
import type { Schema } from '../db/schema.ts'
import type { Account, Editable } from './account.ts'
import type { QueueEntry } from './sign-in-queue.ts'
import type { Passwords } from './password.ts'
import * as store from './store.ts'
import { usernameKey, usernameProblem } from './username.ts'

/** A password in clear, which is not passed on, or a hash that another program made. */
export type Secret = { readonly text: string } | { readonly hash: string }

export type AccountFields = Omit<store.NewAccount, 'passwordHash' | 'createdAt'> & { password: string | Secret }

export type Users = ReturnType<typeof createUsers>

export interface Change {
  readonly fields: Partial<Editable>
  /** A new one; null keeps the old. */
  readonly password: string | null
  readonly keep: string | null
}

export function createUsers({ db, bus, passwords, clock }: { db: Kysely<Schema>; bus: Bus; passwords: Passwords; clock: () => Date }) {
  async function changed(id: number, work: Promise<boolean>): Promise<void> {
    if (!(await work)) fail('not-found', {})
    bus.announce('user.changed', { userId: id })
  }

  /** Optional: if the queue is full, the next sign-in does it. */
  async function rehash(account: Account, password: string): Promise<void> {
    try {
      await store.replaceHash(db, account, await passwords.hash(password, turnOf(account.username)))
    } catch (error) {
      if (!isAppError(error, 'too-many-requests')) throw error
    }
  }

  return {
    find: (id: number): Promise<Account | null> => store.findAccount(db, id),
    /** Ignores spelling and case of the name. */
    findByName: (username: string): Promise<Account | null> => store.findAccountByName(db, username),
    any: (): Promise<boolean> => store.hasAccounts(db),

    all: (): Promise<Account[]> => store.listAccounts(db),

    /**
     * Fails with `name-taken`, or with `invalid-input` for an invalid name or password.
     * @param options.ownScope whether an existing account with that folder is `name-taken` too
     */
    async create({ password, ...fields }: AccountFields, options?: { ownScope: boolean }): Promise<Account> {
      const problem = usernameProblem(fields.username)
      if (problem !== null) fail('invalid-input', { issues: [`username: ${problem}`] })
      const secret = typeof password === 'string' ? { text: password } : password
      const passwordHash = 'hash' in secret ? secret.hash : await passwords.hash(secret.text, turnOf(fields.username))
      return store.insertAccount(db, { ...fields, passwordHash, createdAt: clock() }, options)
    },

    /**
     * Writes the given fields over the version in `before`. A new password, and disabling, end every session in the same transaction, except the
     * sign-in of the session `keep`. Fails with `name-taken`, `invalid-input`, and `forbidden` if no administrator would be left.
     * @returns false if the record was changed meanwhile or has gone: nothing was written
     */
    async change(before: Account, { fields, password, keep }: Change): Promise<boolean> {
      const problem = fields.username === undefined || fields.username === before.username ? null : usernameProblem(fields.username)
      if (problem !== null) fail('invalid-input', { issues: [`username: ${problem}`] })
      const switchedOff = fields.disabled === true && !before.disabled
      const written = await store.updateAccount(db, before, {
        fields,
        ...(password !== null && { passwordHash: await passwords.hash(password, turnOf(before.username)) }),
        ...((password !== null || switchedOff) && { endSessions: { keep: switchedOff ? null : keep } }),
      })
      if (written) bus.announce('user.changed', { userId: before.id })
      return written
    },

    /** Also ends every session of the account. Fails with `not-found`, or `invalid-input` for an invalid password. */
    async setPassword(id: number, password: string): Promise<void> {
      const hash = await passwords.hash(password)
      await changed(id, store.updatePassword(db, id, hash))
    },

    /** Also ends every session of the account. Fails with `not-found`. */
    setDisabled: (id: number, { disabled }: { disabled: boolean }): Promise<void> => changed(id, store.updateDisabled(db, id, disabled)),
    /** Whether every provider through which it signs in asks for a second factor itself. Fails with `not-found`. */
    setFactorElsewhere: (id: number, elsewhere: boolean): Promise<void> => changed(id, store.updateFactorElsewhere(db, id, elsewhere)),
    /** With its sessions. Fails with `not-found`, and with `forbidden` if no administrator would be left. */
    remove: (id: number): Promise<void> => changed(id, store.deleteAccount(db, id)),

    /** Ends every session of the account, if it exists. */
    async endSessions(id: number): Promise<void> {
      if (await store.endSessionsOf(db, id)) bus.announce('user.changed', { userId: id })
    },

    /**
     * The account with this password; null if it is wrong, the account is disabled, or the name is unknown, in the same time.
     * @param from the client, for fair turns
     */
    async prove(
      username: string,
      password: string,
      { address }: { readonly address: string | null } = { address: null },
    ): Promise<Account | null> {
      const account = await store.findAccountByName(db, username)
      const turn = { ...turnOf(username), address }
      const verdict = await passwords.verify(password, account?.passwordHash ?? null, { turn, lets: account?.disabled === false })
      if (account === null || verdict === 'wrong' || account.disabled) return null
      if (verdict === 'outdated') await rehash(account, password)
      return account
    },
  }
}

/** Hashing for an account takes turns with others. */
function turnOf(username: string): QueueEntry {
  return { priority: 'people', subject: `account ${usernameKey(username)}`, address: null }
}

import type { Kysely, Selectable } from 'kysely'
import { fail } from '../../shared/errors.ts'
import type { AccountLink } from '../../shared/contract/providers.ts'
import { isUniqueViolation } from '../db/database.ts'
import type { AccountLinksTable } from '../db/provider-tables.ts'
import type { Schema } from '../db/schema.ts'

/** Who somebody is at a provider. The subject alone means nothing: two issuers may use the same one. */
export interface Person {
  readonly issuer: string
  readonly subject: string
}

export type AccountLinks = ReturnType<typeof createAccountLinks>

/** Which accounts people sign in to: by issuer and subject only (OpenID Connect Core 1.0 §5.7). */
export function createAccountLinks(db: Kysely<Schema>, clock: () => Date) {
  const of = ({ issuer, subject }: Person) =>
    db.selectFrom('account_links').selectAll().where('issuer', '=', issuer).where('subject', '=', subject)

  return {
    find: async (person: Person): Promise<Selectable<AccountLinksTable> | null> => (await of(person).executeTakeFirst()) ?? null,

    /** Fails with `already-exists` if somebody else is connected with that subject. Connecting the same account again changes nothing. */
    async add({ issuer, subject }: Person, { userId, provider }: { userId: number; provider: string }): Promise<void> {
      const row = { issuer, subject, user_id: userId, provider, made_admin: 0, created_at: clock().getTime(), used_at: 0 }
      try {
        await db.insertInto('account_links').values(row).execute()
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        if ((await of({ issuer, subject }).executeTakeFirst())?.user_id !== userId)
          fail('already-exists', { path: subject }, { cause: error })
      }
    },

    /** @param options.isSignIn whether they signed in just now */
    async used({ issuer, subject }: Person, { madeAdmin, isSignIn }: { madeAdmin: boolean; isSignIn: boolean }): Promise<void> {
      await db
        .updateTable('account_links')
        .set({ made_admin: Number(madeAdmin), ...(isSignIn && { used_at: clock().getTime() }) })
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .execute()
    },

    remove: ({ issuer, subject }: Person): Promise<unknown> =>
      db.deleteFrom('account_links').where('issuer', '=', issuer).where('subject', '=', subject).execute(),

    /** @param login the name that was typed at a directory @param switchedOff whether the directory lets them in no more */
    async mark({ issuer, subject }: Person, { login, switchedOff }: { login?: string; switchedOff?: boolean }): Promise<void> {
      const changes = { ...(login !== undefined && { login }), ...(switchedOff !== undefined && { switched_off: Number(switchedOff) }) }
      await db.updateTable('account_links').set(changes).where('issuer', '=', issuer).where('subject', '=', subject).execute()
    },

    /** Of a directory that is gone. */
    removeAllOf: (issuer: string): Promise<unknown> => db.deleteFrom('account_links').where('issuer', '=', issuer).execute(),

    ofProvider: (provider: string): Promise<Selectable<AccountLinksTable>[]> =>
      db.selectFrom('account_links').selectAll().where('provider', '=', provider).execute(),

    ofUser: (userId: number): Promise<Selectable<AccountLinksTable>[]> =>
      db.selectFrom('account_links').selectAll().where('user_id', '=', userId).execute(),

    /** By account name. */
    async all(): Promise<AccountLink[]> {
      const rows = await db
        .selectFrom('account_links')
        .innerJoin('users', 'users.id', 'account_links.user_id')
        .select(['provider', 'issuer', 'subject', 'user_id', 'username', 'account_links.created_at', 'used_at'])
        .orderBy('username')
        .execute()
      return rows.map(({ user_id, created_at, used_at, ...row }) => ({ ...row, userId: user_id, created: created_at, used: used_at }))
    },
  }
}

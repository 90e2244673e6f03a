import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { hashOf, newSecret } from '../db/secret.ts'

/** Long enough to carry it from a terminal to a browser. */
export const LINK_MS = 15 * 60_000

/** Links that sign in once: the way in when no provider answers and passwords are refused. */
export function createSignInLinks(db: Kysely<Schema>, clock: () => Date) {
  const now = (): number => clock().getTime()
  return {
    /** @returns the secret of the link; a former one of this account ends */
    async make(userId: number): Promise<string> {
      const secret = newSecret()
      await db.deleteFrom('sign_in_links').where('user_id', '=', userId).execute()
      await db
        .insertInto('sign_in_links')
        .values({ key_hash: hashOf(secret), user_id: userId, expires_at: now() + LINK_MS })
        .execute()
      return secret
    },

    /** The account of a link, once; null if it was used or is too old. */
    async use(secret: string): Promise<number | null> {
      const row = await db.deleteFrom('sign_in_links').where('key_hash', '=', hashOf(secret)).returningAll().executeTakeFirst()
      return row !== undefined && row.expires_at > now() ? row.user_id : null
    },

    async sweep(): Promise<void> {
      await db.deleteFrom('sign_in_links').where('expires_at', '<=', now()).execute()
    },
  }
}

import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** The confirmed addresses of users. */
export type Addresses = ReturnType<typeof createAddresses>

export function createAddresses({ db }: { db: Kysely<Schema> }) {
  return {
    /** Null if there is none. */
    async find(userId: number): Promise<string | null> {
      const row = await db.selectFrom('mail_addresses').select('address').where('user_id', '=', userId).executeTakeFirst()
      return row?.address ?? null
    },
    /** An empty address removes it. */
    async set(userId: number, address: string): Promise<void> {
      if (address === '') await db.deleteFrom('mail_addresses').where('user_id', '=', userId).execute()
      else
        await db
          .insertInto('mail_addresses')
          .values({ user_id: userId, address })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ address }))
          .execute()
    },
    /** The users with an address, in whatever case; at most `limit`. */
    async usersWith(address: string, { limit }: { limit: number }): Promise<number[]> {
      const rows = await db
        .selectFrom('mail_addresses')
        .select('user_id')
        .where((eb) => eb(eb.fn('lower', ['address']), '=', address.toLowerCase()))
        .orderBy('user_id')
        .limit(limit)
        .execute()
      return rows.map(({ user_id: id }) => id)
    },
  }
}

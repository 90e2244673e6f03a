import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { TrustedDevice } from '../../shared/contract/factors.ts'
import type { Schema } from '../db/schema.ts'
import { hashOf, newSecret } from '../db/secret.ts'
import type { Account } from '../users/account.ts'

/** How long a device is not asked for a second factor. */
export const TRUST_MS = 30 * 24 * 3600_000
/** Of one account; the oldest is forgotten for a new one. */
const MAX_DEVICES = 20
/** A browser sends no more cookies than people have accounts there. */
const MAX_COOKIES = 8

export type TrustedDevices = ReturnType<typeof createTrustedDevices>

/** Devices on which a second factor was given, and is not asked for again for 30 days. Read from the database each time: an end counts at once. */
export function createTrustedDevices({ db, clock }: { db: Kysely<Schema>; clock: () => Date }) {
  const living = ({ id, authEpoch }: Pick<Account, 'id' | 'authEpoch'>) =>
    db
      .selectFrom('trusted_devices')
      .where('user_id', '=', id)
      .where('auth_epoch', '=', authEpoch)
      .where('expires_at', '>', clock().getTime())

  return {
    /** @param secrets from the cookies of a request */
    async isTrusted(account: Account, secrets: readonly string[]): Promise<boolean> {
      const hashes = secrets.slice(0, MAX_COOKIES).map(hashOf)
      if (hashes.length === 0) return false
      return (await living(account).select('id').where('secret_hash', 'in', hashes).executeTakeFirst()) !== undefined
    },

    /** @returns the secret for its cookie */
    async trust({ id, authEpoch }: Account, { address, userAgent }: { address: string | null; userAgent: string }): Promise<string> {
      const now = clock().getTime()
      const secret = newSecret()
      await db
        .insertInto('trusted_devices')
        .values({
          id: randomUUID(),
          user_id: id,
          secret_hash: hashOf(secret),
          auth_epoch: authEpoch,
          created_at: now,
          expires_at: now + TRUST_MS,
          ip: address ?? '',
          user_agent: userAgent.slice(0, 255),
        })
        .execute()
      const all = await db.selectFrom('trusted_devices').select('id').where('user_id', '=', id).orderBy('created_at', 'desc').execute()
      const surplus = all.slice(MAX_DEVICES).map((row) => row.id)
      if (surplus.length > 0) await db.deleteFrom('trusted_devices').where('id', 'in', surplus).execute()
      return secret
    },

    /** The latest first. */
    async list(account: Account): Promise<TrustedDevice[]> {
      const rows = await living(account).selectAll().orderBy('created_at', 'desc').execute()
      return rows.map((row) => ({
        id: row.id,
        created: row.created_at,
        expires: row.expires_at,
        address: row.ip,
        userAgent: row.user_agent,
      }))
    },

    /** @returns whether it was there */
    async forget(userId: number, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('trusted_devices')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    async sweep(): Promise<void> {
      await db.deleteFrom('trusted_devices').where('expires_at', '<=', clock().getTime()).execute()
    },
  }
}

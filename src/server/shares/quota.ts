import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Share } from './store.ts'

/** How long a counted download from a limited link can be continued without being counted again. */
const FREE_MS = 24 * 60 * 60_000

export interface Ending {
  readonly whole: boolean
  readonly bytes: number
  /** Bytes of the whole download, if known; otherwise how many may be sent and given back. */
  readonly size: number
}

/** Counts downloads of limited links, and uploads to drop boxes: exact, however many are concurrent, on however many machines. */
export type Quota = ReturnType<typeof createQuota>

export function createQuota(db: Kysely<Schema>) {
  return {
    /** Whether a visitor has a download that can still be continued. @param keyHashPrefixes prefixes of their keys */
    async hasTaken({ hash }: Share, keyHashPrefixes: readonly string[], now: Date): Promise<boolean> {
      const row = await db
        .selectFrom('share_downloads')
        .select('share')
        .where('share', '=', hash)
        .where(({ or, and, eb }) => or(keyHashPrefixes.map((one) => and([eb('key_hash', '>=', one), eb('key_hash', '<', `${one}~`)]))))
        .where('expires_at', '>', now.getTime())
        .executeTakeFirst()
      return row !== undefined
    },

    /** Counts a download, unless it was counted already. @returns false if none is left */
    async begin({ hash }: Share, keyHash: string, now: Date): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        const known = await trx
          .updateTable('share_downloads')
          .set((eb) => ({ running: eb('running', '+', 1) }))
          .where('share', '=', hash)
          .where('key_hash', '=', keyHash)
          .where('expires_at', '>', now.getTime())
          .executeTakeFirstOrThrow()
        if (known.numUpdatedRows > 0n) return true
        const counted = await trx
          .updateTable('shares')
          .set((eb) => ({ downloads: eb('downloads', '+', 1) }))
          .where('hash', '=', hash)
          .where((eb) => eb.or([eb('max_downloads', '=', 0), eb('downloads', '<', eb.ref('max_downloads'))]))
          .executeTakeFirstOrThrow()
        if (counted.numUpdatedRows === 0n) return false
        const row = { running: 1, kept: 0, expires_at: now.getTime() + FREE_MS }
        await trx
          .insertInto('share_downloads')
          .values({ share: hash, key_hash: keyHash, ...row })
          .onConflict((conflict) => conflict.columns(['share', 'key_hash']).doUpdateSet(row))
          .execute()
        return true
      })
    },

    /**
     * A download that was broken off before it was complete is given back. The bytes sent by such downloads add up, and each time they make a whole
     * download, one is counted, so that repeated interruptions do not give free downloads.
     */
    async end({ hash }: Share, keyHash: string, { whole, bytes, size }: Ending): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('share_downloads')
          .select(['running', 'kept'])
          .where('share', '=', hash)
          .where('key_hash', '=', keyHash)
          .executeTakeFirst()
        if (row === undefined) return
        const kept = row.kept === 1 || whole || (await spill(trx, hash, { bytes, size }))
        const running = Math.max(0, row.running - 1)
        const mine = trx.updateTable('share_downloads').set({ running, kept: Number(kept) })
        if (kept || running > 0) return void (await mine.where('share', '=', hash).where('key_hash', '=', keyHash).execute())
        await trx.deleteFrom('share_downloads').where('share', '=', hash).where('key_hash', '=', keyHash).execute()
        await trx
          .updateTable('shares')
          .set((eb) => ({ downloads: eb('downloads', '-', 1) }))
          .where('hash', '=', hash)
          .where('downloads', '>', 0)
          .execute()
      })
    },

    /** Reserves room for one more file. @returns false if the drop box is full */
    async receive({ hash }: Share, bytes: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('shares')
        .set((eb) => ({ drop_files: eb('drop_files', '+', 1), drop_bytes: eb('drop_bytes', '+', bytes) }))
        .where('hash', '=', hash)
        .where(({ or, and, eb, ref }) =>
          or([
            // Limits that were set for a drop box do not apply to a folder that visitors may edit.
            eb('rights', '!=', 'drop'),
            and([
              or([eb('drop_max_files', '=', 0), eb('drop_files', '<', ref('drop_max_files'))]),
              or([eb('drop_max_bytes', '=', 0), eb(eb('drop_bytes', '+', bytes), '<=', ref('drop_max_bytes'))]),
            ]),
          ]),
        )
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Releases the room of a file that was not stored after all. */
    async giveBack({ hash }: Share, bytes: number): Promise<void> {
      await db
        .updateTable('shares')
        .set((eb) => ({ drop_files: eb('drop_files', '-', 1), drop_bytes: eb('drop_bytes', '-', bytes) }))
        .where('hash', '=', hash)
        .execute()
    },

    async sweep(now: Date): Promise<void> {
      await db.deleteFrom('share_downloads').where('expires_at', '<=', now.getTime()).execute()
    },
  }
}

/** Adds to the bytes of broken-off downloads. @returns whether that makes a whole one */
async function spill(trx: Transaction<Schema>, hash: string, { bytes, size }: { bytes: number; size: number }): Promise<boolean> {
  const { spilled } = await trx.selectFrom('shares').select('spilled').where('hash', '=', hash).executeTakeFirstOrThrow()
  const total = spilled + bytes
  const isOne = total >= size
  await trx
    .updateTable('shares')
    .set({ spilled: isOne ? total - size : total })
    .where('hash', '=', hash)
    .execute()
  return isOne
}

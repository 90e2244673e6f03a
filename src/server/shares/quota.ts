import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Share } from './store.ts'

/** What was taken of a limited link is free to go on with for this long. */
const FREE_MS = 24 * 60 * 60_000

/** How an answer ended. */
export interface Ending {
  /** All of it was taken. */
  readonly whole: boolean
  /** Bytes that left. */
  readonly bytes: number
  /** Bytes of the whole download, as far as that is known; else as many as one may take and give back. */
  readonly size: number
}

/** Counts the downloads of limited links, and what drop boxes took: exact, however many come at once, on however many machines. */
export interface Quota {
  /** Whether a visitor has taken something that is still free to go on with. @param who beginnings of their keys */
  hasTaken(share: Share, who: readonly string[], now: Date): Promise<boolean>
  /** Counts a download, unless this one was counted already. @returns false when there is none left */
  begin(share: Share, keyHash: string, now: Date): Promise<boolean>
  /**
   * One that was broken off before anything of it was taken whole is given back. Bytes that left with such ones add up, and every time they make
   * a whole download, one is kept: nobody takes everything by breaking off again and again.
   */
  end(share: Share, keyHash: string, ending: Ending): Promise<void>
  /** Claims room for one more file. @returns false when the drop box is full */
  receive(share: Share, bytes: number): Promise<boolean>
  /** The file did not come in after all. */
  giveBack(share: Share, bytes: number): Promise<void>
  sweep(now: Date): Promise<void>
}

export function createQuota(db: Kysely<Schema>): Quota {
  return {
    async hasTaken({ hash }, who, now) {
      const row = await db
        .selectFrom('share_downloads')
        .select('share')
        .where('share', '=', hash)
        .where(({ or, and, eb }) => or(who.map((one) => and([eb('key_hash', '>=', one), eb('key_hash', '<', `${one}~`)]))))
        .where('expires_at', '>', now.getTime())
        .executeTakeFirst()
      return row !== undefined
    },

    async begin({ hash }, keyHash, now) {
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

    async end({ hash }, keyHash, { whole, bytes, size }) {
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

    async receive({ hash }, bytes) {
      const { numUpdatedRows } = await db
        .updateTable('shares')
        .set((eb) => ({ drop_files: eb('drop_files', '+', 1), drop_bytes: eb('drop_bytes', '+', bytes) }))
        .where('hash', '=', hash)
        .where(({ or, and, eb, ref }) =>
          or([
            // What was once said of a drop box does not hold for a folder that visitors may change.
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

    async giveBack({ hash }, bytes) {
      await db
        .updateTable('shares')
        .set((eb) => ({ drop_files: eb('drop_files', '-', 1), drop_bytes: eb('drop_bytes', '-', bytes) }))
        .where('hash', '=', hash)
        .execute()
    },

    async sweep(now) {
      await db.deleteFrom('share_downloads').where('expires_at', '<=', now.getTime()).execute()
    },
  }
}

/** Adds to what left with downloads that were broken off. @returns whether that makes a whole one */
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

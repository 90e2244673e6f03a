import { randomUUIDv7 } from 'bun'
import type { Kysely } from 'kysely'
import type { NoticeKind } from '../../shared/contract/mail.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { inTransaction } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { createOutbox } from '../jobs/outbox.ts'
import { MAIL_JOB, noticeTask } from '../mail/mailer.ts'

/** A file that came through a link or a share. */
export interface Arrival {
  /** Who is told. */
  readonly userId: number
  readonly kind: Extract<NoticeKind, 'arrived' | 'arrived-people'>
  /** The link or share. */
  readonly share: string
  /** Storage path. */
  readonly place: FilePath
}

/** Files that arrive within this time are told together. */
export const GATHER_MS = 2 * 60_000
/** From one mail to the next, so that visitors cannot fill a mailbox. */
export const SPACING_MS = 30 * 60_000
/** Waiting for one mail: visitors cannot fill the table either. */
export const MOST_WAITING = 1000
const KEPT_MS = 7 * 24 * 3600_000

export type Arrivals = ReturnType<typeof createArrivals>

/** What arrived and was not told yet. A mail takes what is there when it is made, so that each is in one mail, also with several servers. */
export function createArrivals({ db, clock }: { db: Kysely<Schema>; clock: () => Date }) {
  return {
    /** @returns whether a mail has been planned for it; it may wait for one already */
    async add({ userId, kind, share, place }: Arrival): Promise<boolean> {
      return inTransaction(db, async (trx) => {
        const { waiting } = await trx
          .selectFrom('arrivals')
          .select((of) => of.fn.countAll<number | string>().as('waiting'))
          .where('user_id', '=', userId)
          .where('job', '=', '')
          .executeTakeFirstOrThrow()
        if (Number(waiting) < MOST_WAITING) {
          const row = { id: randomUUIDv7(), user_id: userId, kind, share, place, at: clock().getTime(), job: '' }
          await trx.insertInto('arrivals').values(row).execute()
        }
        const job = { topic: `arrived ${userId}`, kind: MAIL_JOB, task: noticeTask('arrived', userId) }
        return createOutbox({ db: trx, clock }).gather(job, { gatherMs: GATHER_MS, spacingMs: SPACING_MS })
      })
    },

    /** What a mail tells, the oldest first: at its first attempt all that waits, afterwards the same again. */
    async claim(userId: number, job: string): Promise<Arrival[]> {
      const rows = await inTransaction(db, async (trx) => {
        const mine = trx.selectFrom('arrivals').selectAll().where('user_id', '=', userId).where('job', '=', job).orderBy('id')
        const known = await mine.execute()
        if (known.length > 0) return known
        await trx.updateTable('arrivals').set({ job }).where('user_id', '=', userId).where('job', '=', '').execute()
        return mine.execute()
      })
      return rows.map((row) => ({
        userId: row.user_id,
        kind: row.kind === 'arrived' ? row.kind : 'arrived-people',
        share: row.share,
        // Written by `add`.
        place: row.place as FilePath,
      }))
    },

    /** They were told, or nobody will tell them. */
    async remove(job: string): Promise<void> {
      await db.deleteFrom('arrivals').where('job', '=', job).execute()
    },

    /** What nobody was told for a week: mail was switched off meanwhile. */
    async sweep(): Promise<void> {
      await db
        .deleteFrom('arrivals')
        .where('at', '<=', clock().getTime() - KEPT_MS)
        .execute()
    },
  }
}

import type { Kysely } from 'kysely'
import { NOTICE_KINDS, type NoticeChoices, type NoticeKind } from '../../shared/contract/mail.ts'
import { inTransaction } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'

/** For users who have not chosen. */
const DEFAULTS: NoticeChoices = { arrived: true, 'arrived-people': false, shared: true, quota: true, device: true }

/** What users want to be told by mail. */
export type Choices = ReturnType<typeof createChoices>

export function createChoices({ db }: { db: Kysely<Schema> }) {
  async function of(userId: number): Promise<NoticeChoices> {
    const rows = await db.selectFrom('mail_choices').select(['kind', 'wanted']).where('user_id', '=', userId).execute()
    const chosen = { ...DEFAULTS }
    for (const kind of NOTICE_KINDS) {
      const row = rows.find((one) => one.kind === kind)
      if (row !== undefined) chosen[kind] = row.wanted === 1
    }
    return chosen
  }

  return {
    of,
    isWanted: async (userId: number, kind: NoticeKind): Promise<boolean> => (await of(userId))[kind],

    /** Absent kinds are unchanged. */
    async change(userId: number, change: Partial<NoticeChoices>): Promise<void> {
      const rows = NOTICE_KINDS.flatMap((kind) =>
        change[kind] === undefined ? [] : { user_id: userId, kind, wanted: Number(change[kind]) },
      )
      await inTransaction(db, async (trx) => {
        for (const row of rows)
          await trx
            .insertInto('mail_choices')
            .values(row)
            .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet({ wanted: row.wanted }))
            .execute()
      })
    },
  }
}

import { randomUUIDv7 } from 'bun'
import { type Kysely, sql } from 'kysely'
import { isAppError } from '../../shared/errors.ts'
import { SHARE_VISIT_KINDS, type ShareVisit } from '../../shared/contract/shares.ts'
import type { Schema } from '../db/schema.ts'
import type { Share } from './store.ts'

/** A repetition from the same address within this time is one visit, or one download. */
const SAME_MS = 30 * 60_000
const KEEP_MS = 90 * 24 * 60 * 60_000
const MAX_LISTED = 1000
const MOST_KEPT = 1000

export type VisitEntry = Pick<ShareVisit, 'kind' | 'path'> &
  Partial<Pick<ShareVisit, 'sender' | 'note'>> & { readonly address: string | null }

/** A log of visits, downloads and uploads, for the owners of links. Uploads are kept as long as the link, everything else for ninety days. */
export type VisitLog = ReturnType<typeof createVisitLog>

export function createVisitLog(db: Kysely<Schema>) {
  return {
    /** Without the address if the owner does not record visits; then visits and downloads are not recorded at all. */
    async note({ hash, logVisits }: Share, { kind, path, sender = '', note = '', address }: VisitEntry, now: Date): Promise<void> {
      const passing = kind === 'visit' || kind === 'download'
      if (passing && !logVisits) return
      const from = logVisits ? (address ?? '') : ''
      if (passing && (await isKnown(db, { hash, kind, path, address: from, since: now.getTime() - SAME_MS }))) return
      const row = { id: randomUUIDv7(), share: hash, at: now.getTime(), kind, address: from, path, sender, note }
      await db
        .insertInto('share_visits')
        .values(row)
        .execute()
        .catch((error: unknown) => {
          // Visits and downloads are served even if the disk is too full to record them.
          if (!passing || !isAppError(error, 'storage-full')) throw error
        })
    },

    /** The newest first. */
    async list(hash: string): Promise<ShareVisit[]> {
      const rows = await db
        .selectFrom('share_visits')
        .select(['at', 'kind', 'address', 'path', 'sender', 'note'])
        .where('share', '=', hash)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(MAX_LISTED)
        .execute()
      return rows.flatMap((row) => {
        const kind = SHARE_VISIT_KINDS.find((one) => one === row.kind)
        return kind === undefined ? [] : [{ ...row, kind }]
      })
    },

    /** The owner has switched recording off: past visits are removed as well. */
    async forget(hash: string): Promise<void> {
      await db.deleteFrom('share_visits').where('share', '=', hash).where('kind', 'in', ['visit', 'download']).execute()
      await db.updateTable('share_visits').set({ address: '' }).where('share', '=', hash).execute()
    },

    async sweep(now: Date): Promise<void> {
      await db
        .deleteFrom('share_visits')
        .where('kind', '!=', 'upload')
        .where('at', '<=', now.getTime() - KEEP_MS)
        .execute()
      await sql`delete from share_visits where id in (select id from
        (select id, row_number() over (partition by share order by at desc, id desc) as place from share_visits where kind <> 'upload') as ranked
        where place > ${MOST_KEPT})`.execute(db)
    },
  }
}

async function isKnown(
  db: Kysely<Schema>,
  { hash, kind, path, address, since }: { hash: string; kind: string; path: string; address: string; since: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('share_visits')
    .select('id')
    .where('share', '=', hash)
    .where('at', '>', since)
    .where('kind', '=', kind)
    .where('path', '=', path)
    .where('address', '=', address)
    .executeTakeFirst()
  return row !== undefined
}

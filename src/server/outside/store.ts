import type { Expression, Kysely, Selectable, SqlBool } from 'kysely'
import * as z from 'zod/mini'
import type { FilePath } from '../../shared/file-path.ts'
import type { OutsideChangesTable, Schema } from '../db/schema.ts'
import { inTransaction } from '../db/database.ts'
import { fromStored, toStored } from '../journal/stored-path.ts'
import type { Burst } from './bursts.ts'

/** A burst as it is kept. */
export interface StoredBurst extends Burst {
  /** UUIDv7 of the time `last`: comparable with the ids of the journal. */
  readonly id: string
}

const Items = z.array(z.object({ path: z.string(), change: z.enum(['appeared', 'changed', 'gone']), folder: z.boolean() }))
/** A program that writes the same files again and again has one entry in this time. */
const SAME_MS = 3600_000
/** Beyond that, the oldest go. */
const MOST = 100_000
const REMOVED_AT_ONCE = 1000

export type OutsideStore = ReturnType<typeof createOutsideStore>

export function createOutsideStore(db: Kysely<Schema>) {
  return {
    /** Adds a burst. The last one of the same folder is continued if it is of the same nodes. */
    async add(burst: Burst): Promise<void> {
      await inTransaction(db, async (trx) => {
        const stored = await trx
          .selectFrom('outside_changes')
          .selectAll()
          .where('path', '=', toStored(burst.path))
          .orderBy('id', 'desc')
          .limit(1)
          .executeTakeFirst()
        const last = stored === undefined ? null : fromRow(stored)
        // Another server on the same disk has seen it too.
        if (last !== null && last.last >= burst.first && isSame(last, burst)) return
        const continues = last !== null && burst.last - last.first < SAME_MS && isSame(last, burst)
        if (continues) await trx.deleteFrom('outside_changes').where('id', '=', last.id).execute()
        await trx
          .insertInto('outside_changes')
          .values(toRow({ ...burst, first: continues ? last.first : burst.first }))
          .execute()
      })
    },

    /** What matches, the newest first. @param options.before an id (exclusive) @param options.from an id (inclusive) */
    async find(
      condition: Expression<SqlBool>,
      { before, from, limit }: { before: string | null; from: string | null; limit: number },
    ): Promise<StoredBurst[]> {
      let query = db.selectFrom('outside_changes').selectAll().where(condition).orderBy('id', 'desc').limit(limit)
      if (before !== null) query = query.where('id', '<', before)
      if (from !== null) query = query.where('id', '>=', from)
      return (await query.execute()).map(fromRow)
    },

    /** Removes what is older, and the oldest beyond a limit. @param until milliseconds since 1970 */
    async sweep({ until, most = MOST }: { until: number; most?: number }): Promise<void> {
      const first = await db.selectFrom('outside_changes').select('last').orderBy('last', 'desc').offset(most).limit(1).executeTakeFirst()
      const limit = Math.max(until, first?.last ?? 0)
      for (;;) {
        const old = await db.selectFrom('outside_changes').select('id').where('last', '<=', limit).limit(REMOVED_AT_ONCE).execute()
        const ids = old.map(({ id }) => id)
        if (ids.length > 0) await db.deleteFrom('outside_changes').where('id', 'in', ids).execute()
        if (ids.length < REMOVED_AT_ONCE) return
      }
    },
  }
}

/** Whether they are of the same nodes: of more than what is named, that is not known. */
function isSame(one: Burst, other: Burst): boolean {
  const sum = ({ counts }: Burst): number => counts.appeared + counts.changed + counts.gone
  if (sum(one) !== one.items.length || sum(other) !== other.items.length || one.items.length !== other.items.length) return false
  const known = new Set(one.items.map(({ path, change }) => `${change} ${path}`))
  return other.items.every(({ path, change }) => known.has(`${change} ${path}`))
}

function toRow({ path, first, last, counts, items }: Burst): OutsideChangesTable {
  const stored = items.map((item) => ({ ...item, path: toStored(item.path) }))
  return { id: Bun.randomUUIDv7('hex', last), first, last, path: toStored(path), ...counts, items: JSON.stringify(stored) }
}

function fromRow({ id, first, last, path, appeared, changed, gone, items }: Selectable<OutsideChangesTable>): StoredBurst {
  const parsed = Items.parse(JSON.parse(items)).map((item): { path: FilePath; change: typeof item.change; folder: boolean } => ({
    ...item,
    path: fromStored(item.path),
  }))
  return { id, first, last, path: fromStored(path), counts: { appeared, changed, gone }, items: parsed }
}

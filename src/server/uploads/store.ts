import type { Kysely, Selectable } from 'kysely'
import type { FilePath } from '../../shared/file-path.ts'
import type { Schema, UploadsTable } from '../db/schema.ts'

/** A file on its way in. There is at most one for each user and path. */
export interface Upload {
  readonly id: string
  readonly userId: number
  /** As its user sees it; what it means in storage is asked again at every step. */
  readonly path: FilePath
  /** Bytes in all, announced at the beginning. */
  readonly length: number
  /** The client's description of the file (Upload-Metadata, as it came); empty when it gave none. */
  readonly stamp: string
  readonly replace: boolean
  /** Milliseconds since 1970 of the last sign of life. */
  readonly touchedAt: number
  /** Published already; remembered for a while, so that a client that missed the answer can learn of it. */
  readonly finished: boolean
  /** Somebody had all its bytes and began to give them their place: when they are not staged any more, they are there. */
  readonly placing: boolean
  /** Somebody holds it until then, milliseconds since 1970; 0 when nobody does. */
  readonly heldUntil: number
  /** The link through which a visitor sends it; empty for a person's own. */
  readonly share: string
}

/** An upload of which nobody holds anything yet. */
export type Announcement = Omit<Upload, 'finished' | 'placing' | 'heldUntil'>

export interface UploadStore {
  find(userId: number, path: FilePath): Promise<Upload | null>
  /** @returns false when somebody was quicker and this user and path has one already */
  create(upload: Announcement): Promise<boolean>
  /** A new wish about replacing, and a sign of life. */
  takeUp(id: string, options: { replace: boolean; now: number }): Promise<void>
  /** Those through one link that are not published: how many, and how long they are together. */
  pending(share: string, options: { untouchedSince: number }): Promise<{ files: number; bytes: number }>
  /** One person's own that are not published, the youngest sign of life first. */
  unfinished(userId: number, options: { untouchedSince: number; limit: number }): Promise<Upload[]>
  touch(id: string, now: number): Promise<void>
  /** One statement, so that of many who ask at once, on any machine, one gets it. Asking again with the same holder renews. */
  lease(id: string, holder: string, options: { now: number; until: number }): Promise<boolean>
  /**
   * Notes that the holder is about to publish it, for whoever finds it after a crash.
   * @returns the holder's name from now on; null when the lease is not theirs any more
   */
  place(id: string, holder: string): Promise<string | null>
  release(id: string, holder: string): Promise<void>
  /** Remembers it as published until `until`. Nobody can lease it any more. */
  finish(id: string, until: number): Promise<void>
  remove(id: string): Promise<void>
  /** Those without a sign of life since `untouchedSince`, and the finished ones whose time is over at `now`. */
  stale(options: { untouchedSince: number; now: number }): Promise<Upload[]>
  /** Those of `ids` that have a row. */
  known(ids: readonly string[]): Promise<Set<string>>
}

/** The holder of everything that is published: a lease that nobody else can win. */
const FINISHED = 'finished'
/** What the name of a holder begins with who is publishing. */
const PLACING = 'placing '

export function createUploadStore(db: Kysely<Schema>): UploadStore {
  return {
    async find(userId, path) {
      const row = await db.selectFrom('uploads').selectAll().where('user_id', '=', userId).where('path', '=', path).executeTakeFirst()
      return row === undefined ? null : fromRow(row)
    },

    async unfinished(userId, { untouchedSince, limit }) {
      const rows = await db
        .selectFrom('uploads')
        .selectAll()
        .where('user_id', '=', userId)
        .where('share', '=', '')
        .where('touched_at', '>=', untouchedSince)
        .where('lease', 'is distinct from', FINISHED)
        .orderBy('touched_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(fromRow)
    },

    async pending(share, { untouchedSince }) {
      const { files, bytes } = await db
        .selectFrom('uploads')
        .select((eb) => [eb.fn.countAll<number>().as('files'), eb.fn.sum<number | null>('length').as('bytes')])
        .where('share', '=', share)
        .where('touched_at', '>=', untouchedSince)
        .where('lease', 'is distinct from', FINISHED)
        .executeTakeFirstOrThrow()
      return { files, bytes: bytes ?? 0 }
    },

    async create({ id, userId, path, length, stamp, replace, touchedAt, share }) {
      const row = {
        id,
        user_id: userId,
        path,
        length,
        stamp,
        replace: Number(replace),
        created_at: touchedAt,
        touched_at: touchedAt,
        share,
      }
      await db
        .insertInto('uploads')
        .values({ ...row, lease: null, lease_until: 0 })
        .onConflict((conflict) => conflict.columns(['user_id', 'path']).doNothing())
        .execute()
      return (await db.selectFrom('uploads').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
    },

    async takeUp(id, { replace, now }) {
      await db
        .updateTable('uploads')
        .set({ replace: Number(replace), touched_at: now })
        .where('id', '=', id)
        .execute()
    },

    async touch(id, now) {
      await db.updateTable('uploads').set({ touched_at: now }).where('id', '=', id).execute()
    },

    async lease(id, holder, { now, until }) {
      const { numUpdatedRows } = await db
        .updateTable('uploads')
        .set({ lease: holder, lease_until: until, touched_at: now })
        .where('id', '=', id)
        .where(({ and, or, eb }) =>
          or([eb('lease', 'is', null), eb('lease', '=', holder), and([eb('lease', '!=', FINISHED), eb('lease_until', '<=', now)])]),
        )
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async place(id, holder) {
      const placing = PLACING + holder
      const { numUpdatedRows } = await db
        .updateTable('uploads')
        .set({ lease: placing })
        .where('id', '=', id)
        .where('lease', '=', holder)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n ? placing : null
    },

    async release(id, holder) {
      // Publishing may have failed when the bytes had their place: that it was begun is not forgotten until somebody else holds it.
      const lease = holder.startsWith(PLACING) ? holder : null
      await db.updateTable('uploads').set({ lease, lease_until: 0 }).where('id', '=', id).where('lease', '=', holder).execute()
    },

    async finish(id, until) {
      await db.updateTable('uploads').set({ lease: FINISHED, lease_until: until }).where('id', '=', id).execute()
    },

    async remove(id) {
      await db.deleteFrom('uploads').where('id', '=', id).execute()
    },

    async stale({ untouchedSince, now }) {
      const rows = await db
        .selectFrom('uploads')
        .selectAll()
        .where(({ and, or, eb }) =>
          or([eb('touched_at', '<', untouchedSince), and([eb('lease', '=', FINISHED), eb('lease_until', '<=', now)])]),
        )
        .execute()
      return rows.map(fromRow)
    },

    async known(ids) {
      if (ids.length === 0) return new Set()
      const rows = await db.selectFrom('uploads').select('id').where('lease', 'is distinct from', FINISHED).execute()
      const unfinished = new Set(rows.map(({ id }) => id))
      return new Set(ids.filter((id) => unfinished.has(id)))
    },
  }
}

function fromRow(row: Selectable<UploadsTable>): Upload {
  return {
    id: row.id,
    userId: row.user_id,
    // Written from a FilePath by `create`, and by nothing else.
    path: row.path as FilePath,
    length: row.length,
    stamp: row.stamp,
    replace: row.replace === 1,
    touchedAt: row.touched_at,
    finished: row.lease === FINISHED,
    placing: row.lease?.startsWith(PLACING) === true,
    heldUntil: row.lease === null ? 0 : row.lease_until,
    share: row.share,
  }
}

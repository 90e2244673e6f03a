import type { Kysely, Selectable } from 'kysely'
import type { FilePath } from '../../shared/file-path.ts'
import type { Schema, UploadsTable } from '../db/schema.ts'

/** An upload in progress. Each announcement is a separate upload, also if several are for the same path. */
export interface Upload {
  readonly id: string
  readonly userId: number
  /** The user's path; it is resolved again at every step. */
  readonly path: FilePath
  /** The client's name for this upload among those to its path. Empty for a visitor's, whose path is unique. */
  readonly key: string
  /** The session that announced it: clients that do not name their upload continue their own. Empty for a visitor's. */
  readonly session: string
  /** Total bytes, as announced. */
  readonly length: number
  /** The client's description of the file (Upload-Metadata, unchanged); empty if absent. */
  readonly stamp: string
  readonly replace: boolean
  /** Last activity, milliseconds since 1970. */
  readonly touchedAt: number
  /** Published already; remembered for a while for clients that missed the response. */
  readonly finished: boolean
  /** All bytes arrived and publishing has begun: when they are no longer staged, the file is published. */
  readonly publishing: boolean
  /** Bytes that survive a power cut; null if an older version staged them, and all staged bytes count. */
  readonly durable: number | null
  /** How many writers were taken over without having released it; each has its own staged file. */
  readonly generation: number
  /** Held until then, milliseconds since 1970; 0 if nobody holds it. */
  readonly heldUntil: number
  /** The link that a visitor uploads through; empty for a user's own upload. */
  readonly share: string
}

/** A new upload. */
export type Announcement = Omit<Upload, 'finished' | 'publishing' | 'heldUntil' | 'durable' | 'generation'>

/** The state of an upload, for a client that wants to lease it. */
export interface LeaseState extends Pick<Upload, 'id' | 'finished' | 'publishing' | 'durable' | 'generation'> {
  readonly lease: string | null
  /** 0 if nobody holds it. */
  readonly leaseUntil: number
}

interface Term {
  readonly now: number
  readonly until: number
}

/** The name under which an upload's bytes are staged. */
export function stagedName(id: string, generation: number): string {
  return generation === 0 ? id : `${id}-${generation}`
}

/** The holder of published uploads: a lease that nobody can get. */
const FINISHED = 'finished'
/** Prefix of the name of a holder that is publishing. Databases contain it, so it must not change. */
const PUBLISHING = 'placing '

export type UploadStore = ReturnType<typeof createUploadStore>

export function createUploadStore(db: Kysely<Schema>) {
  return {
    /** All uploads to one path, the newest announcement first. */
    async at(userId: number, path: FilePath): Promise<Upload[]> {
      const rows = await db
        .selectFrom('uploads')
        .selectAll()
        .where('user_id', '=', userId)
        .where('path', '=', path)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map(fromRow)
    },

    async find(userId: number, path: FilePath, key: string): Promise<Upload | null> {
      const row = await db
        .selectFrom('uploads')
        .selectAll()
        .where('user_id', '=', userId)
        .where('path', '=', path)
        .where('key', '=', key)
        .executeTakeFirst()
      return row === undefined ? null : fromRow(row)
    },

    /** A user's own unpublished uploads, the most recently active first. */
    async unfinished(userId: number, { untouchedSince, limit }: { untouchedSince: number; limit: number }): Promise<Upload[]> {
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

    /** Unpublished uploads through one link: their number and total length. */
    async pending(share: string, { untouchedSince }: { untouchedSince: number }): Promise<{ files: number; bytes: number }> {
      const { files, bytes } = await db
        .selectFrom('uploads')
        .select((eb) => [eb.fn.countAll<number>().as('files'), eb.fn.sum<number | null>('length').as('bytes')])
        .where('share', '=', share)
        .where('touched_at', '>=', untouchedSince)
        .where('lease', 'is distinct from', FINISHED)
        .executeTakeFirstOrThrow()
      return { files, bytes: bytes ?? 0 }
    },

    /** @returns false if an upload of this name exists already */
    async create({ id, userId, path, key, session, length, stamp, replace, touchedAt, share }: Announcement): Promise<boolean> {
      const row = {
        id,
        user_id: userId,
        path,
        key,
        session,
        length,
        stamp,
        replace: Number(replace),
        created_at: touchedAt,
        touched_at: touchedAt,
        share,
      }
      await db
        .insertInto('uploads')
        .values({ ...row, lease: null, lease_until: 0, durable: 0 })
        .onConflict((conflict) => conflict.columns(['user_id', 'path', 'key']).doNothing())
        .execute()
      return (await db.selectFrom('uploads').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
    },

    /** Updates the replace option and the last activity. */
    async takeUp(id: string, { replace, now }: { replace: boolean; now: number }): Promise<void> {
      await db
        .updateTable('uploads')
        .set({ replace: Number(replace), touched_at: now })
        .where('id', '=', id)
        .execute()
    },

    async touch(id: string, now: number): Promise<void> {
      await db.updateTable('uploads').set({ touched_at: now }).where('id', '=', id).execute()
    },

    async leaseState(id: string): Promise<LeaseState | null> {
      const row = await db
        .selectFrom('uploads')
        .select(['id', 'lease', 'lease_until', 'durable', 'generation'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (row === undefined) return null
      const { lease, lease_until: leaseUntil, durable, generation } = row
      return { id, lease, leaseUntil, durable, generation, finished: lease === FINISHED, publishing: isPublishing(lease) }
    },

    /** One statement, so that only one of several concurrent requests, on any machine, gets it: the first that finds it unchanged. */
    async lease(
      { id, lease, leaseUntil }: LeaseState,
      { holder, now, until, generation }: Term & { holder: string; generation: number },
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('uploads')
        .set({ lease: holder, lease_until: until, touched_at: now, generation })
        .where('id', '=', id)
        .where('lease', lease === null ? 'is' : '=', lease)
        .where('lease_until', '=', leaseUntil)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** @returns false if the lease is no longer theirs */
    async renew(id: string, holder: string, { now, until, durable }: Term & { durable: number | null }): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('uploads')
        .set({ lease_until: until, touched_at: now, ...(durable !== null && { durable }) })
        .where('id', '=', id)
        .where('lease', '=', holder)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /**
     * Renews, and records that the holder is about to publish, for recovery after a crash.
     * @returns the holder's new name; null if the lease is no longer theirs
     */
    async place(id: string, holder: string, { now, until, durable }: Term & { durable: number | null }): Promise<string | null> {
      const publishing = PUBLISHING + holder
      const { numUpdatedRows } = await db
        .updateTable('uploads')
        .set({ lease: publishing, lease_until: until, touched_at: now, ...(durable !== null && { durable }) })
        .where('id', '=', id)
        .where('lease', '=', holder)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n ? publishing : null
    },

    async release(id: string, holder: string, { durable }: { durable: number | null }): Promise<void> {
      // Publishing may have failed after the file was in place, so its mark is kept until the next holder.
      const lease = holder.startsWith(PUBLISHING) ? holder : null
      await db
        .updateTable('uploads')
        .set({ lease, lease_until: 0, ...(durable !== null && { durable }) })
        .where('id', '=', id)
        .where('lease', '=', holder)
        .execute()
    },

    /** Call this when all holders are known to be dead. */
    async freeAll(): Promise<void> {
      await db.updateTable('uploads').set({ lease_until: 0 }).where('lease_until', '>', 0).where('lease', '!=', FINISHED).execute()
    },

    /** Remembers it as published until `until`. Nobody can lease it any more. */
    async finish(id: string, until: number): Promise<void> {
      await db.updateTable('uploads').set({ lease: FINISHED, lease_until: until }).where('id', '=', id).execute()
    },

    async remove(id: string): Promise<void> {
      await db.deleteFrom('uploads').where('id', '=', id).execute()
    },

    /**
     * Uploads without activity since `untouchedSince`, those of visitors since `visitorsSince`, and finished ones that may be forgotten at `now`.
     */
    async stale({ untouchedSince, visitorsSince, now }: { untouchedSince: number; visitorsSince: number; now: number }): Promise<Upload[]> {
      const rows = await db
        .selectFrom('uploads')
        .selectAll()
        .where(({ and, or, eb }) =>
          or([
            eb('touched_at', '<', untouchedSince),
            and([eb('share', '!=', ''), eb('touched_at', '<', visitorsSince)]),
            and([eb('lease', '=', FINISHED), eb('lease_until', '<=', now)]),
          ]),
        )
        .execute()
      return rows.map(fromRow)
    },

    /** Unpublished uploads of visitors through links that have ended. */
    async ofEndedLinks(now: number): Promise<Upload[]> {
      const open = db
        .selectFrom('shares')
        .select('hash')
        .where((eb) => eb.or([eb('expire', '=', 0), eb('expire', '>', Math.floor(now / 1000))]))
      const rows = await db
        .selectFrom('uploads')
        .selectAll()
        .where('share', '!=', '')
        .where('share', 'not in', open)
        .where('lease', 'is distinct from', FINISHED)
        .execute()
      return rows.map(fromRow)
    },

    /** The staged names of all unpublished uploads (`stagedName`). */
    async stagedNames(): Promise<Set<string>> {
      const rows = await db.selectFrom('uploads').select(['id', 'generation']).where('lease', 'is distinct from', FINISHED).execute()
      return new Set(rows.map(({ id, generation }) => stagedName(id, generation)))
    },
  }
}

function isPublishing(lease: string | null): boolean {
  return lease?.startsWith(PUBLISHING) === true
}

function fromRow(row: Selectable<UploadsTable>): Upload {
  return {
    id: row.id,
    userId: row.user_id,
    // Written from a FilePath by `create` only.
    path: row.path as FilePath,
    key: row.key,
    session: row.session,
    length: row.length,
    stamp: row.stamp,
    replace: row.replace === 1,
    touchedAt: row.touched_at,
    finished: row.lease === FINISHED,
    publishing: isPublishing(row.lease),
    durable: row.durable,
    generation: row.generation,
    heldUntil: row.lease === null ? 0 : row.lease_until,
    share: row.share,
  }
}

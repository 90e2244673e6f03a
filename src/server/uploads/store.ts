import type { Kysely, Selectable } from 'kysely'
import type { FilePath } from '../../shared/file-path.ts'
import type { Schema, UploadsTable } from '../db/schema.ts'

/** A file on its way in. Each announcement is one of its own, also where several are for the same path. */
export interface Upload {
  readonly id: string
  readonly userId: number
  /** As its user sees it; what it means in storage is asked again at every step. */
  readonly path: FilePath
  /** By it the client names this upload among those of its path. Empty for a visitor's, whose path is one of its own. */
  readonly key: string
  /** The session that announced it: of clients that do not name their upload, each goes on with its own. Empty for a visitor's. */
  readonly session: string
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
  /** Bytes that survive a power cut; null where an older program left it, and all that is staged counts. */
  readonly durable: number | null
  /** How many writers that never let go of it were followed by another one; each has a staged file of its own. */
  readonly generation: number
  /** Somebody holds it until then, milliseconds since 1970; 0 when nobody does. */
  readonly heldUntil: number
  /** The link through which a visitor sends it; empty for a person's own. */
  readonly share: string
}

/** An upload of which nobody holds anything yet. */
export type Announcement = Omit<Upload, 'finished' | 'placing' | 'heldUntil' | 'durable' | 'generation'>

/** The state of an upload, for a client that wants to hold it. */
export interface LeaseState extends Pick<Upload, 'id' | 'finished' | 'placing' | 'durable' | 'generation'> {
  readonly lease: string | null
  /** 0 where nobody holds it. */
  readonly leaseUntil: number
}

interface Term {
  readonly now: number
  readonly until: number
}

export interface UploadStore {
  /** All to one path, the youngest announcement first. */
  at(userId: number, path: FilePath): Promise<Upload[]>
  find(userId: number, path: FilePath, key: string): Promise<Upload | null>
  /** @returns false when somebody was quicker and there is one of this name already */
  create(upload: Announcement): Promise<boolean>
  /** A new wish about replacing, and a sign of life. */
  takeUp(id: string, options: { replace: boolean; now: number }): Promise<void>
  /** Those through one link that are not published: how many, and how long they are together. */
  pending(share: string, options: { untouchedSince: number }): Promise<{ files: number; bytes: number }>
  /** One person's own that are not published, the youngest sign of life first. */
  unfinished(userId: number, options: { untouchedSince: number; limit: number }): Promise<Upload[]>
  touch(id: string, now: number): Promise<void>
  leaseState(id: string): Promise<LeaseState | null>
  /** One statement, so that of many concurrent requests, on any machine, one gets it: the one that finds it unchanged. */
  lease(leaseState: LeaseState, options: Term & { holder: string; generation: number }): Promise<boolean>
  /** @returns false when the lease is not theirs any more */
  renew(id: string, holder: string, options: Term & { durable: number | null }): Promise<boolean>
  /**
   * Renews, and notes that the holder is about to publish it, for the recovery after a crash.
   * @returns the holder's name from now on; null when the lease is not theirs any more
   */
  place(id: string, holder: string, options: Term & { durable: number | null }): Promise<string | null>
  release(id: string, holder: string, options: { durable: number | null }): Promise<void>
  /** To be called when all who held something are known to be dead. */
  freeAll(): Promise<void>
  /** Remembers it as published until `until`. Nobody can lease it any more. */
  finish(id: string, until: number): Promise<void>
  remove(id: string): Promise<void>
  /** Those without a sign of life since `untouchedSince`, and the finished ones whose time is over at `now`. */
  stale(options: { untouchedSince: number; now: number }): Promise<Upload[]>
  /** What all that are not published have staged, by the names of that (`stagedName`). */
  stagedNames(): Promise<Set<string>>
}

/** What the bytes of an upload are staged as. */
export function stagedName(id: string, generation: number): string {
  return generation === 0 ? id : `${id}-${generation}`
}

/** The holder of everything that is published: a lease that nobody else can win. */
const FINISHED = 'finished'
/** What the name of a holder begins with who is publishing. */
const PLACING = 'placing '

export function createUploadStore(db: Kysely<Schema>): UploadStore {
  return {
    async at(userId, path) {
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

    async find(userId, path, key) {
      const row = await db
        .selectFrom('uploads')
        .selectAll()
        .where('user_id', '=', userId)
        .where('path', '=', path)
        .where('key', '=', key)
        .executeTakeFirst()
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

    async create({ id, userId, path, key, session, length, stamp, replace, touchedAt, share }) {
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

    async leaseState(id) {
      const row = await db
        .selectFrom('uploads')
        .select(['id', 'lease', 'lease_until', 'durable', 'generation'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (row === undefined) return null
      const { lease, lease_until: leaseUntil, durable, generation } = row
      return { id, lease, leaseUntil, durable, generation, finished: lease === FINISHED, placing: isPlacing(lease) }
    },

    async lease({ id, lease, leaseUntil }, { holder, now, until, generation }) {
      const { numUpdatedRows } = await db
        .updateTable('uploads')
        .set({ lease: holder, lease_until: until, touched_at: now, generation })
        .where('id', '=', id)
        .where('lease', lease === null ? 'is' : '=', lease)
        .where('lease_until', '=', leaseUntil)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async renew(id, holder, { now, until, durable }) {
      const { numUpdatedRows } = await db
        .updateTable('uploads')
        .set({ lease_until: until, touched_at: now, ...(durable !== null && { durable }) })
        .where('id', '=', id)
        .where('lease', '=', holder)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async place(id, holder, { now, until, durable }) {
      const placing = PLACING + holder
      const { numUpdatedRows } = await db
        .updateTable('uploads')
        .set({ lease: placing, lease_until: until, touched_at: now, ...(durable !== null && { durable }) })
        .where('id', '=', id)
        .where('lease', '=', holder)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n ? placing : null
    },

    async release(id, holder, { durable }) {
      // Publishing may have failed when the bytes had their place: that it was begun is not forgotten until somebody else holds it.
      const lease = holder.startsWith(PLACING) ? holder : null
      await db
        .updateTable('uploads')
        .set({ lease, lease_until: 0, ...(durable !== null && { durable }) })
        .where('id', '=', id)
        .where('lease', '=', holder)
        .execute()
    },

    async freeAll() {
      await db.updateTable('uploads').set({ lease_until: 0 }).where('lease_until', '>', 0).where('lease', '!=', FINISHED).execute()
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

    async stagedNames() {
      const rows = await db.selectFrom('uploads').select(['id', 'generation']).where('lease', 'is distinct from', FINISHED).execute()
      return new Set(rows.map(({ id, generation }) => stagedName(id, generation)))
    },
  }
}

function isPlacing(lease: string | null): boolean {
  return lease?.startsWith(PLACING) === true
}

function fromRow(row: Selectable<UploadsTable>): Upload {
  return {
    id: row.id,
    userId: row.user_id,
    // Written from a FilePath by `create`, and by nothing else.
    path: row.path as FilePath,
    key: row.key,
    session: row.session,
    length: row.length,
    stamp: row.stamp,
    replace: row.replace === 1,
    touchedAt: row.touched_at,
    finished: row.lease === FINISHED,
    placing: isPlacing(row.lease),
    durable: row.durable,
    generation: row.generation,
    heldUntil: row.lease === null ? 0 : row.lease_until,
    share: row.share,
  }
}

import { type Kysely, sql } from 'kysely'
import type { Subject } from '../../shared/contract/groups.ts'
import { inTransaction } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'

/** Bytes, and how many files and folders. */
export interface Amount {
  readonly bytes: number
  readonly files: number
}

export const NOTHING: Amount = { bytes: 0, files: 0 }

/** What a quota allows; null for no limit. */
export interface QuotaLimits {
  readonly maxBytes: number | null
  readonly maxFiles: number | null
}

export interface StoredQuota extends QuotaLimits {
  readonly subject: string
  /** Null if it was not counted yet, or for other folders. */
  readonly used: Amount | null
  /** As `follow` was told. */
  readonly folders: string
  readonly changes: number
  readonly isStale: boolean
  /** Milliseconds since 1970; null if it was never counted. */
  readonly countedAt: number | null
}

/** What a change adds to one quota. */
export interface Part extends Amount {
  readonly subject: string
  /** Whether it is refused if there is no room. */
  readonly isLimited: boolean
  /** Whether it is counted when it is settled. */
  readonly isCounted: boolean
}

export interface OpenOptions {
  /** The server that is at work, and how long it may be silent; null for an upload that waits for bytes. */
  readonly lease: { readonly server: string; readonly until: number } | null
  readonly isPublishing: boolean
  /** Another reservation from which it takes what it needs. */
  readonly from?: string | undefined
}

/** Why a change was refused. */
export type Refusal =
  | { readonly subject: string; readonly what: 'bytes' | 'files'; readonly limit: number; readonly used: number; readonly isStale: boolean }
  | { readonly subject: string; readonly what: 'uncounted' }

export type QuotaStore = ReturnType<typeof createQuotaStore>

/** Quotas and their open changes. Every method that writes is one transaction, and writers take turns, also among servers. */
export function createQuotaStore(db: Kysely<Schema>) {
  async function refusalOf(trx: Kysely<Schema>, id: string, part: Part): Promise<Refusal | null> {
    const { subject, bytes, files } = part
    const quota = await find(trx, subject)
    if (quota === null || (bytes <= 0 && files <= 0)) return null
    const { used, isStale, maxBytes, maxFiles } = quota
    if (used === null) return { subject, what: 'uncounted' }
    const reserved = await reservedOf(trx, subject, id)
    const all = { bytes: used.bytes + reserved.bytes, files: used.files + reserved.files }
    if (maxBytes !== null && bytes > 0 && all.bytes + bytes > maxBytes)
      return { subject, what: 'bytes', limit: maxBytes, used: all.bytes, isStale }
    if (maxFiles !== null && files > 0 && all.files + files > maxFiles)
      return { subject, what: 'files', limit: maxFiles, used: all.files, isStale }
    return null
  }

  return {
    find: (subject: string): Promise<StoredQuota | null> => find(db, subject),

    async all(): Promise<StoredQuota[]> {
      return (await db.selectFrom('quotas').selectAll().orderBy('subject').execute()).map(fromRow)
    },

    /** It counts other folders now, and has to be counted anew. */
    async follow(subject: string, folders: string): Promise<void> {
      await db
        .updateTable('quotas')
        .set({ folders, used_bytes: null, used_files: null, stale: 1, changes: sql`changes + 1` })
        .where('subject', '=', subject)
        .where('folders', '!=', folders)
        .execute()
    },

    /** What is reserved, without what is reserved for an upload that has ended. */
    reserved: (subject: string): Promise<Amount> => reservedOf(db, subject, ''),

    /** Limits for a subject; without any, the quota is removed. A new one has to be counted. */
    async set(subject: string, { maxBytes, maxFiles }: QuotaLimits): Promise<void> {
      await inTransaction(db, async (trx) => {
        if (maxBytes === null && maxFiles === null) {
          await trx.deleteFrom('quotas').where('subject', '=', subject).execute()
          await trx.deleteFrom('quota_changes').where('subject', '=', subject).execute()
          return
        }
        const limits = { max_bytes: maxBytes, max_files: maxFiles }
        await trx
          .insertInto('quotas')
          .values({ subject, ...limits, used_bytes: null, used_files: null, changes: 0, folders: '', stale: 1, counted_at: null })
          .onConflict((conflict) => conflict.column('subject').doUpdateSet(limits))
          .execute()
      })
    },

    /** Reserves what a change needs, instead of what was reserved under this id before. @returns why it does not; then nothing has changed */
    async open(id: string, parts: readonly Part[], { lease, isPublishing, from }: OpenOptions): Promise<Refusal | null> {
      return unlessRefused(
        inTransaction(db, async (trx) => {
          if (from !== undefined) await take(trx, { from, id, parts })
          for (const part of parts) {
            const refusal = part.isLimited ? await refusalOf(trx, id, part) : null
            if (refusal !== null) throw new Refused(refusal)
          }
          await trx.deleteFrom('quota_changes').where('id', '=', id).execute()
          const rows = parts.map(({ subject, bytes, files }) => ({
            id,
            subject,
            bytes: Math.max(0, bytes),
            files: Math.max(0, files),
            publishing: Number(isPublishing),
            server: lease?.server ?? '',
            until: lease?.until ?? 0,
          }))
          if (rows.length > 0) await trx.insertInto('quota_changes').values(rows).execute()
        }),
      )
    },

    /** What a change has added, in place of what it reserved. */
    async settle(id: string, parts: readonly Part[]): Promise<void> {
      await inTransaction(db, async (trx) => {
        for (const { subject, bytes, files, isCounted } of parts) {
          if (!isCounted) continue
          await trx
            .updateTable('quotas')
            .set({ used_bytes: sql`used_bytes + ${bytes}`, used_files: sql`used_files + ${files}`, changes: sql`changes + 1` })
            .where('subject', '=', subject)
            .execute()
        }
        await trx.deleteFrom('quota_changes').where('id', '=', id).execute()
      })
    },

    async release(id: string): Promise<void> {
      await db.deleteFrom('quota_changes').where('id', '=', id).execute()
    },

    /** An upload waits again, and what it reserved stays. */
    async wait(id: string): Promise<void> {
      await db.updateTable('quota_changes').set({ publishing: 0, server: '', until: 0 }).where('id', '=', id).execute()
    },

    async renew(server: string, until: number): Promise<void> {
      await db.updateTable('quota_changes').set({ until }).where('server', '=', server).execute()
    },

    async markStale(subjects: readonly string[]): Promise<void> {
      if (subjects.length === 0) return
      await db
        .updateTable('quotas')
        .set({ stale: 1, changes: sql`changes + 1` })
        .where('subject', 'in', subjects)
        .execute()
    },

    /**
     * A count of everything in its folders, begun when the quota had this number of `changes`.
     * @returns false if something changed meanwhile, or was being changed: nothing is written
     */
    async counted(subject: string, sum: Amount, { changes, at }: { changes: number; at: number }): Promise<boolean> {
      return inTransaction(db, async (trx) => {
        const now = await find(trx, subject)
        if (now === null) return true
        const open = trx.selectFrom('quota_changes').select('id').where('subject', '=', subject).where('publishing', '=', 1)
        if (now.changes !== changes || (await open.executeTakeFirst()) !== undefined) return false
        await trx
          .updateTable('quotas')
          .set({ used_bytes: sum.bytes, used_files: sum.files, stale: 0, counted_at: at })
          .where('subject', '=', subject)
          .execute()
        return true
      })
    },

    /** A count while other things changed: until the next one nothing less counts than what was known. */
    async estimated(subject: string, sum: Amount): Promise<void> {
      await inTransaction(db, async (trx) => {
        const now = await find(trx, subject)
        if (now === null) return
        const used = { bytes: Math.max(sum.bytes, now.used?.bytes ?? 0), files: Math.max(sum.files, now.used?.files ?? 0) }
        await trx
          .updateTable('quotas')
          .set({ used_bytes: used.bytes, used_files: used.files, stale: 1 })
          .where('subject', '=', subject)
          .execute()
      })
    },

    /** Forgets the changes of servers that died, and of uploads that have ended. What they changed has to be counted. */
    async forgetDead(now: number): Promise<void> {
      await inTransaction(db, async (trx) => {
        const dead = () => trx.selectFrom('quota_changes').where('server', '!=', '').where('until', '<', now)
        const rows = await dead().select('subject').distinct().execute()
        const subjects = rows.map(({ subject }) => subject)
        if (subjects.length > 0)
          await trx
            .updateTable('quotas')
            .set({ stale: 1, changes: sql`changes + 1` })
            .where('subject', 'in', subjects)
            .execute()
        await trx.deleteFrom('quota_changes').where('server', '!=', '').where('until', '<', now).execute()
        await trx
          .deleteFrom('quota_changes')
          .where('server', '=', '')
          .where('id', 'not in', (of) => of.selectFrom('uploads').select('uploads.id').where('lease', 'is distinct from', 'finished'))
          .execute()
      })
    },

    /** Empty if there is none. */
    async groupName(id: number): Promise<string> {
      return (await db.selectFrom('groups').select('name').where('id', '=', id).executeTakeFirst())?.name ?? ''
    },

    /** The name of an account or a group, empty for everybody; null if there is none. */
    async nameOf({ kind, id }: Subject): Promise<string | null> {
      if (kind === 'everybody') return ''
      const row =
        kind === 'group'
          ? await db.selectFrom('groups').select('name').where('id', '=', id).executeTakeFirst()
          : await db.selectFrom('users').select('username as name').where('id', '=', id).executeTakeFirst()
      return row?.name ?? null
    },

    /** What is needed to know whom a quota concerns: the folders of the accounts with one, and of the members of groups with one. */
    async scopes(): Promise<{ subject: string; userId: number; scope: string }[]> {
      const users = await db
        .selectFrom('quotas')
        .innerJoin('users', (join) => join.on(sql`'user ' || users.id`, '=', sql.ref('quotas.subject')))
        .select(['quotas.subject', 'users.id as userId', 'users.scope'])
        .execute()
      const members = await db
        .selectFrom('quotas')
        .innerJoin('memberships', (join) => join.on(sql`'group ' || memberships.group_id`, '=', sql.ref('quotas.subject')))
        .innerJoin('users', 'users.id', 'memberships.user_id')
        .select(['quotas.subject', 'users.id as userId', 'users.scope'])
        .execute()
      return [...users, ...members]
    },
  }
}

async function find(db: Kysely<Schema>, subject: string): Promise<StoredQuota | null> {
  const row = await db.selectFrom('quotas').selectAll().where('subject', '=', subject).executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

/** What an upload reserves ends with the upload. */
async function reservedOf(db: Kysely<Schema>, subject: string, without: string): Promise<Amount> {
  const { bytes, files } = await db
    .selectFrom('quota_changes')
    .select((of) => [of.fn.sum<number | null>('bytes').as('bytes'), of.fn.sum<number | null>('files').as('files')])
    .where('subject', '=', subject)
    .where('id', '!=', without)
    .where((of) =>
      of.or([
        of('server', '!=', ''),
        of.exists(
          of
            .selectFrom('uploads')
            .select('uploads.id')
            .whereRef('uploads.id', '=', 'quota_changes.id')
            .where('uploads.lease', 'is distinct from', 'finished'),
        ),
      ]),
    )
    .executeTakeFirstOrThrow()
  return { bytes: bytes ?? 0, files: files ?? 0 }
}

/** What a change reserves more than before is taken from another reservation, as far as that has it. */
async function take(trx: Kysely<Schema>, { from, id, parts }: { from: string; id: string; parts: readonly Part[] }): Promise<void> {
  const rows = await trx.selectFrom('quota_changes').select(['subject', 'bytes', 'files']).where('id', '=', id).execute()
  const before = new Map(rows.map((row) => [row.subject, row]))
  for (const { subject, bytes, files } of parts) {
    const less = Math.max(0, bytes - (before.get(subject)?.bytes ?? 0))
    const fewer = Math.max(0, files - (before.get(subject)?.files ?? 0))
    await trx
      .updateTable('quota_changes')
      .set({
        bytes: sql`case when bytes > ${less} then bytes - ${less} else 0 end`,
        files: sql`case when files > ${fewer} then files - ${fewer} else 0 end`,
      })
      .where('id', '=', from)
      .where('subject', '=', subject)
      .execute()
  }
}

/** Rolls a transaction back. */
class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super('refused')
    this.refusal = refusal
  }
}

async function unlessRefused(work: Promise<void>): Promise<Refusal | null> {
  try {
    await work
    return null
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
}

function fromRow(row: Schema['quotas']): StoredQuota {
  const { subject, max_bytes: maxBytes, max_files: maxFiles, used_bytes: bytes, used_files: files, changes } = row
  const used = bytes === null || files === null ? null : { bytes, files }
  return { subject, maxBytes, maxFiles, used, changes, folders: row.folders, isStale: row.stale === 1, countedAt: row.counted_at }
}

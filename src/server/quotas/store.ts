import { type Kysely, type Selectable, sql } from 'kysely'
import type { Subject } from '../../shared/contract/groups.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { inTransaction } from '../db/database.ts'
import type { QuotasTable } from '../db/quota-tables.ts'
import type { Schema } from '../db/schema.ts'
import { openChanges, reservations } from './reservations.ts'

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
  /** The level that was told, in percent. */
  readonly told: number
}

/** A quota, and what is reserved of it. */
export interface Holding {
  readonly quota: StoredQuota
  readonly reserved: Amount
}

/** What a change adds to one quota. */
export interface Part extends Amount {
  readonly subject: string
  /** Whether it is refused if there is no room. */
  readonly isLimited: boolean
  /** Whether the person who is refused does not learn the numbers. */
  readonly isHidden: boolean
  /** Whether it is counted when it is settled. */
  readonly isCounted: boolean
}

/** A file that a change replaces: as long as nothing else is going to replace it, only what is added to it needs room. */
export interface Replaced extends Amount {
  readonly path: FilePath
}

export interface OpenChange {
  readonly id: string
  readonly parts: readonly Part[]
  /** The server that is at work, and how long it may be silent; null for an upload that waits for bytes. */
  readonly lease: { readonly server: string; readonly until: number } | null
  readonly isPublishing: boolean
  /** Another reservation from which it takes what it needs. */
  readonly from?: string | undefined
  readonly replaces?: Replaced | undefined
  /** Nothing is reserved. */
  readonly onlyChecks?: boolean
}

/** Why a change was refused. */
export type Refusal =
  | { readonly subject: string; readonly what: 'bytes' | 'files'; readonly limit: number; readonly used: number; readonly isStale: boolean }
  | { readonly subject: string; readonly what: 'uncounted' }

export type QuotaStore = ReturnType<typeof createQuotaStore>

/** Quotas and their open changes. Every method that writes is one transaction, and writers take turns, also among servers. */
export function createQuotaStore(db: Kysely<Schema>) {
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

    /** All, or these, with what is reserved, both of one moment: what is settled is in one of them. */
    async holding(subjects?: readonly string[]): Promise<Holding[]> {
      return inTransaction(db, async (trx) => {
        const quotas = trx.selectFrom('quotas').selectAll().orderBy('subject')
        const rows = await (subjects === undefined ? quotas : quotas.where('subject', 'in', subjects)).execute()
        const reserved = new Map((await reservations(trx).execute()).map((row) => [row.subject, row]))
        return rows.map((row) => {
          const { bytes, files } = reserved.get(row.subject) ?? NOTHING
          return { quota: fromRow(row), reserved: { bytes, files } }
        })
      })
    },

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

    /**
     * Reserves what changes need, each instead of what was reserved under its id before, in their order.
     * @returns for each why it does not, or null; what was refused has changed nothing
     */
    async open(changes: readonly OpenChange[]): Promise<(Refusal | null)[]> {
      return inTransaction(db, async (trx) => {
        const refusals: (Refusal | null)[] = []
        for (const change of changes) refusals.push(await openOne(trx, change))
        return refusals
      })
    },

    /** What changes have added, in place of what they reserved; and what others reserved that changed nothing. */
    async settle(changes: readonly { readonly id: string; readonly parts: readonly Part[] }[]): Promise<void> {
      const sums = new Map<string, Amount & { changes: number }>()
      for (const { subject, bytes, files } of changes.flatMap(({ parts }) => parts.filter(({ isCounted }) => isCounted))) {
        const sum = sums.get(subject) ?? { bytes: 0, files: 0, changes: 0 }
        sums.set(subject, { bytes: sum.bytes + bytes, files: sum.files + files, changes: sum.changes + 1 })
      }
      const ids = changes.map(({ id }) => id)
      await inTransaction(db, async (trx) => {
        for (const [subject, sum] of sums)
          await trx
            .updateTable('quotas')
            .set({
              used_bytes: sql`used_bytes + ${sum.bytes}`,
              used_files: sql`used_files + ${sum.files}`,
              changes: sql`changes + ${sum.changes}`,
            })
            .where('subject', '=', subject)
            .execute()
        await trx.deleteFrom('quota_changes').where('id', 'in', ids).execute()
      })
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

async function reservedOf(db: Kysely<Schema>, subject: string, without: string): Promise<Amount> {
  const row = await reservations(db).where('subject', '=', subject).where('id', '!=', without).executeTakeFirst()
  return row === undefined ? NOTHING : { bytes: row.bytes, files: row.files }
}

async function openOne(trx: Kysely<Schema>, change: OpenChange): Promise<Refusal | null> {
  const { id, lease, isPublishing, from, replaces, onlyChecks = false } = change
  const freed = replaces === undefined ? null : await freedBy(trx, { ...change, replaces })
  const parts = change.parts.map((part) => {
    const { bytes, files } = freed?.get(part.subject) ?? NOTHING
    return { ...part, bytes: part.bytes - bytes, files: part.files - files }
  })
  // What a change reserves more than before is taken from the other reservation, as far as that has it.
  const taken = from === undefined ? null : await takenFrom(trx, { from, id, parts })
  for (const part of parts) {
    const refusal = part.isLimited ? await refusalOf(trx, id, part, taken?.get(part.subject) ?? NOTHING) : null
    if (refusal !== null) return refusal
  }
  if (onlyChecks) return null
  for (const [subject, { bytes, files }] of taken ?? [])
    await trx
      .updateTable('quota_changes')
      .set({ bytes: sql`bytes - ${bytes}`, files: sql`files - ${files}` })
      .where('id', '=', from ?? '')
      .where('subject', '=', subject)
      .execute()
  await trx.deleteFrom('quota_changes').where('id', '=', id).execute()
  const rows = parts.map(({ subject, bytes, files }) => ({
    id,
    subject,
    bytes: Math.max(0, bytes),
    files: Math.max(0, files),
    publishing: Number(isPublishing),
    server: lease?.server ?? '',
    until: lease?.until ?? 0,
    replaces: freed === null || replaces === undefined ? '' : JSON.stringify(replaces.path),
    freed_bytes: freed?.get(subject)?.bytes ?? 0,
  }))
  if (rows.length > 0) await trx.insertInto('quota_changes').values(rows).execute()
  return null
}

/**
 * What a change needs less because it replaces a file; null if that is counted for another change. All together never count more than what there
 * is: the replaced file may be renamed, replaced or deleted before the change is made.
 */
async function freedBy(
  trx: Kysely<Schema>,
  { id, parts, replaces }: OpenChange & { readonly replaces: Replaced },
): Promise<Map<string, Amount> | null> {
  const others = () => openChanges(trx).where('quota_changes.id', '!=', id)
  const claim = await others().select('quota_changes.id').where('replaces', '=', JSON.stringify(replaces.path)).limit(1).executeTakeFirst()
  if (claim !== undefined) return null
  const freed = new Map<string, Amount>()
  for (const { subject, bytes } of parts) {
    const used = (await find(trx, subject))?.used?.bytes ?? 0
    const sums = others().select((of) => [
      of.fn.sum<number | null>('bytes').as('bytes'),
      of.fn.sum<number | null>('freed_bytes').as('freed'),
    ])
    const ofSubject = sums.where('subject', '=', subject)
    const [all, published] = [await ofSubject.executeTakeFirst(), await ofSubject.where('publishing', '=', 1).executeTakeFirst()]
    const present = used + (published?.bytes ?? 0) - (all?.freed ?? 0)
    freed.set(subject, { bytes: Math.max(0, Math.min(replaces.bytes, bytes, present)), files: replaces.files })
  }
  return freed
}

async function refusalOf(trx: Kysely<Schema>, id: string, part: Part, taken: Amount): Promise<Refusal | null> {
  const { subject, bytes, files } = part
  const quota = await find(trx, subject)
  if (quota === null || (bytes <= 0 && files <= 0)) return null
  const { used, isStale, maxBytes, maxFiles } = quota
  if (used === null) return { subject, what: 'uncounted' }
  const reserved = await reservedOf(trx, subject, id)
  const all = { bytes: used.bytes + reserved.bytes - taken.bytes, files: used.files + reserved.files - taken.files }
  if (maxBytes !== null && bytes > 0 && all.bytes + bytes > maxBytes)
    return { subject, what: 'bytes', limit: maxBytes, used: all.bytes, isStale }
  if (maxFiles !== null && files > 0 && all.files + files > maxFiles)
    return { subject, what: 'files', limit: maxFiles, used: all.files, isStale }
  return null
}

async function takenFrom(
  trx: Kysely<Schema>,
  { from, id, parts }: { from: string; id: string; parts: readonly Part[] },
): Promise<Map<string, Amount>> {
  const rows = await trx.selectFrom('quota_changes').select(['id', 'subject', 'bytes', 'files']).where('id', 'in', [from, id]).execute()
  const amountIn = (of: string, subject: string): Amount => rows.find((row) => row.id === of && row.subject === subject) ?? NOTHING
  return new Map(
    parts.map(({ subject, bytes, files }) => {
      const [before, there] = [amountIn(id, subject), amountIn(from, subject)]
      const taken = (need: number, had: number, most: number): number => Math.min(most, Math.max(0, need - had))
      return [subject, { bytes: taken(bytes, before.bytes, there.bytes), files: taken(files, before.files, there.files) }]
    }),
  )
}

function fromRow(row: Selectable<QuotasTable>): StoredQuota {
  const { subject, max_bytes: maxBytes, max_files: maxFiles, used_bytes: bytes, used_files: files, changes } = row
  const used = bytes === null || files === null ? null : { bytes, files }
  return {
    subject,
    maxBytes,
    maxFiles,
    used,
    changes,
    folders: row.folders,
    isStale: row.stale === 1,
    countedAt: row.counted_at,
    told: row.told,
  }
}

import { type Kysely, sql, type SqlBool } from 'kysely'
import { type FilePath, parentOf, ROOT } from '../../shared/file-path.ts'
import { inTransaction } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import type { OperationKind } from '../../shared/contract/operations.ts'
import { fromRow, type JournalEntry, type OperationState, toRow } from './operation-row.ts'
import { createOpenEntries, type OpenEntries } from './open-entries.ts'
import { fromStored, searchable, toStored } from './stored-path.ts'

/**
 * The memory of what was done to nodes. An entry is written before the disk is touched and settled afterwards, so that after a crash the disk can be
 * asked what became of it.
 */
export type Journal = ReturnType<typeof createJournal>

/** Deletions that can be restored: all that match, of all users if none is named. */
export interface DeletionFilter {
  readonly userId?: number | undefined
  /** Storage path of the folder in which they were. */
  readonly parent?: FilePath | undefined
  /** Part of the name, case-insensitive. */
  readonly text?: string | undefined
}

/** Rows that one statement looks at before others are let in: some ten milliseconds. */
const SEARCHED_AT_ONCE = 5000
/** A statement may have 32,766 values on SQLite. */
const IDS_AT_ONCE = 1000
const CHANGED_AT_ONCE = 1000
const READ_AT_ONCE = 200

// Databases use a partial index only for conditions that they can read in the query itself.
const IS_DELETION = sql<SqlBool>`kind = 'delete'`
const IS_NO_DELETION = sql<SqlBool>`kind <> 'delete'`
const IS_UNSETTLED = sql<SqlBool>`state = 'intended'`

export interface JournalOptions {
  readonly db: Kysely<Schema>
  readonly open?: OpenEntries
  /** Resolves when everything that this server has done is written. */
  readonly settled?: () => Promise<void>
}

export function createJournal({ db, open = createOpenEntries({ db }), settled = async () => undefined }: JournalOptions) {
  function deletions({ userId, parent }: DeletionFilter, after: string | null) {
    let query = db.selectFrom('operations').where(IS_DELETION).where('state', '=', 'done')
    if (userId !== undefined) query = query.where('user_id', '=', userId)
    if (parent !== undefined) query = query.where('parent', '=', toStored(parent))
    if (after !== null) query = query.where('id', '<', after)
    return query.orderBy('id', 'desc')
  }

  /** Entries of deleted accounts become nobody's: a later account may get the same number. */
  async function disown(): Promise<void> {
    for (let last = 0; ;) {
      const next = await db
        .selectFrom('operations')
        .select('user_id')
        .where('user_id', '>', last)
        .orderBy('user_id')
        .limit(1)
        .executeTakeFirst()
      if (next === undefined) return
      last = next.user_id
      const owner = await db.selectFrom('users').select('id').where('id', '=', last).executeTakeFirst()
      if (owner === undefined) await db.updateTable('operations').set({ user_id: 0 }).where('user_id', '=', last).execute()
    }
  }

  /** The volumes that hold, or held, what was deleted. */
  async function volumes(): Promise<FilePath[]> {
    const found: FilePath[] = []
    for (let last = ''; ;) {
      const next = await db
        .selectFrom('operations')
        .select('kept_volume as volume')
        .where(IS_DELETION)
        .where('kept_volume', '>', last)
        .orderBy('kept_volume')
        .limit(1)
        .executeTakeFirst()
      if (next === undefined || next.volume === null) return found
      last = next.volume
      found.push(fromStored(last))
    }
  }

  /** In steps, between which others are let in. @param volume as stored */
  async function bytesOn(volume: string): Promise<{ bytes: number; holders: Map<number, number> }> {
    let bytes = 0
    const holders = new Map<number, number>()
    for (let last = { at: 0, id: '' }; ;) {
      const rest = db
        .selectFrom('operations')
        .where('kept_volume', '=', volume)
        .where(IS_DELETION)
        .where('state', '=', 'done')
        .where('at', '>=', last.at)
        .where((eb) => eb.or([eb('at', '>', last.at), eb('id', '>', last.id)]))
      const end = await rest.select(['at', 'id']).orderBy('at').orderBy('id').offset(SEARCHED_AT_ONCE).limit(1).executeTakeFirst()
      const step =
        end === undefined ? rest : rest.where('at', '<=', end.at).where((eb) => eb.or([eb('at', '<', end.at), eb('id', '<=', end.id)]))
      const sums = step.select(({ fn }) => ['user_id as holder', fn.sum<number | null>('size').as('sum')]).groupBy('user_id')
      for (const { holder, sum } of await sums.execute()) {
        bytes += sum ?? 0
        holders.set(holder, (holders.get(holder) ?? 0) + (sum ?? 0))
      }
      if (end === undefined) return { bytes, holders }
      last = end
      await new Promise<void>((resolve) => void setImmediate(resolve))
    }
  }

  return {
    settled,

    async begin(entry: JournalEntry): Promise<void> {
      await db.insertInto('operations').values(toRow(entry)).execute()
    },

    /** @returns false if it is in none of the states `from` (any more): nothing was changed */
    async change(
      id: string,
      { from, to, size }: { from: readonly OperationState[]; to: OperationState; size?: number | null },
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('operations')
        .set({ state: to, ...(size !== undefined && { size }) })
        .where('id', '=', id)
        .where('state', 'in', from)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Begins to restore a deletion. @returns false if it cannot be restored (any more), or somebody else is about to */
    async beginRestore(id: string, restore: JournalEntry): Promise<boolean> {
      return inTransaction(db, async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('operations')
          .set({ state: 'restoring' })
          .where('id', '=', id)
          .where('kind', '=', 'delete')
          .where('state', '=', 'done')
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) return false
        await trx.insertInto('operations').values(toRow(restore)).execute()
        return true
      })
    },

    /** Settles a deletion that was being restored, and the entry of its restoration. */
    async endRestore(id: string, { restored }: { restored: boolean }): Promise<void> {
      await inTransaction(db, async (trx) => {
        const settle = (kind: OperationKind, from: OperationState, to: OperationState) =>
          trx
            .updateTable('operations')
            .set({ state: to })
            .where('kept_id', '=', id)
            .where('kind', '=', kind)
            .where('state', '=', from)
            .execute()
        await settle('delete', 'restoring', restored ? 'undone' : 'done')
        await settle('restore', 'intended', restored ? 'done' : 'failed')
      })
    },

    /** The last attempt to restore a deletion that has not failed; null if there is none. */
    async restoration(id: string): Promise<JournalEntry | null> {
      const row = await db
        .selectFrom('operations')
        .selectAll()
        .where('kept_id', '=', id)
        .where('kind', '=', 'restore')
        .where('state', 'in', ['intended', 'done'])
        .orderBy('id', 'desc')
        .executeTakeFirst()
      return row === undefined ? null : fromRow(row)
    },

    async find(id: string): Promise<JournalEntry | null> {
      const row = await db.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : fromRow(row)
    },

    /** Of these ids, those that are known, whatever their kind and state. */
    async known(ids: readonly string[]): Promise<JournalEntry[]> {
      const found: JournalEntry[] = []
      for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
        const some = ids.slice(at, at + IDS_AT_ONCE)
        found.push(...(await db.selectFrom('operations').selectAll().where('id', 'in', some).execute()).map(fromRow))
      }
      return found
    },

    /** The oldest first. */
    async ofGroup(group: string): Promise<JournalEntry[]> {
      await settled()
      return (await db.selectFrom('operations').selectAll().where('group_id', '=', group).orderBy('id').execute()).map(fromRow)
    },

    /** The last operation whose node was at a path afterwards, or before if it was deleted; null if there is none. */
    async lastAt(path: FilePath): Promise<JournalEntry | null> {
      await settled()
      const row = await db
        .selectFrom('operations')
        .selectAll()
        .where('path', '=', toStored(path))
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row === undefined ? null : fromRow(row)
    },

    /** Whether a gesture is somebody else's. */
    async isForeign(group: string, userId: number): Promise<boolean> {
      // All of its operations are of one person, so any will do: a gesture may have thousands.
      const row = await db.selectFrom('operations').select('user_id').where('group_id', '=', group).limit(1).executeTakeFirst()
      const owner = row?.user_id ?? (await open.userOf(group))
      return owner !== null && owner !== userId
    },

    /**
     * The newest first, from `after` on (exclusive). It may have looked at only a part of the entries.
     * @returns `next`: where to continue; null if there are no more
     */
    async deletions(
      filter: DeletionFilter,
      { after, limit }: { after: string | null; limit: number },
    ): Promise<{ entries: JournalEntry[]; next: string | null }> {
      const { text = '' } = filter
      let query = deletions(filter, after)
      if (text === '') {
        const entries = (await query.selectAll().limit(limit).execute()).map(fromRow)
        return { entries, next: entries.length < limit ? null : (entries.at(-1)?.id ?? null) }
      }
      const last = await query.select('id').offset(SEARCHED_AT_ONCE).limit(1).executeTakeFirst()
      if (last !== undefined) query = query.where('id', '>=', last.id)
      const found = await query.selectAll().where(holds(text)).limit(limit).execute()
      const entries = found.map(fromRow)
      return { entries, next: entries.length < limit ? (last?.id ?? null) : (entries.at(-1)?.id ?? null) }
    },

    /** Deletions in a state, the oldest first, read on demand; each is visited once, whatever becomes of it meanwhile. */
    async *inState(
      state: OperationState,
      {
        until = Infinity,
        volume,
        userId,
        uncounted = false,
      }: { until?: number; volume?: FilePath; userId?: number; uncounted?: boolean } = {},
    ): AsyncGenerator<JournalEntry, void> {
      for (let last = { at: -Infinity, id: '' }; ;) {
        let query = db.selectFrom('operations').selectAll().where(IS_DELETION).where('state', '=', state)
        const { at, id } = last
        if (id !== '') query = query.where('at', '>=', at).where((eb) => eb.or([eb('at', '>', at), eb('id', '>', id)]))
        if (until !== Infinity) query = query.where('at', '<=', until)
        if (volume !== undefined) query = query.where('kept_volume', '=', toStored(volume))
        if (userId !== undefined) query = query.where('user_id', '=', userId)
        if (uncounted) query = query.where('size', 'is', null)
        const entries = (await query.orderBy('at').orderBy('id').limit(READ_AT_ONCE).execute()).map(fromRow)
        yield* entries
        if (entries.length < READ_AT_ONCE) return
        last = entries.at(-1) ?? last
      }
    },

    /** Bytes that deletions keep on each volume, as far as they are counted, and those of each person. */
    async keptBytes(): Promise<{ volume: FilePath; bytes: number; holders: ReadonlyMap<number, number> }[]> {
      const found: { volume: FilePath; bytes: number; holders: ReadonlyMap<number, number> }[] = []
      for (const volume of await volumes()) {
        const sum = await bytesOn(toStored(volume))
        if (sum.holders.size > 0) found.push({ volume, ...sum })
      }
      return found
    },

    volumes,

    async setSize(id: string, size: number): Promise<void> {
      await db.updateTable('operations').set({ size }).where('id', '=', id).execute()
    },

    /** Removes what has been settled long ago, except deletions that can be undone, and makes the entries of deleted accounts nobody's. */
    async sweep({ until }: { until: number }): Promise<void> {
      for (const state of ['failed', 'undone', 'purged'] as const) await removeOld(IS_DELETION, state)
      for (const state of ['failed', 'undone', 'done'] as const) await removeOld(IS_NO_DELETION, state)
      await disown()

      async function removeOld(kind: typeof IS_DELETION, state: OperationState): Promise<void> {
        const old = db.selectFrom('operations').select('id').where(kind).where('state', '=', state).where('at', '<=', until).orderBy('at')
        for (;;) {
          const ids = (await old.limit(CHANGED_AT_ONCE).execute()).map(({ id }) => id)
          if (ids.length > 0) await db.deleteFrom('operations').where('id', 'in', ids).execute()
          if (ids.length < CHANGED_AT_ONCE) return
        }
      }
    },

    /** Changes that have begun, the oldest first, except of what the trash keeps. */
    async unsettled(): Promise<JournalEntry[]> {
      await settled()
      const rows = await db.selectFrom('operations').selectAll().where(IS_UNSETTLED).where('kept_id', 'is', null).orderBy('id').execute()
      return [...rows.map(fromRow), ...(await open.all())].toSorted(byId)
    },

    /**
     * What was done later than an operation and may concern its node: not what only appeared, and nothing of `unsettled`. Deletions and restorations that
     * the trash has begun are told, too. The oldest first.
     */
    async after(id: string): Promise<JournalEntry[]> {
      const rows = await db
        .selectFrom('operations')
        .selectAll()
        .where('id', '>', id)
        .where('kind', 'in', ['move', 'delete', 'replace', 'restore'])
        .where((eb) => eb.or([eb('state', '<>', 'intended'), eb('kept_id', 'is not', null)]))
        .orderBy('id')
        .execute()
      return rows.map(fromRow)
    },

    /** Whether something new appeared at a path, or a folder above it, after an operation, and before another one. */
    async hasAppeared(path: FilePath, { after, before }: { after: string; before?: string }): Promise<boolean> {
      let query = db.selectFrom('operations').select('id').where('path', 'in', upFrom(path)).where('id', '>', after)
      if (before !== undefined) query = query.where('id', '<', before)
      const appeared = query.where('kind', 'in', ['create', 'copy']).where('state', 'not in', ['intended', 'failed'])
      return (await appeared.limit(1).executeTakeFirst()) !== undefined
    },

    /**
     * Whether what an operation may have made is of another one, which is settled: it was there already, or came there later, when the name was free.
     * @param entry its `identity` is the one that was found; empty if that is not known
     * @param options.until the operation by which the name became free again; null if it did not
     */
    async hasCome({ id, path, identity }: JournalEntry, { until }: { until: string | null }): Promise<boolean> {
      const earlier = db
        .selectFrom('operations')
        .select('id')
        .where('id', '<', id)
        .where('state', '<>', 'failed')
        .orderBy('id', 'desc')
        .limit(1)
      const places = upFrom(path)
      const removed = await earlier.where('kind', '=', 'delete').where('path', 'in', places).executeTakeFirst()
      const moved = await earlier.where('kind', '=', 'move').where('origin', 'in', places).executeTakeFirst()
      let others = db
        .selectFrom('operations')
        .select('id')
        .where('path', '=', toStored(path))
        .where('state', 'not in', ['intended', 'failed'])
      if (identity !== '') others = others.where('identity', '=', identity)
      const since = others
        .where('kind', '<>', 'delete')
        .where('id', '>', removed?.id ?? '')
        .where('id', '>', moved?.id ?? '')
      if ((await since.where('id', '<', id).limit(1).executeTakeFirst()) !== undefined) return true
      let later = others.where('kind', 'in', ['create', 'copy', 'move', 'restore']).where('version_id', 'is', null).where('id', '>', id)
      if (until !== null) later = later.where('id', '<', until)
      return (await later.limit(1).executeTakeFirst()) !== undefined
    },

    /** Writes what became of entries, unless it is known already. */
    async settle(entries: readonly JournalEntry[]): Promise<void> {
      for (const entry of entries) {
        if (await open.settleOne(entry)) continue
        const { id, state, identity, size, modified } = entry
        await db
          .updateTable('operations')
          .set({ state, identity, size, modified: modified === null ? null : Math.round(modified) })
          .where('id', '=', id)
          .where('state', '=', 'intended')
          .execute()
      }
    },
  }
}

/** As stored: a path, and the folders above it. */
function upFrom(path: FilePath): string[] {
  const paths: string[] = []
  for (let at = path; at !== ROOT; at = parentOf(at)) paths.push(toStored(at))
  return paths
}

/** The oldest first. */
function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1
}

/** No character in `part` is a wildcard. */
function holds(part: string) {
  const pattern = `%${searchable(part).replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  return sql<SqlBool>`name like ${pattern} escape '\\'`
}

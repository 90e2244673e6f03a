import { type Kysely, sql } from 'kysely'
import type { FilePath } from '../../shared/file-path.ts'
import type { Schema } from '../db/schema.ts'
import { fromRow, type JournalEntry } from '../journal/operation-row.ts'
import { toStored } from '../journal/stored-path.ts'
import { isAtOrBelow, isBelow } from './path-conditions.ts'

/** The journal as undo, redo and history read it. Only of operations that have happened, whether or not they were taken back. */
export type Rows = ReturnType<typeof createRows>

/** A statement may have 32,766 values on SQLite. */
const IDS_AT_ONCE = 1000

/** The groups of a user are read in such numbers. */
const READ_AT_ONCE = 500
/** Rows that one statement looks at before others are let in: some ten milliseconds. */
const SEARCHED_AT_ONCE = 5000
/** Ids and times of one server are in the same order; those of two are so far as their clocks are. */
const CLOCK_STEP_MS = 60_000

export function createRows({ db, settled }: { db: Kysely<Schema>; settled: () => Promise<void> }) {
  const happened = () => db.selectFrom('operations').where('state', 'not in', ['intended', 'failed'])

  /** The id of an operation that is not after a moment, and not long before; empty if there is none. */
  async function lastBefore(moment: number): Promise<string> {
    let last = ''
    // Each half has an index of its own, for which the condition must be written out.
    for (const half of [sql<boolean>`kind = 'delete'`, sql<boolean>`kind <> 'delete'`]) {
      for (const state of ['done', 'undone', 'purged'] as const) {
        const row = await db
          .selectFrom('operations')
          .select('id')
          .where(half)
          .where('state', '=', state)
          .where('at', '<=', moment)
          .orderBy('at', 'desc')
          .limit(1)
          .executeTakeFirst()
        if (row !== undefined && row.id > last) last = row.id
      }
    }
    return last
  }

  return {
    /** Resolves when everything that this server has done is written: awaited once before anything is read. */
    settled,

    /** The oldest first, at most `limit` of them. */
    async ofGroup(group: string, { limit = Infinity }: { limit?: number } = {}): Promise<JournalEntry[]> {
      let query = happened().selectAll().where('group_id', '=', group).orderBy('id')
      if (limit !== Infinity) query = query.limit(limit)
      return (await query.execute()).map(fromRow)
    },

    /** What took these operations back, whole or in part, the oldest first. */
    async reverting(ids: readonly string[]): Promise<JournalEntry[]> {
      const found: JournalEntry[] = []
      for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
        const some = ids.slice(at, at + IDS_AT_ONCE)
        found.push(...(await happened().selectAll().where('reverts', 'in', some).orderBy('id').execute()).map(fromRow))
      }
      return found
    },

    async find(id: string): Promise<JournalEntry | null> {
      const row = await happened().selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : fromRow(row)
    },

    /** The last gestures of a user, the newest first. */
    async groupsOf(userId: number, { limit }: { limit: number }): Promise<string[]> {
      const groups = new Set<string>()
      let last: string | null = null
      for (let newest: string | null = null; groups.size < limit;) {
        let query = db.selectFrom('operations').select(['id', 'group_id']).where('user_id', '=', userId)
        if (newest !== null) query = query.where('id', '<', newest)
        // A gesture may have thousands of operations, and these are read past.
        if (last !== null) query = query.where('group_id', '<>', last)
        const rows: { id: string; group_id: string }[] = await query.orderBy('id', 'desc').limit(READ_AT_ONCE).execute()
        for (const row of rows) if (groups.size < limit) groups.add(row.group_id)
        const end = rows.at(-1)
        if (end === undefined || rows.length < READ_AT_ONCE) break
        newest = end.id
        last = end.group_id
      }
      return [...groups]
    },

    /** The last operation before another one by which a node came to a path. */
    async lastArrivalAt(path: FilePath, until: string | null): Promise<JournalEntry | null> {
      let query = happened().selectAll().where('path', '=', toStored(path)).where('kind', 'not in', ['replace', 'delete'])
      if (until !== null) query = query.where('id', '<', until)
      const row = await query.orderBy('id', 'desc').limit(1).executeTakeFirst()
      return row === undefined ? null : fromRow(row)
    },

    /**
     * What happened at or below a path, or moved away from there, after a moment: from one operation on (inclusive), until another one. The oldest first.
     * Others come in between.
     */
    async *atOrBelow(path: FilePath, { from, until, after }: { from: string | null; until: string | null; after: number }) {
      const here = isAtOrBelow(path)
      const start = await lastBefore(after - CLOCK_STEP_MS)
      for (let last = from !== null && from > start ? from : start, isFirst = true; ; isFirst = false) {
        let rest = happened().where('id', isFirst ? '>=' : '>', last)
        if (until !== null) rest = rest.where('id', '<', until)
        const end = await rest.select('id').orderBy('id').offset(SEARCHED_AT_ONCE).limit(1).executeTakeFirst()
        const some = end === undefined ? rest : rest.where('id', '<=', end.id)
        yield* (await some.selectAll().where('at', '>', after).where(here).orderBy('id').execute()).map(fromRow)
        if (end === undefined) return
        last = end.id
      }
    },

    /** When the first operation was that is still known; milliseconds since 1970. Null if there is none. */
    async firstAt(): Promise<number | null> {
      const row = await db.selectFrom('operations').select('at').orderBy('id').limit(1).executeTakeFirst()
      return row?.at ?? null
    },

    /** Whether something came into a folder, or was changed there, after an operation and was not taken back. */
    async isChangedBelow(path: FilePath, { since, isOther }: { since: string; isOther: (id: string) => boolean }): Promise<boolean> {
      for (let last = since; ;) {
        const some = await db
          .selectFrom('operations')
          .select(['id', 'kind'])
          .where(isBelow(path))
          .where('id', '>', last)
          .where('state', '=', 'done')
          .orderBy('id')
          .limit(READ_AT_ONCE)
          .execute()
        if (some.some(({ id, kind }) => kind !== 'delete' && isOther(id))) return true
        const end = some.at(-1)
        if (end === undefined || some.length < READ_AT_ONCE) return false
        last = end.id
      }
    },

    /** Operations that were taken back. */
    async markUndone(ids: readonly string[]): Promise<void> {
      for (let at = 0; at < ids.length; at += IDS_AT_ONCE)
        await db
          .updateTable('operations')
          .set({ state: 'undone' })
          .where('id', 'in', ids.slice(at, at + IDS_AT_ONCE))
          .where('state', '=', 'done')
          .execute()
    },
  }
}

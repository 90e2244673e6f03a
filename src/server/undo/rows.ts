import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import type { Schema } from '../db/schema.ts'
import { fromRow, type JournalEntry } from '../journal/operation-row.ts'
import { toStored } from '../journal/stored-path.ts'

/** The journal as undo, redo and history read it. Only of operations that have happened, whether or not they were taken back. */
export type Rows = ReturnType<typeof createRows>

/** Condition on a column with paths: strictly below a folder. A path that is not UTF-8 is stored as JSON. */
function isBelow(folder: FilePath, column = 'path'): RawBuilder<boolean> {
  if (folder === ROOT) return sql<boolean>`1 = 1`
  const start = `${toStored(folder).replace(/"$/, '')}/`
  const below = sql<boolean>`${sql.ref(column)} > ${start} and ${sql.ref(column)} < ${`${start.slice(0, -1)}0`}`
  if (!folder.isWellFormed()) return sql<boolean>`(${below})`
  // The folder's name can be read, but not all that is in it.
  const odd = `${JSON.stringify(folder).slice(0, -1)}/`
  return sql<boolean>`(${below} or (${sql.ref(column)} > ${odd} and ${sql.ref(column)} < ${`${odd.slice(0, -1)}0`}))`
}

/** A statement may have 32,766 values on SQLite. */
const IDS_AT_ONCE = 1000

/** The groups of a user are read in such numbers. */
const READ_AT_ONCE = 500

export function createRows({ db, settled }: { db: Kysely<Schema>; settled: () => Promise<void> }) {
  const happened = () => db.selectFrom('operations').where('state', 'not in', ['intended', 'failed'])

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

    /** The newest first, before the operation `before`. */
    async page({ before, limit }: { before: string | null; limit: number }): Promise<JournalEntry[]> {
      let query = happened().selectAll().orderBy('id', 'desc').limit(limit)
      if (before !== null) query = query.where('id', '<', before)
      return (await query.execute()).map(fromRow)
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

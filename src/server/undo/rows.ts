import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { fromRow, type JournalEntry } from '../journal/operation-row.ts'

/** The journal as undo, redo and history read it. Only of operations that have happened, whether or not they were taken back. */
export type Rows = ReturnType<typeof createRows>

/** A statement may have 32,766 values on SQLite. */
const IDS_AT_ONCE = 1000

/** The groups of a user are read in such numbers. */
const READ_AT_ONCE = 500

export function createRows({ db }: { db: Kysely<Schema> }) {
  const happened = () => db.selectFrom('operations').where('state', 'not in', ['intended', 'failed'])

  return {
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

import type { Kysely } from 'kysely'
import { inTransaction } from '../db/database.ts'
import { isShared } from '../db/database-kind.ts'
import type { Schema } from '../db/schema.ts'
import { inPostgres, inSqlite } from './open-statements.ts'
import { type JournalEntry, toRow } from './operation-row.ts'

/** A statement may have 32,766 values on SQLite. */
const IDS_AT_ONCE = 1000

/**
 * What has begun and need not be durable: creations, copies and replacements. A narrow table without indexes, because each of its rows is written while
 * somebody waits; when they are settled, many of them are written into `operations` together and removed here.
 */
export type OpenEntries = ReturnType<typeof createOpenEntries>

export function createOpenEntries({ db }: { db: Kysely<Schema> }) {
  const statements = isShared(db) ? inPostgres(db) : inSqlite(db)

  return {
    /** Survives the end of this process, but perhaps not a power failure. */
    async begin(entries: readonly JournalEntry[]): Promise<void> {
      await statements.begin(entries.map((entry) => [entry.id, entry.group, entry.by.id, JSON.stringify(entry)]))
    },

    /** Writes what became of entries. They may have been written before: then only what can change is, and nothing of what was taken back. */
    async settle(entries: readonly JournalEntry[]): Promise<void> {
      const begun = entries.filter(({ kind }) => isRelaxedKind(kind)).map(({ id }) => id)
      await statements.settle(entries.map(toRow), begun)
    },

    /** What a settled entry did is about to be continued: until it is settled anew, nobody knows what its file is. As durable as `begin`. */
    reopen: (id: string): Promise<void> => statements.reopen(id),

    /** The user of an entry of this gesture; null if none is open. */
    async userOf(group: string): Promise<number | null> {
      const row = await db.selectFrom('operations_open').select('user_id').where('group_id', '=', group).limit(1).executeTakeFirst()
      return row?.user_id ?? null
    },

    /** The oldest first. */
    async all(): Promise<JournalEntry[]> {
      const rows = await db.selectFrom('operations_open').select(['id', 'entry']).orderBy('id').execute()
      const settled = new Set<string>()
      for (let from = 0; from < rows.length; from += IDS_AT_ONCE) {
        const ids = rows.slice(from, from + IDS_AT_ONCE).map(({ id }) => id)
        for (const { id } of await db.selectFrom('operations').select('id').where('id', 'in', ids).execute()) settled.add(id)
      }
      // A server that died between settling an entry and removing it here left both: on PostgreSQL, or if an older version did.
      if (settled.size > 0) await statements.remove([...settled])
      // Written by `begin` only.
      return rows.filter(({ id }) => !settled.has(id)).map(({ entry }) => JSON.parse(entry) as JournalEntry)
    },

    /** Settles an entry unless it is settled already. @returns false if it is not open (any more) */
    async settleOne(entry: JournalEntry): Promise<boolean> {
      return inTransaction(db, async (trx) => {
        const { numDeletedRows } = await trx.deleteFrom('operations_open').where('id', '=', entry.id).executeTakeFirstOrThrow()
        if (numDeletedRows === 0n) return false
        await trx
          .insertInto('operations')
          .values(toRow(entry))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        return true
      })
    },
  }
}

/** Whether content can be looked for where it is: what has gone, or has another path, only the journal knows. */
export function isRelaxedKind(kind: JournalEntry['kind']): boolean {
  return kind === 'create' || kind === 'copy' || kind === 'replace'
}

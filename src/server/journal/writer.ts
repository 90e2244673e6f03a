import { CompiledQuery, type Kysely } from 'kysely'
import { isShared } from '../db/database-kind.ts'
import { relaxed } from '../db/relaxed.ts'
import type { Schema } from '../db/schema.ts'
import { type JournalEntry, toRow } from './operation-row.ts'

/** Writes entries of the journal in batches: those that begin at the same time are written together, and settled together soon afterwards. */
export type JournalWriter = ReturnType<typeof createJournalWriter>

/** A statement may have 32,766 values on SQLite. */
const AT_ONCE = 1000
const SETTLED_AFTER_MS = 500
/** Other servers read the same rows. */
const SETTLED_AFTER_MS_SHARED = 20

export function createJournalWriter({ db, log }: { db: Kysely<Schema>; log: (line: string) => void }) {
  let beginning: { entries: JournalEntry[]; written: Promise<void> } | null = null
  let settling = new Map<string, JournalEntry>()
  let timer: ReturnType<typeof setTimeout> | null = null
  let running: Promise<void> = Promise.resolve()

  async function inPieces(entries: readonly JournalEntry[], write: (db: Kysely<Schema>, rows: Row[]) => Promise<unknown>): Promise<void> {
    await relaxed(db, async (connection) => {
      for (let from = 0; from < entries.length; from += AT_ONCE) await write(connection, entries.slice(from, from + AT_ONCE).map(toRow))
    })
  }

  const insert = (entries: readonly JournalEntry[]): Promise<void> =>
    inPieces(entries, (connection, rows) =>
      isShared(db) ? connection.insertInto('operations').values(rows).execute() : connection.executeQuery(insertAll(rows)),
    )

  const settle = (entries: readonly JournalEntry[]): Promise<void> =>
    inPieces(entries, (connection, rows) =>
      isShared(db)
        ? connection
            .insertInto('operations')
            .values(rows)
            .onConflict((conflict) =>
              conflict
                .column('id')
                .doUpdateSet((eb) => ({
                  state: eb.ref('excluded.state'),
                  identity: eb.ref('excluded.identity'),
                  size: eb.ref('excluded.size'),
                  modified: eb.ref('excluded.modified'),
                }))
                .where('operations.state', 'in', ['intended', 'done']),
            )
            .execute()
        : connection.executeQuery(settleAll(rows)),
    )

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const some = settling
    settling = new Map()
    if (some.size === 0) return running
    running = running
      .then(() => settle([...some.values()]))
      .catch((error: unknown) => log(`journal: ${some.size} operations will be settled later: ${String(error)}`))
    return running
  }

  return {
    /** Survives the end of this process, but perhaps not a power failure. */
    async begin(entry: JournalEntry): Promise<void> {
      if (beginning === null) {
        const entries: JournalEntry[] = []
        const written = new Promise<void>((resolve) => void setImmediate(resolve)).then(() => {
          beginning = null
          return insert(entries)
        })
        beginning = { entries, written }
      }
      beginning.entries.push(entry)
      await beginning.written
    },

    /** What became of an entry, to be written soon; the last call for one counts. */
    settle(entry: JournalEntry): void {
      settling.set(entry.id, entry)
      if (settling.size >= AT_ONCE) void flush()
      else timer ??= setTimeout(() => void flush(), isShared(db) ? SETTLED_AFTER_MS_SHARED : SETTLED_AFTER_MS)
    },

    /** Resolves when everything that is settled is written. Does not fail: what cannot be written is settled by recovery. */
    flush,
  }
}

type Row = ReturnType<typeof toRow>

const COLUMNS = [
  'id',
  'group_id',
  'at',
  'user_id',
  'user_name',
  'via',
  'kind',
  'path',
  'origin',
  'name',
  'parent',
  'identity',
  'folder',
  'size',
  'modified',
  'version_id',
  'restored_id',
  'restored_mode',
  'restored_modified',
  'reverts',
  'state',
  'kept_volume',
  'kept_id',
] as const satisfies readonly (keyof Row)[]

const INSERT = `insert into operations (${COLUMNS.join(', ')}) select ${COLUMNS.map((_, n) => `value ->> ${n}`).join(', ')} from json_each(?)`

const SETTLE = `${INSERT} where true on conflict (id) do update set state = excluded.state, identity = excluded.identity, size = excluded.size,
  modified = excluded.modified where operations.state in ('intended', 'done')`

// One statement for any number of rows, which SQLite has prepared: composing it would cost more than the rows.
const insertAll = (rows: readonly Row[]): CompiledQuery => CompiledQuery.raw(INSERT, [jsonOf(rows)])
const settleAll = (rows: readonly Row[]): CompiledQuery => CompiledQuery.raw(SETTLE, [jsonOf(rows)])

function jsonOf(rows: readonly Row[]): string {
  return JSON.stringify(rows.map((row) => COLUMNS.map((column) => row[column] ?? null)))
}

import type { Kysely } from 'kysely'
import { type Relaxed, relaxed, relaxedTogether } from '../db/relaxed.ts'
import type { Schema } from '../db/schema.ts'
import type { toRow } from './operation-row.ts'

type Row = ReturnType<typeof toRow>
/** The cells of a row of `operations_open`. */
type OpenRow = readonly [id: string, group: string, userId: number, entry: string]

/** What is done for each file that is written: composing these statements anew, or row by row, would cost more than the rows. */
export interface OpenStatements {
  begin(rows: readonly OpenRow[]): Promise<void>
  /** Inserts rows into `operations`, or updates those that can be settled still, and removes those that had begun. */
  settle(rows: readonly Row[], begun: readonly string[]): Promise<void>
  remove(ids: readonly string[]): Promise<void>
  /** A settled row of `operations` has begun again: what its node is is not known. */
  reopen(id: string): Promise<void>
}

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

const NAMES = COLUMNS.join(', ')
const OPEN = 'insert into operations_open (id, group_id, user_id, entry)'
const REOPEN = "update operations set state = 'intended', identity = '' where state = 'done' and id ="
const SETTLED = `on conflict (id) do update set state = excluded.state, identity = excluded.identity, size = excluded.size,
  modified = excluded.modified where operations.state in ('intended', 'done')`

/** Rows of one statement, the most first. Each number is a statement that stays prepared. */
const BEGUN_AT_ONCE = [8, 7, 6, 5, 4, 3, 2, 1]
const SETTLED_AT_ONCE = [64, 8, 1]

/** SQLite takes values half as fast out of JSON. */
export function inSqlite(db: Kysely<Schema>): OpenStatements {
  const begin = inserting(BEGUN_AT_ONCE, (values) => `${OPEN} values ${values}`)
  const settle = inserting(SETTLED_AT_ONCE, (values) => `insert into operations (${NAMES}) values ${values} ${SETTLED}`)

  function inserting(sizes: readonly number[], compose: (values: string) => string) {
    const known = new Map<number, string>()
    return (rows: readonly (readonly unknown[])[]): Relaxed[] => {
      const statements: Relaxed[] = []
      for (let at = 0; at < rows.length;) {
        const size = sizes.find((one) => one <= rows.length - at) ?? 1
        const some = rows.slice(at, at + size)
        const sql = known.get(size) ?? compose(some.map((cells) => `(${cells.map(() => '?').join(', ')})`).join(', '))
        known.set(size, sql)
        statements.push({ sql, parameters: some.flat() })
        at += size
      }
      return statements
    }
  }

  const remove = (ids: readonly string[]): Relaxed => ({
    sql: 'delete from operations_open where id in (select value from json_each(?))',
    parameters: [JSON.stringify(ids)],
  })

  return {
    begin: (rows) => relaxedTogether(db, begin(rows)),
    settle(rows, begun) {
      const settled = settle(rows.map((row) => COLUMNS.map((column) => row[column] ?? null)))
      return relaxedTogether(db, begun.length > 0 ? [...settled, remove(begun)] : settled)
    },
    remove: (ids) => relaxed(db, remove(ids)),
    reopen: (id) => relaxed(db, { sql: `${REOPEN} ?`, parameters: [id] }),
  }
}

/** PostgreSQL is asked once for any number of rows. */
export function inPostgres(db: Kysely<Schema>): OpenStatements {
  const statement = (sql: string, rows: unknown): Relaxed => ({ sql, parameters: [JSON.stringify(rows)] })
  const cells = 'value ->> 0, value ->> 1, (value ->> 2)::integer, value ->> 3'
  const begin = `${OPEN} select ${cells} from json_array_elements($1::json) on conflict do nothing`
  const settle = `insert into operations (${NAMES}) select ${NAMES} from json_populate_recordset(null::operations, $1::json) ${SETTLED}`
  const remove = (ids: readonly string[]): Relaxed =>
    statement('delete from operations_open where id in (select json_array_elements_text($1::json))', ids)
  return {
    begin: (rows) => relaxed(db, statement(begin, rows)),
    settle: (rows, begun) => relaxedTogether(db, [statement(settle, rows), ...(begun.length > 0 ? [remove(begun)] : [])]),
    remove: (ids) => relaxed(db, remove(ids)),
    reopen: (id) => relaxed(db, { sql: `${REOPEN} $1`, parameters: [id] }),
  }
}

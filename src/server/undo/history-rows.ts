import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { OperationKind } from '../../shared/contract/operations.ts'
import { ROOT } from '../../shared/file-path.ts'
import type { Schema } from '../db/schema.ts'
import { fromRow, type JournalEntry } from '../journal/operation-row.ts'
import { toStored } from '../journal/stored-path.ts'
import { isAt, isAtOrBelow, isBelow } from './path-conditions.ts'
import type { Place } from './places.ts'

/** Operations of which somebody wants to see the history. */
export interface HistoryFilter {
  /** Where the node was, the newest first. */
  readonly places: readonly Place[]
  /** Also everything in it. */
  readonly below: boolean
  /** Milliseconds since 1970. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Name of a user. */
  readonly by?: string | undefined
  readonly kind?: OperationKind | undefined
}

export interface Candidate {
  readonly id: string
  readonly group: string
}

/** So many operations below a folder are sorted; if there are more, the whole journal is read from its end. */
const MOST_SORTED = 5000
/** Rows that one statement looks at before others are let in: some ten milliseconds. */
const SEARCHED_AT_ONCE = 5000

/** The journal as the history of a node or a folder reads it. */
export type HistoryRows = ReturnType<typeof createHistoryRows>

export function createHistoryRows({ db }: { db: Kysely<Schema> }) {
  const happened = () => db.selectFrom('operations').where('state', 'not in', ['intended', 'failed'])

  /** At one of its places at the time, and as the filter says. */
  function matching({ places, below, from, to, by, kind }: HistoryFilter) {
    const conditions = places.map(({ path, from: start, until }) => {
      const here = below ? isAtOrBelow(path) : isAt(path)
      const since = start === null ? sql<boolean>`1 = 1` : sql<boolean>`id >= ${start}`
      return until === null ? sql<boolean>`(${here} and ${since})` : sql<boolean>`(${here} and ${since} and id < ${until})`
    })
    let query = happened().where(sql<boolean>`(${sql.join(conditions, sql` or `)})`)
    if (from !== undefined) query = query.where('at', '>=', from)
    if (to !== undefined) query = query.where('at', '<=', to)
    if (by !== undefined) query = query.where('user_name', '=', by)
    return kind === undefined ? query : query.where('kind', '=', kind)
  }

  /** The ids of everything in question, if there is not too much; otherwise null. They may be too many. */
  async function fewIds({ places, below }: HistoryFilter): Promise<Set<string> | null> {
    const ids = new Set<string>()
    for (const { path } of places) {
      if (path === ROOT) return null
      for (const condition of conditionsAt(path, below)) {
        const rows = await db.selectFrom('operations').select('id').where(condition).limit(MOST_SORTED).execute()
        for (const { id } of rows) ids.add(id)
        if (ids.size >= MOST_SORTED) return null
      }
    }
    return ids
  }

  return {
    /**
     * Everything that matches, the newest first, before the operation `before`. In pieces: each may be empty, and says up to where it has looked. A
     * gesture may come several times.
     */
    async *candidates(filter: HistoryFilter, before: string | null): AsyncGenerator<{ found: Candidate[]; until: string | null }, void> {
      const few = await fewIds(filter)
      if (few !== null) {
        const ids = [...few].filter((id) => before === null || id < before).toSorted((a, b) => (a < b ? 1 : -1))
        for (let at = 0; at < ids.length; at += SEARCHED_AT_ONCE) {
          const some = ids.slice(at, at + SEARCHED_AT_ONCE)
          const rows = await matching(filter).select(['id', 'group_id']).where('id', 'in', some).orderBy('id', 'desc').execute()
          yield { found: rows.map(({ id, group_id: group }) => ({ id, group })), until: some.at(-1) ?? null }
        }
        return
      }
      for (let last = before; ;) {
        const ids = db.selectFrom('operations').select('id').orderBy('id', 'desc')
        const end = await (last === null ? ids : ids.where('id', '<', last)).offset(SEARCHED_AT_ONCE).limit(1).executeTakeFirst()
        let query = matching(filter).select(['id', 'group_id']).orderBy('id', 'desc')
        if (last !== null) query = query.where('id', '<', last)
        if (end !== undefined) query = query.where('id', '>=', end.id)
        yield { found: (await query.execute()).map(({ id, group_id: group }) => ({ id, group })), until: end?.id ?? null }
        if (end === undefined) return
        last = end.id
      }
    },

    /** What matches of a gesture: the last of it, the oldest first. */
    async lastOf(group: string, filter: HistoryFilter, { limit }: { limit: number }): Promise<JournalEntry[]> {
      const rows = await matching(filter).selectAll().where('group_id', '=', group).orderBy('id', 'desc').limit(limit).execute()
      return rows.map(fromRow).toReversed()
    },

    /** The first of it, the oldest first, and how much it is. */
    async firstOf(group: string, filter: HistoryFilter, { limit }: { limit: number }): Promise<{ entries: JournalEntry[]; count: number }> {
      const rows = await matching(filter).selectAll().where('group_id', '=', group).orderBy('id').limit(limit).execute()
      if (rows.length < limit) return { entries: rows.map(fromRow), count: rows.length }
      const { count } = await matching(filter)
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .where('group_id', '=', group)
        .executeTakeFirstOrThrow()
      return { entries: rows.map(fromRow), count: Number(count) }
    },
  }
}

/** Each of them uses an index of its own. */
function conditionsAt(path: Place['path'], below: boolean): RawBuilder<boolean>[] {
  const own = [sql<boolean>`path = ${toStored(path)}`, sql<boolean>`origin is not null and origin = ${toStored(path)}`]
  return below ? [...own, isBelow(path), sql<boolean>`origin is not null and ${isBelow(path, 'origin')}`] : own
}

import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { ResultOf } from '../../shared/contract/endpoint.ts'
import type { people, PeopleFilter, Person } from '../../shared/contract/people.ts'
import type { Schema } from '../db/schema.ts'
import { NO_PASSWORD } from '../users/password.ts'
import { usernameKey } from '../users/username.ts'

export interface PeopleQuery {
  /** Part of the name, the folder or the address; empty for all. */
  readonly text: string
  readonly only: PeopleFilter | null
  /** Id of a group; null for all. */
  readonly group: number | null
  /** The name after which the page begins. */
  readonly after: string | null
}

/** People on a page. */
export const PAGE_LENGTH = 100

type Query = SelectQueryBuilder<Schema, 'users', object>

/** A page of accounts by name, and how many there are. Every query reads a page or counts: none reads all records. */
export async function listPeople(db: Kysely<Schema>, query: PeopleQuery): Promise<ResultOf<typeof people.list>> {
  const matching = matches(db.selectFrom('users'), query)
  let page = matching
    .select(['id', 'username', 'scope', 'disabled', 'second_factor', isAdministrator.as('admin')])
    .orderBy('username_key')
    .limit(PAGE_LENGTH + 1)
  if (query.after !== null) page = page.where('username_key', '>', usernameKey(query.after))
  const found = await page.execute()
  const rows = found.slice(0, PAGE_LENGTH)
  const more = await detailsOf(
    db,
    rows.map(({ id }) => id),
  )
  return {
    people: rows.map((row): Person => ({
      id: row.id,
      username: row.username,
      scope: row.scope,
      admin: row.admin === 1,
      disabled: row.disabled === 1,
      secondFactor: row.second_factor === 1,
      address: more.addresses.get(row.id) ?? '',
      groups: more.groups.get(row.id) ?? [],
      lastSeen: more.seen.get(row.id) ?? null,
    })),
    found: await count(matching),
    all: await count(db.selectFrom('users')),
    next: found.length > rows.length ? (rows.at(-1)?.username ?? null) : null,
  }
}

/** The ids of everybody who matches, by name. */
export async function idsOfPeople(db: Kysely<Schema>, query: Omit<PeopleQuery, 'after'>): Promise<number[]> {
  const rows = await matches(db.selectFrom('users'), query).select('id').orderBy('username_key').execute()
  return rows.map(({ id }) => id)
}

/** By itself or by a group. `perm` is written by `JSON.stringify`, without spaces. */
const isAdministrator = sql<number>`case when users.perm like '%"admin":true%' or exists (
  select 1 from memberships inner join groups on groups.id = memberships.group_id
  where memberships.user_id = users.id and groups.perm like '%"admin":true%'
) then 1 else 0 end`

function matches(all: Query, { text, only, group }: Omit<PeopleQuery, 'after'>): Query {
  let query = all
  if (only === 'administrators') query = query.where(isAdministrator, '=', 1)
  if (only === 'disabled') query = query.where('disabled', '=', 1)
  if (only === 'waiting') query = query.where('password_hash', '=', NO_PASSWORD)
  if (only === 'no-second-factor') query = query.where('second_factor', '=', 0)
  if (group !== null)
    query = query.where('users.id', 'in', (of) => of.selectFrom('memberships').select('user_id').where('group_id', '=', group))
  if (text !== '') {
    const part = `%${usernameKey(text).replace(/[!%_]/g, '!$&')}%`
    query = query.where((of) =>
      of.or([
        sql<boolean>`username_key like ${part} escape '!'`,
        sql<boolean>`lower(scope) like ${part} escape '!'`,
        of('users.id', 'in', (from) =>
          from
            .selectFrom('mail_addresses')
            .select('user_id')
            .where(sql<boolean>`lower(address) like ${part} escape '!'`),
        ),
      ]),
    )
  }
  return query
}

async function count(query: Query): Promise<number> {
  const { total } = await query.select((of) => of.fn.countAll<string | number>().as('total')).executeTakeFirstOrThrow()
  return Number(total)
}

/** What other tables have about some accounts. */
async function detailsOf(db: Kysely<Schema>, ids: readonly number[]) {
  if (ids.length === 0)
    return { addresses: new Map<number, string>(), groups: new Map<number, string[]>(), seen: new Map<number, number>() }
  const addresses = await db.selectFrom('mail_addresses').select(['user_id', 'address']).where('user_id', 'in', ids).execute()
  const sessions = await db
    .selectFrom('sessions')
    .select(['user_id', (of) => of.fn.max('last_seen_at').as('seen')])
    .where('user_id', 'in', ids)
    .groupBy('user_id')
    .execute()
  const memberships = await db
    .selectFrom('memberships')
    .innerJoin('groups', 'groups.id', 'memberships.group_id')
    .select(['memberships.user_id', 'groups.name'])
    .where('memberships.user_id', 'in', ids)
    .orderBy('groups.position')
    .orderBy('groups.id')
    .execute()
  const groups = new Map<number, string[]>()
  for (const { user_id: id, name } of memberships) groups.set(id, [...(groups.get(id) ?? []), name])
  return {
    addresses: new Map(addresses.map(({ user_id: id, address }) => [id, address])),
    groups,
    seen: new Map(sessions.map(({ user_id: id, seen }) => [id, seen])),
  }
}

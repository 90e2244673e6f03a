import { type Kysely, type Selectable, sql } from 'kysely'
import * as z from 'zod/mini'
import type { Group, GroupMember } from '../../shared/contract/groups.ts'
import { Permissions, Rule } from '../../shared/contract/users.ts'
import { fail } from '../../shared/errors.ts'
import { isUniqueViolation } from '../db/database.ts'
import type { GroupsTable } from '../db/group-tables.ts'
import type { Schema } from '../db/schema.ts'
import { usernameKey } from '../users/username.ts'

const Rules = z.array(Rule)

export type StoredGroup = Omit<Group, 'members'>
export type GroupFields = Pick<Group, 'name' | 'perm' | 'rules'>

/** Groups and who is in them. */
export type GroupStore = ReturnType<typeof createGroupStore>

export function createGroupStore(db: Kysely<Schema>) {
  const ordered = () => db.selectFrom('groups').selectAll().orderBy('position').orderBy('id')

  return {
    async all(): Promise<Group[]> {
      const rows = await ordered().execute()
      const counts = await db
        .selectFrom('memberships')
        .select(['group_id', (of) => of.fn.countAll<string | number>().as('members')])
        .groupBy('group_id')
        .execute()
      const countOf = new Map(counts.map(({ group_id: id, members }) => [id, Number(members)]))
      return rows.map((row) => ({ ...groupFrom(row), members: countOf.get(row.id) ?? 0 }))
    },

    async find(id: number): Promise<StoredGroup | null> {
      const row = await db.selectFrom('groups').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : groupFrom(row)
    },

    async findByName(name: string): Promise<StoredGroup | null> {
      const row = await db.selectFrom('groups').selectAll().where('name_key', '=', usernameKey(name)).executeTakeFirst()
      return row === undefined ? null : groupFrom(row)
    },

    /** In their order. */
    async ofUser(userId: number): Promise<(StoredGroup & { readonly membership: string })[]> {
      const rows = await db
        .selectFrom('memberships')
        .innerJoin('groups', 'groups.id', 'memberships.group_id')
        .selectAll('groups')
        .select('memberships.source as membership')
        .where('memberships.user_id', '=', userId)
        .orderBy('groups.position')
        .orderBy('groups.id')
        .execute()
      return rows.map((row) => ({ ...groupFrom(row), membership: row.membership }))
    },

    /** At the end. Fails with `name-taken`. */
    async insert({ name, perm, rules }: GroupFields, at: Date): Promise<StoredGroup> {
      return unlessTaken(name, () =>
        db.transaction().execute(async (trx) => {
          const last = await trx
            .selectFrom('groups')
            .select((of) => of.fn.max('position').as('position'))
            .executeTakeFirst()
          const row = await trx
            .insertInto('groups')
            .values({
              name,
              name_key: usernameKey(name),
              position: (last?.position ?? -1) + 1,
              perm: JSON.stringify(perm),
              rules: JSON.stringify(rules),
              source: 'ours',
              created_at: at.getTime(),
            })
            .returningAll()
            .executeTakeFirstOrThrow()
          return groupFrom(row)
        }),
      )
    },

    /**
     * Fails with `name-taken`.
     * @param options.position moves it there among all groups
     * @returns whether it still exists
     */
    async update(
      id: number,
      { name, perm, rules }: Partial<GroupFields>,
      options: { position?: number | undefined } = {},
    ): Promise<boolean> {
      return unlessTaken(name ?? '', () =>
        db.transaction().execute(async (trx) => {
          const { numUpdatedRows } = await trx
            .updateTable('groups')
            .set({
              source: sql`source`,
              ...(name !== undefined && { name, name_key: usernameKey(name) }),
              ...(perm !== undefined && { perm: JSON.stringify(perm) }),
              ...(rules !== undefined && { rules: JSON.stringify(rules) }),
            })
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
          if (numUpdatedRows === 0n) return false
          if (options.position !== undefined) await moveTo(trx, id, options.position)
          if (perm !== undefined) await renewClients(trx, await membersOf(trx, id))
          return true
        }),
      )
    },

    /** With its memberships, grants and quota, and what was shared with it. @returns whether it existed */
    async remove(id: number): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        await renewClients(trx, await membersOf(trx, id))
        const { numDeletedRows } = await trx.deleteFrom('groups').where('id', '=', id).executeTakeFirstOrThrow()
        await trx.deleteFrom('memberships').where('group_id', '=', id).execute()
        for (const table of ['grants', 'quotas', 'quota_changes'] as const)
          await trx.deleteFrom(table).where('subject', '=', `group ${id}`).execute()
        await trx.deleteFrom('shares').where('recipient', '=', `group ${id}`).execute()
        return numDeletedRows > 0n
      })
    },

    /** By name. @param page.after the name after which it begins */
    async members(id: number, page: { text: string; after: string | null; most: number }): Promise<GroupMember[]> {
      let query = db
        .selectFrom('memberships')
        .innerJoin('users', 'users.id', 'memberships.user_id')
        .select(['users.id', 'users.username', 'memberships.source'])
        .where('memberships.group_id', '=', id)
        .orderBy('users.username_key')
        .limit(page.most)
      if (page.after !== null) query = query.where('users.username_key', '>', usernameKey(page.after))
      if (page.text !== '') query = query.where(sql<boolean>`users.username_key like ${`%${escaped(usernameKey(page.text))}%`} escape '!'`)
      return query.execute()
    },

    /** Changes nothing for a member. Fails with `not-found` if there is no such group or account. @returns whether they were none before */
    async addMember(id: number, userId: number, source = 'ours'): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        const group = await trx.selectFrom('groups').select('id').where('id', '=', id).executeTakeFirst()
        const user = await trx.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()
        if (group === undefined || user === undefined) fail('not-found', {})
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('memberships')
          .values({ group_id: id, user_id: userId, source })
          .onConflict((conflict) => conflict.columns(['group_id', 'user_id']).doNothing())
          .executeTakeFirstOrThrow()
        await renewClients(trx, [userId])
        return (numInsertedOrUpdatedRows ?? 0n) > 0n
      })
    },

    /** @param source only if this one added them @returns whether they were a member */
    async removeMember(id: number, userId: number, source?: string): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        let memberships = trx.deleteFrom('memberships').where('group_id', '=', id).where('user_id', '=', userId)
        if (source !== undefined) memberships = memberships.where('source', '=', source)
        const { numDeletedRows } = await memberships.executeTakeFirstOrThrow()
        await renewClients(trx, [userId])
        return numDeletedRows > 0n
      })
    },

    /** All that a directory added, of everybody or one person. @returns whose memberships ended */
    async removeSource(source: string, userId: number | null): Promise<number[]> {
      return db.transaction().execute(async (trx) => {
        let memberships = trx.deleteFrom('memberships').where('source', '=', source)
        if (userId !== null) memberships = memberships.where('user_id', '=', userId)
        const rows = await memberships.returning('user_id').execute()
        const members = [...new Set(rows.map((row) => row.user_id))]
        await renewClients(trx, members)
        return members
      })
    },
  }
}

async function membersOf(trx: Kysely<Schema>, id: number): Promise<number[]> {
  const rows = await trx.selectFrom('memberships').select('user_id').where('group_id', '=', id).execute()
  return rows.map((row) => row.user_id)
}

const AT_ONCE = 500

/** Tokens show the rights of their user, so clients fetch a new one. */
async function renewClients(trx: Kysely<Schema>, userIds: readonly number[]): Promise<void> {
  for (let at = 0; at < userIds.length; at += AT_ONCE)
    await trx
      .updateTable('users')
      .set({ version: sql`version + 1` })
      .where('id', 'in', userIds.slice(at, at + AT_ONCE))
      .execute()
}

/** Numbers all groups again, with this one at its place. */
async function moveTo(trx: Kysely<Schema>, id: number, position: number): Promise<void> {
  const rows = await trx.selectFrom('groups').select('id').where('id', '<>', id).orderBy('position').orderBy('id').execute()
  const order = rows.map((row) => row.id)
  order.splice(position, 0, id)
  for (const [at, one] of order.entries()) await trx.updateTable('groups').set({ position: at }).where('id', '=', one).execute()
}

function escaped(text: string): string {
  return text.replace(/[!%_]/g, '!$&')
}

async function unlessTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isUniqueViolation(error)) fail('name-taken', { username: name }, { cause: error })
    throw error
  }
}

function groupFrom(row: Selectable<GroupsTable>): StoredGroup {
  const { id, name, position, source } = row
  return { id, name, position, source, perm: Permissions.parse(JSON.parse(row.perm)), rules: Rules.parse(JSON.parse(row.rules)) }
}

import { type Kysely, sql } from 'kysely'
import type { NamedRecipient, Recipient, ShareRole } from '../../shared/contract/people-shares.ts'
import { type FilePath, pathsTo } from '../../shared/file-path.ts'
import type { Schema } from '../db/schema.ts'
import { usernameKey } from '../users/username.ts'
import { isNamed, type NewShare, newShareRow, type Share, seconds, shareFrom } from './store.ts'

export interface PeopleShareTerms {
  readonly role: ShareRole
  /** Seconds since 1970; 0 for none. */
  readonly expire: number
  readonly message: string
}

export interface StoredPeopleShare extends Omit<Share, 'role'> {
  readonly role: ShareRole
  readonly createdAt: number
}

export type PeopleStore = ReturnType<typeof createPeopleStore>

/** Shares with people, which are rows of the same table as links, so that they follow and end with their nodes in the same way. */
export function createPeopleStore(db: Kysely<Schema>) {
  /** Open ones. */
  const open = (now: Date) =>
    db
      .selectFrom('shares')
      .selectAll()
      .where('recipient', '!=', '')
      .where((eb) => eb.or([eb('expire', '=', 0), eb('expire', '>', seconds(now))]))

  return {
    async find(id: string): Promise<StoredPeopleShare | null> {
      const row = await db.selectFrom('shares').selectAll().where('hash', '=', id).where('recipient', '!=', '').executeTakeFirst()
      return row === undefined ? null : peopleShareFrom(row)
    },

    /** Those of one owner or of all, by path, the order in which they were made after that. */
    async list({ userId, place, now }: { userId?: number; place?: FilePath; now: Date }): Promise<StoredPeopleShare[]> {
      let query = open(now).orderBy('place').orderBy('created_at').orderBy('hash')
      if (userId !== undefined) query = query.where('user_id', '=', userId)
      if (place !== undefined) query = query.where('place', '=', place)
      return (await query.execute()).map(peopleShareFrom)
    },

    /** Of a node and of the folders around it, without what is in the trash. */
    async around(place: FilePath, now: Date): Promise<StoredPeopleShare[]> {
      const rows = await open(now).where('place', 'in', pathsTo(place)).where('trashed', '=', '').orderBy('place').orderBy('hash').execute()
      return rows.map(peopleShareFrom)
    },

    /** For these recipients, without the owner's own and without what is in the trash; the newest first. */
    async received(recipients: readonly string[], { userId, now }: { userId: number; now: Date }): Promise<StoredPeopleShare[]> {
      const rows = await open(now)
        .where('recipient', 'in', recipients)
        .where('user_id', '!=', userId)
        .where('trashed', '=', '')
        .orderBy('created_at', 'desc')
        .orderBy('hash')
        .execute()
      return rows.map(peopleShareFrom)
    },

    /** The one of this owner for this node and recipient, also if it has ended. */
    async same({ userId, place, recipient }: Pick<Share, 'userId' | 'place' | 'recipient'>): Promise<StoredPeopleShare | null> {
      const row = await db
        .selectFrom('shares')
        .selectAll()
        .where('user_id', '=', userId)
        .where('place', '=', place)
        .where('recipient', '=', recipient)
        .where('trashed', '=', '')
        .executeTakeFirst()
      return row === undefined ? null : peopleShareFrom(row)
    },

    /** @returns false if the hash is taken */
    async create(share: NewShare, { recipient, role }: { recipient: string; role: ShareRole }): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        if (await isNamed(trx, share.hash)) return false
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('shares')
          .values({ ...newShareRow(share), recipient, role })
          .onConflict((conflict) => conflict.column('hash').doNothing())
          .executeTakeFirstOrThrow()
        return numInsertedOrUpdatedRows !== 0n
      })
    },

    /** @returns whether it exists */
    async change(id: string, terms: Partial<PeopleShareTerms & { identity: string }>): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('shares')
        .set({ ...terms, version: sql`version + 1` })
        .where('hash', '=', id)
        .where('recipient', '!=', '')
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async remove(id: string): Promise<void> {
      await db.deleteFrom('shares').where('hash', '=', id).where('recipient', '!=', '').execute()
    },

    /** The person, or the members of the group; nobody if there are more than `most`. */
    async peopleOf({ kind, id }: Recipient, { most }: { most: number }): Promise<number[]> {
      if (kind === 'user') return [id]
      const rows = await db
        .selectFrom('memberships')
        .select('user_id')
        .where('group_id', '=', id)
        .limit(most + 1)
        .execute()
      return rows.length > most ? [] : rows.map((row) => row.user_id)
    },

    /** Names of recipients by key; deleted ones have none. */
    async names(): Promise<ReadonlyMap<string, string>> {
      const used = db.selectFrom('shares').select('recipient').where('recipient', '!=', '').distinct()
      const keys = (await used.execute()).map(({ recipient }) => recipient)
      const idsOf = (kind: string): number[] =>
        keys.flatMap((key) => (key.startsWith(`${kind} `) ? [Number(key.slice(kind.length + 1))] : []))
      const [users, groups] = [idsOf('user'), idsOf('group')]
      const people = users.length === 0 ? [] : await db.selectFrom('users').select(['id', 'username']).where('id', 'in', users).execute()
      const named = groups.length === 0 ? [] : await db.selectFrom('groups').select(['id', 'name']).where('id', 'in', groups).execute()
      return new Map([
        ...people.map(({ id, username }) => [`user ${id}`, username] as const),
        ...named.map(({ id, name }) => [`group ${id}`, name] as const),
      ])
    },

    /**
     * Enabled accounts other than the asking one, and groups, by the beginning of the name, or by the whole name.
     * @param options.groupsOf only groups of this account; of all if absent
     */
    async search(
      text: string,
      { but, groupsOf, whole, most }: { but: number; groupsOf?: number; whole: boolean; most: number },
    ): Promise<NamedRecipient[]> {
      const key = usernameKey(text)
      const pattern = whole ? escaped(key) : `${escaped(key)}%`
      const people = await db
        .selectFrom('users')
        .select(['id', 'username'])
        .where(sql<boolean>`username_key like ${pattern} escape '!'`)
        .where('disabled', '=', 0)
        .where('id', '!=', but)
        .orderBy('username_key')
        .limit(most)
        .execute()
      let query = db
        .selectFrom('groups')
        .select(['id', 'name'])
        .where(sql<boolean>`name_key like ${pattern} escape '!'`)
      if (groupsOf !== undefined)
        query = query.where('id', 'in', (inner) => inner.selectFrom('memberships').select('group_id').where('user_id', '=', groupsOf))
      const groups = await query.orderBy('name_key').limit(most).execute()
      return [
        ...groups.map(({ id, name }) => ({ kind: 'group' as const, id, name })),
        ...people.map(({ id, username }) => ({ kind: 'user' as const, id, name: username })),
      ].slice(0, most)
    },
  }
}

function escaped(text: string): string {
  return text.replace(/[!%_]/g, '!$&')
}

function peopleShareFrom(row: Parameters<typeof shareFrom>[0]): StoredPeopleShare {
  // Written from a role by `create` and `change` only.
  return { ...shareFrom(row), role: row.role as ShareRole, createdAt: row.created_at }
}

import { type Expression, type Kysely, type SqlBool } from 'kysely'
import { type FilePath, pathsTo } from '../../shared/file-path.ts'
import { isAtOrBelow } from '../db/at-or-below.ts'
import { inTransaction } from '../db/database.ts'
import type { DavLocksTable } from '../db/dav-tables.ts'
import type { Schema } from '../db/schema.ts'
import { knownEmpty } from './known-empty.ts'

export interface Lock {
  readonly id: string
  /** Storage path, links resolved. */
  readonly place: FilePath
  /** Whether it applies to everything below as well. */
  readonly deep: boolean
  readonly exclusive: boolean
  readonly userId: number
  /** XML, as the client sent it; empty if it said nothing. */
  readonly owner: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly seconds: number
  readonly expiresAt: number
}

export type LockStore = ReturnType<typeof createLockStore>

/** Shared locks of one node, with those of the folders above: each listing tells them for each entry. */
const MOST_SHARED = 5

/** Locks in the database, by storage path. Those that have expired, or whose account is disabled, count no more. */
export function createLockStore({ db, clock }: { db: Kysely<Schema>; clock: () => Date }) {
  /** Those of accounts that are disabled protect nothing. */
  const valid = (of: Kysely<Schema>) =>
    of
      .selectFrom('dav_locks')
      .selectAll()
      .where('expires_at', '>', clock().getTime())
      .where('user_id', 'in', (inner) => inner.selectFrom('users').select('users.id').where('disabled', '=', 0))

  async function locksWhere(of: Kysely<Schema>, condition: Expression<SqlBool>): Promise<Lock[]> {
    return (await valid(of).where(condition).orderBy('created_at').orderBy('id').execute()).map(fromRow)
  }

  const empty = knownEmpty({ db, clock, isEmpty: async () => (await valid(db).limit(1).executeTakeFirst()) === undefined })

  /** Which apply to a node: its own, and those of a folder above with everything in it. */
  async function covering(place: FilePath, of: Kysely<Schema> = db): Promise<Lock[]> {
    const above = pathsTo(place).filter((path) => path.isWellFormed())
    if (above.length === 0) return []
    const rows = await valid(of).where('place', 'in', above).orderBy('created_at').orderBy('id').execute()
    return rows.map(fromRow).filter((lock) => lock.deep || lock.place === place)
  }

  /** Of a node and of everything below it. */
  const within = async (place: FilePath, of: Kysely<Schema> = db): Promise<Lock[]> =>
    place.isWellFormed() ? locksWhere(of, isAtOrBelow(place)) : []

  return {
    covering,
    within,

    /** The locks of a folder itself and of what is directly in it. */
    async inFolder(place: FilePath): Promise<Lock[]> {
      return (await within(place)).filter((lock) => lock.place.indexOf('/', place.length + 1) < 0)
    },

    /** Whether there is no lock at all. */
    isEmpty: empty.ask,

    /**
     * Stores a lock unless another one is in its way.
     * @param most locks that its user may hold
     * @returns the locks in its way; null if its user, or its node, has too many
     */
    async add(lock: Lock, { most }: { most: number }): Promise<Lock[] | null> {
      return empty.writing(() =>
        inTransaction(db, async (trx) => {
          const mine = await trx
            .selectFrom('dav_locks')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .where('user_id', '=', lock.userId)
            .where('expires_at', '>', clock().getTime())
            .executeTakeFirstOrThrow()
          if (mine.count >= most) return null
          const found = [...(await covering(lock.place, trx)), ...(lock.deep ? await within(lock.place, trx) : [])]
          const others = [...new Map(found.map((one) => [one.id, one])).values()]
          const inTheWay = others.filter((other) => other.exclusive || lock.exclusive)
          if (inTheWay.length === 0 && others.length >= MOST_SHARED) return null
          if (inTheWay.length === 0) await trx.insertInto('dav_locks').values(toRow(lock)).execute()
          return inTheWay
        }),
      )
    },

    async find(id: string): Promise<Lock | null> {
      const row = await valid(db).where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : fromRow(row)
    },

    async refresh(id: string, { seconds, expiresAt }: Pick<Lock, 'seconds' | 'expiresAt'>): Promise<void> {
      await db.updateTable('dav_locks').set({ seconds, expires_at: expiresAt }).where('id', '=', id).execute()
    },

    /** @returns whether it was there */
    async remove(id: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('dav_locks').where('id', '=', id).executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    /** Those of a node that has gone from its path, and of everything that was below it. */
    async removeWithin(place: FilePath): Promise<void> {
      if (place.isWellFormed()) await db.deleteFrom('dav_locks').where(isAtOrBelow(place)).execute()
    },

    /** Removes locks that have ended, and those of deleted accounts. */
    async sweep(): Promise<void> {
      await db.deleteFrom('dav_locks').where('expires_at', '<=', clock().getTime()).execute()
      await db
        .deleteFrom('dav_locks')
        .where('user_id', 'not in', (inner) => inner.selectFrom('users').select('users.id'))
        .execute()
    },
  }
}

function toRow({ id, place, deep, exclusive, userId, owner, createdAt, seconds, expiresAt }: Lock): DavLocksTable {
  return {
    id,
    place,
    deep: Number(deep),
    exclusive: Number(exclusive),
    user_id: userId,
    owner,
    created_at: createdAt,
    seconds,
    expires_at: expiresAt,
  }
}

function fromRow({ id, place, deep, exclusive, user_id: userId, owner, created_at, seconds, expires_at }: DavLocksTable): Lock {
  return {
    id,
    // Written from a FilePath.
    place: place as FilePath,
    deep: deep === 1,
    exclusive: exclusive === 1,
    userId,
    owner,
    createdAt: created_at,
    seconds,
    expiresAt: expires_at,
  }
}

import type { Kysely } from 'kysely'
import type { RecentAction } from '../../shared/contract/favourites.ts'
import { type FilePath, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import { MAX_FAVOURITES, MAX_RECENT, MAX_RECENT_UPLOADS } from '../../shared/limits.ts'
import { isAtOrBelow } from '../db/at-or-below.ts'
import type { Schema } from '../db/schema.ts'

/** A recent use of a file, by storage path; links on the way are resolved, the last segment is not. */
export interface RecentVisit {
  readonly storagePath: FilePath
  readonly how: RecentAction
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Stores favourites and recent files by storage path, whether or not the user may see them now. */
export type FavouriteStore = ReturnType<typeof createFavouriteStore>

const BOTH = ['favourites', 'recents'] as const
const ALL = ['favourites', 'recents', 'recents_off'] as const

export function createFavouriteStore(db: Kysely<Schema>) {
  async function favourites(of: Kysely<Schema>, userId: number): Promise<{ storagePath: FilePath; rank: number }[]> {
    const rows = await of
      .selectFrom('favourites')
      .select(['place', 'rank'])
      .where('user_id', '=', userId)
      .orderBy('rank')
      .orderBy('place')
      .execute()
    // Written from a FilePath, by `star` and `moved` only.
    return rows.map(({ place: storagePath, rank }) => ({ storagePath: storagePath as FilePath, rank }))
  }

  async function isKnown(storagePath: FilePath): Promise<boolean> {
    for (const table of BOTH)
      if ((await db.selectFrom(table).select('place').where(isAtOrBelow(storagePath)).limit(1).executeTakeFirst()) !== undefined)
        return true
    return false
  }

  return {
    /** In the user's order. */
    favourites: async (userId: number): Promise<FilePath[]> => (await favourites(db, userId)).map(({ storagePath }) => storagePath),

    /** Adds it at the end; an existing one keeps its position. @returns false if there is no room */
    star(userId: number, storagePath: FilePath): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        const before = await favourites(trx, userId)
        if (before.some((one) => one.storagePath === storagePath)) return true
        if (before.length >= MAX_FAVOURITES) return false
        const rank = (before.at(-1)?.rank ?? 0) + 1
        await trx.insertInto('favourites').values({ user_id: userId, place: storagePath, rank }).execute()
        return true
      })
    },

    async unstar(userId: number, places: readonly FilePath[]): Promise<void> {
      if (places.length > 0) await db.deleteFrom('favourites').where('user_id', '=', userId).where('place', 'in', places).execute()
    },

    /** Puts these first, in this order, and keeps the order of the others; paths that are not favourites are ignored. */
    async arrange(userId: number, first: readonly FilePath[]): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const before = await favourites(trx, userId)
        const rest = before.filter(({ storagePath }) => !first.includes(storagePath))
        const ranks = new Map([...first, ...rest.map(({ storagePath }) => storagePath)].map((path, at) => [path, at + 1]))
        for (const { storagePath: place, rank } of before) {
          const now = ranks.get(place) ?? rank
          if (now === rank) continue
          await trx.updateTable('favourites').set({ rank: now }).where('user_id', '=', userId).where('place', '=', place).execute()
        }
      })
    },

    /** The newest first. */
    async recents(userId: number): Promise<RecentVisit[]> {
      const rows = await db
        .selectFrom('recents')
        .select(['place', 'how', 'at'])
        .where('user_id', '=', userId)
        .orderBy('at', 'desc')
        .orderBy('place')
        .execute()
      // Written from a RecentVisit, by `note` and `moved` only.
      return rows.map(({ place: storagePath, how, at }) => ({ storagePath: storagePath as FilePath, how: how as RecentAction, at }))
    },

    keepsRecent: (userId: number): Promise<boolean> => keeps(db, userId),

    /** `false` also removes existing entries. */
    async setKeepsRecent(userId: number, keep: boolean): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await trx.deleteFrom('recents_off').where('user_id', '=', userId).execute()
        if (keep) return
        await trx.insertInto('recents_off').values({ user_id: userId }).execute()
        await trx.deleteFrom('recents').where('user_id', '=', userId).execute()
      })
    },

    /** Keeps one row per file, the newest only; ignored for users who want no list. */
    async note(userId: number, visits: readonly RecentVisit[]): Promise<void> {
      await db.transaction().execute(async (trx) => {
        if (visits.length === 0 || !(await keeps(trx, userId))) return
        await trx
          .insertInto('recents')
          .values(visits.map(({ storagePath, how, at }) => ({ user_id: userId, place: storagePath, how, at })))
          .onConflict((conflict) =>
            conflict.columns(['user_id', 'place']).doUpdateSet({ at: (eb) => eb.ref('excluded.at'), how: (eb) => eb.ref('excluded.how') }),
          )
          .execute()
        const mine = trx.selectFrom('recents').select('place').where('user_id', '=', userId).orderBy('at', 'desc').orderBy('place')
        const forgetFrom = async (most: number, newest: typeof mine) => {
          const places = (await newest.offset(most).limit(visits.length).execute()).map(({ place }) => place)
          if (places.length > 0) await trx.deleteFrom('recents').where('user_id', '=', userId).where('place', 'in', places).execute()
        }
        await forgetFrom(MAX_RECENT_UPLOADS, mine.where('how', '=', 'uploaded'))
        await forgetFrom(MAX_RECENT, mine)
      })
    },

    async leave(userId: number, storagePath: FilePath): Promise<void> {
      await db.deleteFrom('recents').where('user_id', '=', userId).where('place', '=', storagePath).execute()
    },

    async forget(userId: number): Promise<void> {
      await db.deleteFrom('recents').where('user_id', '=', userId).execute()
    },

    /** Updates the rows of all users at a path and below; rows at the new path are replaced. */
    async moved(from: FilePath, to: FilePath): Promise<void> {
      // Most operations concern no row; they do not wait for the database's one writer.
      if (!from.isWellFormed() || !(await isKnown(from))) return
      await db.transaction().execute(async (trx) => {
        const stars = await trx.deleteFrom('favourites').where(isAtOrBelow(from)).returningAll().execute()
        const visits = await trx.deleteFrom('recents').where(isAtOrBelow(from)).returningAll().execute()
        // A name that cannot be stored is never found again.
        if (!to.isWellFormed()) return
        const there = (path: string): FilePath => placeUnder(to, pathFrom(from, path as FilePath) ?? ROOT)
        for (const row of stars)
          await trx
            .insertInto('favourites')
            .values({ ...row, place: there(row.place) })
            .onConflict((conflict) => conflict.columns(['user_id', 'place']).doNothing())
            .execute()
        for (const row of visits)
          await trx
            .insertInto('recents')
            .values({ ...row, place: there(row.place) })
            .onConflict((conflict) => conflict.columns(['user_id', 'place']).doUpdateSet({ at: row.at, how: row.how }))
            .execute()
      })
    },

    async removed(storagePath: FilePath): Promise<void> {
      if (!storagePath.isWellFormed() || !(await isKnown(storagePath))) return
      for (const table of BOTH) await db.deleteFrom(table).where(isAtOrBelow(storagePath)).execute()
    },

    async sweep(): Promise<void> {
      for (const table of ALL)
        await db
          .deleteFrom(table)
          .where('user_id', 'not in', (inner) => inner.selectFrom('users').select('id'))
          .execute()
    },
  }
}

async function keeps(db: Kysely<Schema>, userId: number): Promise<boolean> {
  return (await db.selectFrom('recents_off').select('user_id').where('user_id', '=', userId).executeTakeFirst()) === undefined
}

import type { Kysely } from 'kysely'
import { type FilePath, nameOf, parentOf, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import { isAtOrBelow } from '../db/at-or-below.ts'
import type { DavPropertiesTable } from '../db/dav-tables.ts'
import { inTransaction } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { isBoundTo, isElsewhere } from './bound-identity.ts'
import { knownEmpty } from './known-empty.ts'
import { FULL, roomOf } from './property-room.ts'
import type { XmlName } from './xml.ts'

export interface DeadProperty extends XmlName {
  /** XML: the whole element. */
  readonly value: string
}

/** A property is set, or removed if the value is null. */
export interface PropertyChange extends XmlName {
  readonly value: string | null
}

/** What properties are of: a path, and what is there now. */
export interface PropertyNode {
  /** Storage path. */
  readonly place: FilePath
  /** Empty if unknown, and for links. */
  readonly identity: string
}

/** Tells the identity of what is at a storage path; null if nothing is. */
export type IdentityAt = (place: FilePath) => Promise<string | null>

/** Of one file or folder. */
const MAX_PROPERTIES = 200
const MAX_CHARS = 64 * 1024
/** With one copy of a tree: what is copied is asked of the disk, row by row. */
const MOST_COPIED = 10_000

/** A statement may have so many values on every database. */
const NAMES_AT_ONCE = 1000

export type PropertyStore = ReturnType<typeof createPropertyStore>

/** Properties that clients set, by storage path. Those of a node that is not there any more are told to nobody. */
export function createPropertyStore({ db, clock }: { db: Kysely<Schema>; clock: () => Date }) {
  const empty = knownEmpty({
    db,
    clock,
    isEmpty: async () => (await db.selectFrom('dav_properties').select('place').limit(1).executeTakeFirst()) === undefined,
  })

  async function rowsOf(place: FilePath, of: Kysely<Schema> = db): Promise<DavPropertiesTable[]> {
    if (!place.isWellFormed()) return []
    return of.selectFrom('dav_properties').selectAll().where('place', '=', place).orderBy('namespace').orderBy('name').execute()
  }

  async function rowsBelow(place: FilePath, { limit }: { limit?: number } = {}): Promise<DavPropertiesTable[]> {
    if (!place.isWellFormed()) return []
    const all = db.selectFrom('dav_properties').selectAll().where(isAtOrBelow(place)).orderBy('place')
    return (limit === undefined ? all : all.limit(limit)).execute()
  }

  async function isKnown(place: FilePath): Promise<boolean> {
    if (!place.isWellFormed()) return false
    return (await db.selectFrom('dav_properties').select('place').where(isAtOrBelow(place)).limit(1).executeTakeFirst()) !== undefined
  }

  async function insert(trx: Kysely<Schema>, row: Omit<DavPropertiesTable, 'parent'>): Promise<void> {
    if (!row.place.isWellFormed()) return
    const { value, identity, user_id, chars } = row
    await trx
      .insertInto('dav_properties')
      .values({ ...row, parent: parentOf(row.place as FilePath) })
      .onConflict((conflict) => conflict.columns(['place', 'namespace', 'name']).doUpdateSet({ value, identity, user_id, chars }))
      .execute()
  }

  async function clear(trx: Kysely<Schema>, place: FilePath): Promise<void> {
    if (place.isWellFormed()) await trx.deleteFrom('dav_properties').where('place', '=', place).execute()
  }

  /** Properties of moved nodes: a move to another disk gives each node another identity. */
  async function rebindMoved(to: FilePath, identityAt: IdentityAt): Promise<void> {
    for (const [place, rows] of Map.groupBy(await rowsBelow(to), (row) => row.place as FilePath)) {
      const found = await identityAt(place)
      const bound = rows[0]?.identity ?? ''
      // All of them were moved in the same way.
      if (found !== null && bound !== '' && isBoundTo(bound, found)) return
      if (found !== null && isElsewhere(bound, found)) await setIdentity(place, found)
    }
  }

  async function setIdentity(place: FilePath, identity: string): Promise<void> {
    await db.updateTable('dav_properties').set({ identity }).where('place', '=', place).execute()
  }

  return {
    isEmpty: empty.ask,

    async ofNode({ place, identity }: PropertyNode): Promise<DeadProperty[]> {
      return (await rowsOf(place)).filter((row) => isBoundTo(row.identity, identity)).map(propertyOf)
    },

    /** Whether anything directly in a folder has properties. */
    async anyIn(folder: FilePath): Promise<boolean> {
      if (!folder.isWellFormed()) return false
      return (await db.selectFrom('dav_properties').select('place').where('parent', '=', folder).limit(1).executeTakeFirst()) !== undefined
    },

    /** Of some nodes in a folder, by name. */
    async inFolder(folder: FilePath, nodes: readonly { name: string; identity: string }[]): Promise<Map<string, DeadProperty[]>> {
      const found = new Map<string, DeadProperty[]>()
      const identities = new Map(nodes.map(({ name, identity }) => [placeUnder(folder, `/${name}` as FilePath), identity]))
      const places = [...identities.keys()].filter((place) => place.isWellFormed())
      for (let at = 0; at < places.length; at += NAMES_AT_ONCE) {
        const some = places.slice(at, at + NAMES_AT_ONCE)
        const rows = await db
          .selectFrom('dav_properties')
          .selectAll()
          .where('place', 'in', some)
          .orderBy('namespace')
          .orderBy('name')
          .execute()
        for (const row of rows) {
          const place = row.place as FilePath
          if (!isBoundTo(row.identity, identities.get(place) ?? '')) continue
          const key = nameOf(place)
          found.set(key, [...(found.get(key) ?? []), propertyOf(row)])
        }
      }
      return found
    },

    /** All or nothing. @returns false if the node, or the person, would have too many, or too much */
    async change({ place, identity }: PropertyNode, changes: readonly PropertyChange[], { userId }: { userId: number }): Promise<boolean> {
      return empty.writing(() =>
        inTransaction(db, async (trx) => {
          const valid = (await rowsOf(place, trx)).filter((row) => isBoundTo(row.identity, identity))
          const now = new Map(valid.map((row) => [keyOf(row), { ...propertyOf(row), user: row.user_id }]))
          for (const { namespace, name, value } of changes) {
            if (value === null) now.delete(keyOf({ namespace, name }))
            else now.set(keyOf({ namespace, name }), { namespace, name, value, user: userId })
          }
          const rows = [...now.values()].map(({ user, ...property }) => rowFor(property, { place, identity, userId: user }))
          if (rows.length > MAX_PROPERTIES || charsOf(rows) > MAX_CHARS) return false
          const kept = rows.filter((row) => row.user_id === userId)
          const before = valid.filter((row) => row.user_id === userId)
          const room = await roomOf(trx, { userId, except: place })
          const isMore = charsOf(kept) > charsOf(before) || kept.length > before.length
          if (isMore && !room.takes(kept)) return false
          await clear(trx, place)
          for (const row of rows) await insert(trx, row)
          return true
        }),
      )
    },

    /** Properties of a node and everything below follow it; those of what it replaced are gone. */
    async moved(from: FilePath, to: FilePath, { identityAt }: { identityAt: IdentityAt }): Promise<void> {
      if (!(await isKnown(from)) && !(await isKnown(to))) return
      const rows = await empty.writing(() =>
        inTransaction(db, async (trx) => {
          if (from !== to) await clear(trx, to)
          if (!from.isWellFormed()) return []
          const moving = await trx.deleteFrom('dav_properties').where(isAtOrBelow(from)).returningAll().execute()
          for (const row of moving) await insert(trx, { ...row, place: placeUnder(to, pathFrom(from, row.place as FilePath) ?? ROOT) })
          return moving
        }),
      )
      if (rows.length > 0) await rebindMoved(to, identityAt)
    },

    /** The copy has the same properties, as far as something was copied, and this person has room for them. */
    async copied(
      from: FilePath,
      to: FilePath,
      { userId, isSeen, identityAt }: { userId: number; isSeen: (place: FilePath) => boolean; identityAt: IdentityAt },
    ): Promise<void> {
      if (!(await isKnown(from)) && !(await isKnown(to))) return
      const copies: Omit<DavPropertiesTable, 'parent'>[] = []
      const rows = await rowsBelow(from, { limit: MOST_COPIED })
      for (const [place, all] of Map.groupBy(rows, (row) => row.place as FilePath)) {
        if (!isSeen(place)) continue
        const there = placeUnder(to, pathFrom(from, place) ?? ROOT)
        const [identity, copy] = [await identityAt(place), await identityAt(there)]
        if (identity === null || copy === null) continue
        const valid = all.filter((row) => isBoundTo(row.identity, identity))
        copies.push(...valid.map((row) => rowFor(propertyOf(row), { place: there, identity: copy, userId })))
      }
      await empty.writing(() =>
        inTransaction(db, async (trx) => {
          await clear(trx, to)
          const room = copies.length === 0 ? FULL : await roomOf(trx, { userId, except: to })
          for (const row of copies) if (room.takes([row])) await insert(trx, row)
        }),
      )
    },

    /**
     * A file is about to be replaced: its properties belong to both until that is done, and those of an earlier one to neither.
     * @returns whether there are any
     */
    async expect({ place, identity }: PropertyNode, next: string | null): Promise<boolean> {
      const bound = new Set((await rowsOf(place)).map((row) => row.identity))
      if (bound.size === 0) return false
      const gone = [...bound].filter((one) => !isBoundTo(one, identity))
      if (gone.length > 0) await db.deleteFrom('dav_properties').where('place', '=', place).where('identity', 'in', gone).execute()
      if (gone.length === bound.size) return false
      if (next !== null) await setIdentity(place, `${identity} ${next}`)
      return true
    },

    rebind: setIdentity,

    async removed(place: FilePath): Promise<void> {
      if (await isKnown(place)) await db.deleteFrom('dav_properties').where(isAtOrBelow(place)).execute()
    },
  }
}

export function keyOf({ namespace, name }: XmlName): string {
  return `{${namespace}}${name}`
}

function propertyOf({ namespace, name, value }: DavPropertiesTable): DeadProperty {
  return { namespace, name, value }
}

function rowFor(
  { namespace, name, value }: DeadProperty,
  { place, identity, userId }: PropertyNode & { userId: number },
): Omit<DavPropertiesTable, 'parent'> {
  return { place, namespace, name, value, identity, user_id: userId, chars: namespace.length + name.length + value.length }
}

function charsOf(rows: readonly Pick<DavPropertiesTable, 'chars'>[]): number {
  return rows.reduce((sum, { chars }) => sum + chars, 0)
}

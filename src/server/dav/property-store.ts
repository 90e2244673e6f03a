import type { Kysely } from 'kysely'
import { type FilePath, nameOf, parentOf, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import { isAtOrBelow } from '../db/at-or-below.ts'
import { inTransaction } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import type { XmlName } from './xml.ts'

export interface DeadProperty extends XmlName {
  /** XML: the whole element. */
  readonly value: string
}

/** A property is set, or removed if the value is null. */
export interface PropertyChange extends XmlName {
  readonly value: string | null
}

/** Of one file or folder. */
const MAX_PROPERTIES = 200
const MAX_CHARS = 64 * 1024
/** With one copy of a tree, so that copying the copy again and again does not double the database each time. */
const MOST_COPIED = 10_000
const MOST_COPIED_CHARS = 4 * 1024 * 1024

/** A statement may have so many values on every database. */
const NAMES_AT_ONCE = 1000

export type PropertyStore = ReturnType<typeof createPropertyStore>

/** Properties that clients set, by storage path. */
export function createPropertyStore(db: Kysely<Schema>) {
  async function ofPlace(place: FilePath, of: Kysely<Schema> = db): Promise<DeadProperty[]> {
    if (!place.isWellFormed()) return []
    return of
      .selectFrom('dav_properties')
      .select(['namespace', 'name', 'value'])
      .where('place', '=', place)
      .orderBy('namespace')
      .orderBy('name')
      .execute()
  }

  async function isKnown(place: FilePath): Promise<boolean> {
    if (!place.isWellFormed()) return false
    return (await db.selectFrom('dav_properties').select('place').where(isAtOrBelow(place)).limit(1).executeTakeFirst()) !== undefined
  }

  async function insert(trx: Kysely<Schema>, place: FilePath, property: DeadProperty): Promise<void> {
    const { namespace, name, value } = property
    if (!place.isWellFormed()) return
    await trx
      .insertInto('dav_properties')
      .values({ place, parent: parentOf(place), namespace, name, value })
      .onConflict((conflict) => conflict.columns(['place', 'namespace', 'name']).doUpdateSet({ value }))
      .execute()
  }

  return {
    ofPlace: (place: FilePath) => ofPlace(place),

    /** Whether anything directly in a folder has properties. */
    async anyIn(folder: FilePath): Promise<boolean> {
      if (!folder.isWellFormed()) return false
      return (await db.selectFrom('dav_properties').select('place').where('parent', '=', folder).limit(1).executeTakeFirst()) !== undefined
    },

    /** Of some names in a folder, by name. */
    async inFolder(folder: FilePath, names: readonly string[]): Promise<Map<string, DeadProperty[]>> {
      const found = new Map<string, DeadProperty[]>()
      const places = names.map((name) => placeUnder(folder, `/${name}` as FilePath)).filter((place) => place.isWellFormed())
      for (let at = 0; at < places.length; at += NAMES_AT_ONCE) {
        const some = places.slice(at, at + NAMES_AT_ONCE)
        const rows = await db
          .selectFrom('dav_properties')
          .selectAll()
          .where('place', 'in', some)
          .orderBy('namespace')
          .orderBy('name')
          .execute()
        for (const { place, namespace, name, value } of rows) {
          const key = nameOf(place as FilePath)
          found.set(key, [...(found.get(key) ?? []), { namespace, name, value }])
        }
      }
      return found
    },

    /** All or nothing. @returns false if it would have too many, or too much */
    async change(place: FilePath, changes: readonly PropertyChange[]): Promise<boolean> {
      return inTransaction(db, async (trx) => {
        const now = new Map((await ofPlace(place, trx)).map((one) => [keyOf(one), one]))
        for (const { namespace, name, value } of changes) {
          if (value === null) now.delete(keyOf({ namespace, name }))
          else now.set(keyOf({ namespace, name }), { namespace, name, value })
        }
        const all = [...now.values()]
        if (all.length > MAX_PROPERTIES || all.reduce((sum, { value }) => sum + value.length, 0) > MAX_CHARS) return false
        await trx.deleteFrom('dav_properties').where('place', '=', place).execute()
        for (const property of all) await insert(trx, place, property)
        return true
      })
    },

    /** Properties of a node and everything below follow it; those of what it replaced are gone. */
    async moved(from: FilePath, to: FilePath): Promise<void> {
      if (!(await isKnown(from)) && !(await isKnown(to))) return
      await inTransaction(db, async (trx) => {
        if (to.isWellFormed()) await trx.deleteFrom('dav_properties').where('place', '=', to).execute()
        if (!from.isWellFormed()) return
        const rows = await trx.deleteFrom('dav_properties').where(isAtOrBelow(from)).returningAll().execute()
        for (const { place, ...property } of rows) await insert(trx, placeUnder(to, pathFrom(from, place as FilePath) ?? ROOT), property)
      })
    },

    /** The copy has the same properties, as far as something was copied, and not more of them than fit into one request. */
    async copied(
      from: FilePath,
      to: FilePath,
      { isCopied }: { isCopied: (place: FilePath, copy: FilePath) => Promise<boolean> },
    ): Promise<void> {
      if (!(await isKnown(from)) && !(await isKnown(to))) return
      const rows = from.isWellFormed()
        ? await db.selectFrom('dav_properties').selectAll().where(isAtOrBelow(from)).orderBy('place').limit(MOST_COPIED).execute()
        : []
      const copies: { place: FilePath; property: DeadProperty }[] = []
      let chars = 0
      for (const { place, ...property } of rows) {
        const there = placeUnder(to, pathFrom(from, place as FilePath) ?? ROOT)
        chars += property.value.length
        if (chars > MOST_COPIED_CHARS) break
        if (await isCopied(place as FilePath, there)) copies.push({ place: there, property })
      }
      await inTransaction(db, async (trx) => {
        if (to.isWellFormed()) await trx.deleteFrom('dav_properties').where('place', '=', to).execute()
        for (const { place, property } of copies) await insert(trx, place, property)
      })
    },

    async removed(place: FilePath): Promise<void> {
      if (await isKnown(place)) await db.deleteFrom('dav_properties').where(isAtOrBelow(place)).execute()
    },
  }
}

export function keyOf({ namespace, name }: XmlName): string {
  return `{${namespace}}${name}`
}

import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { openTestDatabase } from '../db/test-database.ts'
import { createFactStore, type FactStore, type FileVersion } from './fact-store.ts'
import { type FoundFacts, NOTHING_FOUND } from './found-facts.ts'

const DAY_MS = 24 * 3600_000
const FACTS: FoundFacts = {
  ...NOTHING_FOUND,
  taken: { local: Date.UTC(2024, 6, 19, 12), offset: 120 },
  width: 600,
  height: 400,
  orientation: 6,
  place: { latitude: -33.857, longitude: 151.215 },
  caption: 'Hafen',
}

let db: Kysely<Schema>
let store: FactStore
let now = 0
beforeEach(async () => {
  db = await openTestDatabase()
  now = Date.UTC(2026, 0, 1)
  store = createFactStore({ db, clock: () => new Date(now), mostRows: 3 })
})
afterEach(() => db.destroy())

const version = (identity: string, more: Partial<FileVersion> = {}): FileVersion => ({ identity, size: 10, modified: 1.5, ...more })
const known = async (...names: string[]) => (await store.find(names.map((name) => version(name)))).map((one) => one !== null)

describe('the facts of photos that are kept', () => {
  it('are those of one version of a file', async () => {
    await store.keep([{ version: version('a'), facts: FACTS }])
    expect(await store.read(version('a'))).toEqual(FACTS)
    expect(await store.find([version('b'), version('a')])).toMatchObject([
      null,
      { taken: Date.UTC(2024, 6, 19, 12), taken_offset: 120, width: 400, height: 600, latitude: -33.857, longitude: 151.215 },
    ])
    for (const other of [{ size: 11 }, { modified: 1.25 }]) {
      expect(await store.read(version('a', other))).toBeNull()
      expect(await store.find([version('a', other)])).toEqual([null])
    }
    await store.keep([{ version: version('a', { size: 11 }), facts: NOTHING_FOUND }])
    expect(await store.read(version('a', { size: 11 }))).toEqual(NOTHING_FOUND)
  })

  it('are forgotten if nobody asks for them, and the oldest if there are too many', async () => {
    await store.keep(['a', 'b'].map((name) => ({ version: version(name), facts: FACTS })))
    now += 60 * DAY_MS
    expect(await known('a')).toEqual([true])
    now += 40 * DAY_MS
    await store.sweep()
    expect(await known('a', 'b')).toEqual([true, false])
    for (const name of ['c', 'd', 'e']) {
      now += 1000
      await store.keep([{ version: version(name), facts: FACTS }])
    }
    await store.sweep()
    expect(await known('a', 'c', 'd', 'e')).toEqual([false, true, true, true])
  })
})

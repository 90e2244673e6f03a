import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import type { Kysely } from 'kysely'
import { parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { MAX_FAVOURITES, MAX_RECENT, MAX_RECENT_UPLOADS } from '../../shared/limits.ts'
import type { Schema } from '../db/schema.ts'
import { openTestDatabase } from '../db/test-database.ts'
import { createVisitBuffer } from './visit-buffer.ts'
import { createFavouriteStore, type FavouriteStore } from './store.ts'

const ANN = 1
const BOB = 2

let db: Kysely<Schema>
let store: FavouriteStore

beforeEach(async () => {
  db = await openTestDatabase()
  store = createFavouriteStore(db)
})
afterEach(() => db.destroy())

describe('favourites', () => {
  it('are ordered by when they were added, each once, until the owner reorders them', async () => {
    await star(ANN, '/c', '/a', '/b', '/a')
    await star(BOB, '/x')
    expect(await store.favourites(ANN)).toEqual([at('/c'), at('/a'), at('/b')])
    await store.arrange(ANN, [at('/b'), at('/nothing'), at('/c')])
    await star(ANN, '/d')
    expect(await store.favourites(ANN)).toEqual([at('/b'), at('/c'), at('/a'), at('/d')])
    await store.unstar(ANN, [at('/c'), at('/x')])
    expect([await store.favourites(ANN), await store.favourites(BOB)]).toEqual([[at('/b'), at('/a'), at('/d')], [at('/x')]])
  })

  it('are limited in number', async () => {
    const rows = Array.from({ length: MAX_FAVOURITES }, (_, n) => ({ user_id: ANN, place: `/${n}`, rank: n }))
    await db.insertInto('favourites').values(rows).execute()
    expect([await store.star(ANN, at('/7')), await store.star(ANN, at('/one-more'))]).toEqual([true, false])
    expect(await store.favourites(ANN)).toHaveLength(MAX_FAVOURITES)
  })
})

describe('recent files', () => {
  it('are the latest ones, each once, newest first', async () => {
    await visit(ANN, ...Array.from({ length: MAX_RECENT }, (_, n) => [`/${n}`, n] as const))
    await visit(ANN, ['/3', 100], ['/new', 101])
    const places = (await store.recents(ANN)).map(({ storagePath }) => storagePath)
    expect([places.length, ...places.slice(0, 3)]).toEqual([MAX_RECENT, at('/new'), at('/3'), at('/49')])
    expect(places).not.toContain(at('/0'))
  })

  it('keep opened files when a whole folder is uploaded', async () => {
    await visit(ANN, ['/opened', 1])
    const uploads = Array.from({ length: MAX_RECENT }, (_, n) => ({ storagePath: at(`/${n}`), how: 'uploaded' as const, at: 2 + n }))
    await store.note(ANN, uploads)
    const places = (await store.recents(ANN)).map(({ storagePath }) => storagePath)
    expect([places.length, places[0], places.at(-1)]).toEqual([MAX_RECENT_UPLOADS + 1, at('/49'), at('/opened')])
  })

  it('are neither stored nor recorded for users who turned them off', async () => {
    await visit(ANN, ['/a', 1])
    await visit(BOB, ['/b', 1])
    await store.setKeepsRecent(ANN, false)
    await visit(ANN, ['/c', 2])
    expect([await store.recents(ANN), await store.keepsRecent(ANN), await store.keepsRecent(BOB)]).toEqual([[], false, true])
    await store.setKeepsRecent(ANN, true)
    await visit(ANN, ['/d', 3])
    await store.forget(BOB)
    expect([(await store.recents(ANN)).length, (await store.recents(BOB)).length]).toEqual([1, 0])
  })

  it('that come in a burst are written together, once for each file, and not after they were cleared', async () => {
    const writes: number[] = []
    const counted = {
      note: (userId: number, visits: Parameters<FavouriteStore['note']>[1]) => (writes.push(visits.length), store.note(userId, visits)),
    }
    const gathered = createVisitBuffer({ store: counted, log: () => undefined })
    for (let n = 0; n < 300; n++) gathered.add(ANN, [{ storagePath: at('/film.mkv'), how: 'opened', at: n }])
    for (let n = 0; n < 60; n++) gathered.add(ANN, [{ storagePath: at(`/${n}`), how: 'uploaded', at: 300 + n }])
    gathered.add(BOB, [{ storagePath: at('/secret'), how: 'opened', at: 1 }])
    gathered.drop(BOB)
    await gathered.settled()
    expect([writes, await store.recents(BOB)]).toEqual([[MAX_RECENT], []])
    expect((await store.recents(ANN))[0]).toEqual({ storagePath: at('/59'), how: 'uploaded', at: 359 })
  })
})

describe('operations on files', () => {
  it('a rename updates the rows of all users, by whole names, and replaces existing ones', async () => {
    await star(ANN, '/docs', '/docs/a.txt', '/docs-old', '/new/a.txt')
    await visit(BOB, ['/docs/a.txt', 5], ['/new/a.txt', 1], ['/docs%/_', 2])
    await store.moved(at('/docs'), at('/new'))
    expect(await store.favourites(ANN)).toEqual([at('/new'), at('/docs-old'), at('/new/a.txt')])
    expect((await store.recents(BOB)).map(({ storagePath, at: when }) => [storagePath as string, when])).toEqual([
      ['/new/a.txt', 5],
      ['/docs%/_', 2],
    ])
  })

  it('deleting files or users removes their rows', async () => {
    await star(ANN, '/docs', '/docs/a.txt', '/docs-old')
    await visit(BOB, ['/docs/a.txt', 5], ['/b.txt', 6])
    await store.removed(at('/docs'))
    expect([await store.favourites(ANN), (await store.recents(BOB)).map(({ storagePath }) => storagePath)]).toEqual([
      [at('/docs-old')],
      [at('/b.txt')],
    ])
    await store.setKeepsRecent(ANN, false)
    await store.sweep()
    expect([await store.favourites(ANN), await store.recents(BOB), await store.keepsRecent(ANN)]).toEqual([[], [], true])
    await star(ANN, '/x')
    await store.removed(ROOT)
    expect(await store.favourites(ANN)).toEqual([])
  })
})

async function star(userId: number, ...places: string[]): Promise<void> {
  for (const path of places) await store.star(userId, at(path))
}

async function visit(userId: number, ...visits: (readonly [place: string, when: number])[]): Promise<void> {
  await store.note(
    userId,
    visits.map(([path, when]) => ({ storagePath: at(path), how: 'opened', at: when })),
  )
}

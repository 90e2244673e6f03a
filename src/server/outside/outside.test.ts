import { afterEach, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { parseFilePath as at } from '../../shared/file-path.ts'
import { createMemoryBus } from '../bus/memory.ts'
import type { FoundNode } from '../../shared/found-node.ts'
import { openTestDatabase } from '../db/test-database.ts'
import { NO_RECORDER } from '../drive/recorder.ts'
import { createLocalIndex } from '../index/local-index.ts'
import { Settings } from '../settings/settings.ts'
import { type JournalEntry, toRow } from '../journal/operation-row.ts'
import { burstsOf } from './bursts.ts'
import { createOutsideModule } from './module.ts'
import { createPending } from './pending.ts'

setDefaultTimeout(30_000)

const made: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of made.splice(0).toReversed()) await end()
})

it('records what programs make, change and remove in a watched tree, by folder, and nothing of what was there at the start', async () => {
  const { write, remove, recorded, start } = await served()
  write('before.txt')
  write('docs/old.txt')
  write('docs/kept.txt')
  await start()
  write('docs/new.txt')
  write('docs/old.txt', 'more of it')
  remove('docs/kept.txt')
  for (let n = 0; n < 50; n++) write(`box/deep/${n}.txt`)
  expect(await recorded()).toEqual([
    { path: '/', counts: { appeared: 52, changed: 0, gone: 0 }, items: ['appeared /box'] },
    {
      path: '/docs',
      counts: { appeared: 1, changed: 1, gone: 1 },
      items: ['appeared /docs/new.txt', 'changed /docs/old.txt', 'gone /docs/kept.txt'],
    },
  ])
})

it('records nothing of what was done through Satchel: announced, or recorded by the paths that links lead to', async () => {
  const { write, move, recorded, start, bus, outside } = await served()
  write('docs/a.txt')
  await start()
  write('docs/uploaded.txt')
  bus.announce('files.changed', { storagePaths: [at('/docs/uploaded.txt')] })
  const recorder = outside.watching(NO_RECORDER)
  const row = await recorder.begin({ kind: 'move', path: at('/moved'), origin: at('/docs'), node: null, folder: true })
  move('docs', 'moved')
  write('moved/in it.txt')
  row.done()
  write('by another.txt')
  expect(await recorded()).toEqual([{ path: '/', counts: { appeared: 1, changed: 0, gone: 0 }, items: ['appeared /by another.txt'] }])
})

it('records nothing of the last files of a long copy of another server, which tells only when it is done', async () => {
  const { outside, db, bus, judged } = await served()
  const now = Date.now()
  const copy = (path: string, minutesAgo: number, kind: JournalEntry['kind'] = 'copy') => {
    const begun = now - minutesAgo * 60_000
    const nothing = { origin: null, version: null, restored: null, reverts: null, kept: null }
    const by = { id: 1, name: 'ann', via: 'web' } as const
    const what = { kind, path: at(path), identity: '1', folder: true, size: 0, modified: 0, state: 'done' } as const
    const entry: JournalEntry = { ...nothing, ...what, id: Bun.randomUUIDv7('hex', begun), group: crypto.randomUUID(), at: begun, by }
    return db.insertInto('operations').values(toRow(entry)).execute()
  }
  await copy('/copied', 10)
  await copy('/not announced', 10)
  await copy('/saved', 10, 'replace')
  bus.announce('files.changed', { storagePaths: [at('/copied'), at('/saved')] })
  await Bun.sleep(1)
  const beforeTheEnd = (path: string) => node(path, 'appeared', now - 40_000)
  bus.announce('files.found', {
    changes: [
      beforeTheEnd('/copied/deep/last.txt'),
      node('/copied/before it began.txt', 'appeared', now - 11 * 60_000),
      beforeTheEnd('/not announced/x.txt'),
      beforeTheEnd('/saved'),
      beforeTheEnd('/by a program.txt'),
    ],
  })
  await Bun.sleep(1)
  await outside.settled()
  expect((await judged()).toSorted()).toEqual(['/by a program.txt', '/copied/before it began.txt', '/not announced/x.txt', '/saved'])
})

it('records nothing of its own files below the served folder, nor if no activity is kept', async () => {
  const { write, recorded, start } = await served({ ownPlaces: [at('/data')] })
  write('data/satchel.db')
  await start()
  write('data/satchel.db', 'a row more')
  expect(await recorded()).toEqual([])
  const none = await served({ activityDays: 0 })
  await none.start()
  none.write('a.txt')
  expect(await none.recorded()).toEqual([])
})

it('continues an entry of the same files for an hour, and drops what is old', async () => {
  const { outside, rows } = await served()
  const burst = (first: number, path = '/log.txt') => ({
    path: at('/'),
    first,
    last: first + 10,
    counts: { appeared: 0, changed: 1, gone: 0 },
    items: [{ path: at(path), change: 'changed' as const, folder: false }],
  })
  const MINUTE = 60_000
  for (const n of [0, 1, 2, 90]) await outside.store.add(burst(1e12 + n * MINUTE))
  await outside.store.add(burst(1e12 + 91 * MINUTE, '/other.txt'))
  // Another server saw the same.
  await outside.store.add(burst(1e12 + 91 * MINUTE, '/other.txt'))
  expect((await rows()).map(({ first, last }) => [(first - 1e12) / MINUTE, Math.floor((last - 1e12) / MINUTE)])).toEqual([
    [91, 91],
    [90, 90],
    [0, 2],
  ])
  await outside.store.sweep({ until: 1e12 + 60 * MINUTE })
  expect(await rows()).toHaveLength(2)
  await outside.store.sweep({ until: 0, most: 1 })
  expect(await rows()).toHaveLength(1)
})

it('counts with the folders above where a program changes many folders', () => {
  const found = Array.from({ length: 500 }, (_, n) => node(`/a/${n % 5}/${n}/x.txt`, 'changed'))
  const bursts = burstsOf(found, { most: 10 })
  expect(bursts.map(({ path, counts }) => [path, counts.changed])).toEqual([0, 1, 2, 3, 4].map((n) => [at(`/a/${n}`), 100]))
  expect(bursts.every(({ items }) => items.length === 20)).toBe(true)
  expect(burstsOf([node('/a/new/x.txt', 'appeared')], { known: [at('/a/new')] })).toMatchObject([
    { path: '/a', items: [{ path: '/a/new', change: 'changed', folder: true }] },
  ])
})

it('waits until a folder is quiet, at most a minute, and forgets what came and went', () => {
  const pending = createPending()
  pending.add([node('/a/x', 'appeared', 0), node('/b/y', 'appeared', 0)])
  pending.add([node('/a/x', 'gone', 8000)])
  expect(pending.due(9000)).toEqual([])
  expect(pending.due(10_000).map(({ path }) => path)).toEqual([at('/b/y')])
  for (let second = 0; second <= 60; second += 5) pending.add([node('/a/x', 'changed', 20_000 + second * 1000)])
  expect(pending.due(79_000)).toEqual([])
  expect(pending.due(80_000)).toHaveLength(1)
  expect(pending.isEmpty()).toBe(true)
})

function node(path: string, change: FoundNode['change'], last = 0): FoundNode {
  return { path: at(path), change, folder: false, first: last, last }
}

async function served({ ownPlaces, activityDays = 90 }: { ownPlaces?: FoundNode['path'][]; activityDays?: number } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'satchel-outside-'))
  const root = join(home, 'root')
  mkdirSync(root)
  const clock = (): Date => new Date()
  const db = await openTestDatabase({ clock })
  const bus = createMemoryBus()
  const log = (line: string): never => {
    throw new Error(line)
  }
  const settings = Settings.parse({ activityDays })
  const outside = createOutsideModule({ db, bus, settings: { read: async () => settings, readNow: () => settings }, clock, log, ownPlaces })
  let index: ReturnType<typeof createLocalIndex> | null = null
  made.push(async () => {
    await index?.stop()
    await outside.stop()
    await db.destroy()
    rmSync(home, { recursive: true })
  })
  const rows = () => outside.store.find(sql<boolean>`1 = 1`, { before: null, from: null, limit: 100 })
  return {
    db,
    bus,
    outside,
    rows,
    /** What is recorded, by path. */
    judged: async () => (await rows()).flatMap(({ items }) => items.map(({ path }) => String(path))),
    write(path: string, text = '') {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    },
    remove: (path: string) => rmSync(join(root, path)),
    move: (from: string, to: string) => renameSync(join(root, from), join(root, to)),
    async start() {
      index = createLocalIndex({ root, file: join(home, 'tree'), bus, log })
      await index.settled()
    },
    /** What is recorded of what has happened until now. */
    async recorded() {
      await index?.settled()
      const passed = Promise.withResolvers<void>()
      const timer = setTimeout(passed.resolve, 6000)
      const unsubscribe = bus.on('files.found', () => passed.resolve())
      await passed.promise
      clearTimeout(timer)
      unsubscribe()
      await outside.settled()
      const all = (await rows()).map(({ path, counts, items }) => ({
        path: String(path),
        counts,
        items: items.map((item) => `${item.change} ${item.path}`).toSorted(),
      }))
      return all.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    },
  }
}

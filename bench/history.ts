/**
 * How long the history, what is next to undo, and the preview of a rewind take with a journal of a million operations.
 * `npx bun bench/history.ts [operations] [--postgres]`: on SQLite, or on a PostgreSQL of its own.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { startPostgres } from '../scripts/lib/postgres.mjs'
import { openDatabase } from '../src/server/db/database.ts'
import { openDrive } from '../src/server/drive/drive.ts'
import type { Viewer } from '../src/server/access/viewer.ts'
import { EVERYTHING } from '../src/server/access/everything.ts'
import { createOutsideStore } from '../src/server/outside/store.ts'
import { createHistoryRows } from '../src/server/undo/history-rows.ts'
import { latestOf } from '../src/server/undo/latest.ts'
import { listGestures } from '../src/server/undo/listing.ts'
import { createRewind } from '../src/server/undo/rewind.ts'
import { createRows } from '../src/server/undo/rows.ts'
import { Settings } from '../src/server/settings/settings.ts'
import { type JournalEntry, toRow } from '../src/server/journal/operation-row.ts'
import { createMemoryStorage } from '../src/server/storage/test-memory-storage.ts'
import { type FilePath, ROOT } from '../src/shared/file-path.ts'

const isPostgres = process.argv.includes('--postgres')
const COUNT = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 1_000_000)
const FOLDERS = 1000
const ROUNDS = 5

const folder = mkdtempSync(join(tmpdir(), 'satchel-history-'))
const postgres = isPostgres ? await startPostgres() : null
const db = await openDatabase(postgres === null ? { file: join(folder, 'satchel.db') } : { url: postgres.url }, { clock: () => new Date() })
const rows = createRows({ db, settled: async () => undefined })
const deps = { rows, history: createHistoryRows({ db }), outside: createOutsideStore(db), driveFor: () => openDrive(storage, EVERYTHING) }
const storage = createMemoryStorage()
for (const path of ['/big', '/big/0', '/old']) await storage.makeFolder(path as FilePath)

/** When the last operation was done. */
const last = Date.now()
let group = crypto.randomUUID() as string
for (let from = 0; from < COUNT; from += 1000) {
  const some = Array.from({ length: Math.min(1000, COUNT - from) }, (_, index): JournalEntry => {
    const n = from + index
    // One of ten gestures has 1,000 operations.
    if (n % 10_000 > 1000 || n % 10_000 === 0) group = crypto.randomUUID()
    const path = (n < 100 ? `/old/file-${n}` : `/big/${n % FOLDERS}/file-${n}`) as FilePath
    const by = { id: n % 7, name: `user-${n % 7}`, via: 'web' } as const
    const nothing = { version: null, restored: null, reverts: null, kept: null }
    const common = { origin: null, identity: `${n}`, folder: false, size: 1, modified: 1, ...nothing }
    return {
      ...common,
      id: Bun.randomUUIDv7('hex', last - COUNT + n),
      group,
      at: last - COUNT + n,
      by,
      kind: 'create',
      path,
      state: 'done',
    }
  })
  await db.insertInto('operations').values(some.map(toRow)).execute()
}
if (isPostgres) await sql`analyze operations`.execute(db)
const settings = { read: async () => Settings.parse({}), readNow: () => Settings.parse({}) }
const launch = (): Promise<never> => Promise.reject(new Error('only previews are measured'))
const rewind = createRewind({
  ...deps,
  settings,
  clock: () => new Date(),
  systemDrive: deps.driveFor(),
  recovered: async () => undefined,
  userJobs: { launch },
  log: console.error,
})
/** What was done in so many last milliseconds: an operation in each. */
const PREVIEWED = [100, 1000, 10_000, 100_000]
const viewer = { access: EVERYTHING, userId: 1, username: 'user-1' } as Viewer
const signal = new AbortController().signal

async function time(name: string, work: () => Promise<unknown>): Promise<void> {
  const took: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    await work()
    took.push(performance.now() - began)
  }
  console.log(`${name}: ${took.map((ms) => ms.toFixed(0)).join(' ')} ms`)
}

for (const path of [ROOT, '/big', '/big/0', '/old'])
  await time(`first page below ${path}`, () => listGestures(deps, { viewer, query: { path, below: true }, signal }))
await time('first page of a node', () => listGestures(deps, { viewer, query: { path: '/old', below: false }, signal }))
await time('next to undo', () => latestOf(deps, viewer))
for (const count of PREVIEWED) {
  const to = new Date(last - count).toISOString()
  await time(`preview of a rewind of ${count} operations`, () => rewind.preview(viewer, { path: '/', to }, { signal }))
}
await db.destroy()
postgres?.stop()
rmSync(folder, { recursive: true })

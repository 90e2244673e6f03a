import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../src/server/db/database.ts'
import { createLocalStorage } from '../src/server/storage/local.ts'
import { createDropper } from '../src/server/versions/dropper.ts'
import { createVersionStore } from '../src/server/versions/store.ts'
import { thinOut } from '../src/server/versions/thinning.ts'
import { sized } from './figures.ts'
import { holds, runBench } from './harness.ts'

/**
 * Thinning out versions that are all due at once, as after a change of the settings or after months without the server: for how long the process answers
 * nobody meanwhile. A third of them are too old, a third are several of the same hour, and a third stay. On SQLite, which works in the same thread.
 */
const VERSIONS = sized(300_000, 10_000)
const MOST_BLOCKED_MS = 50
const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS
/** Of one file in one hour, of which one stays. */
const IN_ONE_HOUR = 2
const ROWS_AT_ONCE = 1000
/** Two looks at clocks that are no further apart are one. */
const AT_ONCE_MS = 1

await runBench({ rounds: 1 }, async ({ folder }) => {
  const now = Date.now()
  const [root, data] = [join(folder, 'files'), join(folder, 'data')]
  for (const one of [root, data]) mkdirSync(one)
  await using db = await openDatabase({ file: join(data, 'satchel.db') }, { clock: () => new Date() })
  const storage = createLocalStorage(root)
  const store = createVersionStore(db)
  const kept = join(root, '.satchel/versions')
  for (let from = 0; from < VERSIONS; from += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, VERSIONS - from) }, (_, at) => rowOf(from + at, now))
    for (const { id } of rows) {
      mkdirSync(join(kept, id), { recursive: true })
      writeFileSync(join(kept, id, 'a.txt'), 'old')
    }
    await db.insertInto('versions').values(rows).execute()
  }
  const dropper = createDropper({ storage, store, log: console.log })
  const settings = { read: async () => ({ versionDays: 365 }) }
  const blocked = watchLoop()
  const began = performance.now()
  await thinOut({ store, dropper, settings, clock: () => new Date(now) })
  const seconds = (performance.now() - began) / 1000
  const most = blocked()
  const { left } = await db
    .selectFrom('versions')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .executeTakeFirstOrThrow()
  console.log(`${VERSIONS} due, ${left} left, ${seconds.toFixed(1)} s`)
  return [
    holds('versions due at once: longest time without an answer, ms', most, { atMost: MOST_BLOCKED_MS }),
    left === VERSIONS / 3,
  ].every(Boolean)
})

function rowOf(n: number, now: number) {
  const old = n % 3 === 0
  const file = Math.floor(n / 3 / 10)
  // The second and the third of each three are replaced in the same hour.
  const hour = now - 2 * DAY_MS - (Math.floor(n / 3) % 100) * HOUR_MS
  const at = old ? now - 400 * DAY_MS - n : Math.floor(hour / HOUR_MS) * HOUR_MS + (n % IN_ONE_HOUR) * 1000
  return {
    id: Bun.randomUUIDv7(),
    path: `/folder-${file % 100}/file-${old ? 'old' : Math.floor(n / 3)}.txt`,
    at,
    user_name: 'ann',
    size: 3,
    modified: at,
    identity: String(n),
    state: 'done' as const,
    tier: 0,
    trashed: '',
    kept_volume: '/',
  }
}

/**
 * Also under load, and with real-time priority, of which Linux takes 50 ms away each second: what this thread waited for a processor is not counted.
 * @returns a function that ends it and returns the longest time, in milliseconds, in which no timer ran
 */
function watchLoop(): () => number {
  let [most, last, running] = [0, ownMs(), true]
  const tick = (): void => {
    const now = ownMs()
    most = Math.max(most, now - last)
    last = now
    if (running) setImmediate(() => setTimeout(tick, 0))
  }
  tick()
  return () => {
    running = false
    return most
  }
}

/** The time without what the main thread has waited for a processor, as Linux counts it in nanoseconds. */
function ownMs(): number {
  for (;;) {
    const before = performance.now()
    const [, waited = 0] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ').map(Number)
    // Otherwise it may have waited in between, which would be counted once too often.
    if (performance.now() - before < AT_ONCE_MS) return before - waited / 1e6
  }
}

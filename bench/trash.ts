import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { startPostgres } from '../scripts/lib/postgres.mjs'
import { isShared } from '../src/server/db/database-kind.ts'
import { type DatabaseLocation, openDatabase } from '../src/server/db/database.ts'
import { sized } from './figures.ts'
import { fillFolder, holds, median, report, runBench, type Run, type Server, startServer } from './harness.ts'

/**
 * A folder of 100,000 files to the trash and back, against `rm -r` of the same; and the first page of a trash of a million entries, on SQLite and on
 * PostgreSQL: medians of whole requests.
 */
const ROUNDS = 5
const ENTRIES = sized(100_000, 10_000)
const ROWS = sized(1_000_000, 50_000)
const MOST_MOVE_MS = 50
const MOST_PAGE_MS = 200

const PAGES = {
  'of one person': '/api/trash',
  'of everybody': '/api/trash?all=true',
  'of a folder': '/api/trash?path=/folder-7',
  'a name that is there': '/api/trash?text=file-77',
}

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const moves = await movesOf(run, rounds)
  const pages = await pagesOn('SQLite', run, rounds, { file: join(run.folder, 'data/satchel.db') })
  const postgres = await startPostgres()
  try {
    const inside = { ...run, folder: join(run.folder, 'postgres') }
    mkdirSync(inside.folder)
    return [...moves, ...pages, ...(await pagesOn('PostgreSQL', inside, rounds, { url: postgres.url }))].every(Boolean)
  } finally {
    postgres.stop()
  }
})

async function movesOf(run: Run, rounds: number): Promise<boolean[]> {
  const server = await startServer(run, ['--disableIndex'])
  const times = { rm: [] as number[], removed: [] as number[], restored: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    fillFolder(join(server.root, 'many'), ENTRIES)
    fillFolder(join(server.root, 'same'), ENTRIES)
    const rm = await timed(() => Bun.$`rm -r ${join(server.root, 'same')}`.quiet())
    const removed = await timed(() => ask(server, '/api/resources/many', { method: 'DELETE' }))
    const { entries } = (await (await ask(server, '/api/trash')).json()) as { entries: { id: string }[] }
    const id = entries[0]?.id
    const restored = await timed(() => ask(server, `/api/trash/${id}/restore`, { method: 'POST', body: '{}' }))
    await Bun.$`rm -r ${join(server.root, 'many')}`.quiet()
    if (round === 0) continue
    times.rm.push(rm)
    times.removed.push(removed)
    times.restored.push(restored)
  }
  await server.stop()
  for (const [name, all] of Object.entries(times)) console.log(`${name.padEnd(8)} ms ${all.map((ms) => ms.toFixed(1)).join(' ')}`)
  const seen = (ours: readonly number[]) => ({
    ours: `${median(ours).toFixed(0)} ms`,
    reference: `rm -r ${median(times.rm).toFixed(0)} ms`,
  })
  return [
    holds('a folder to the trash, ms', median(times.removed), { atMost: MOST_MOVE_MS }, seen(times.removed)),
    holds('and back, ms', median(times.restored), { atMost: MOST_MOVE_MS }, seen(times.restored)),
  ]
}

async function pagesOn(name: string, run: Run, rounds: number, place: DatabaseLocation): Promise<boolean[]> {
  const database = typeof place === 'object' && 'url' in place ? ['--database', place.url] : []
  const server = await startServer(run, ['--disableIndex', ...database])
  for (let folder = 0; folder < 10; folder++) mkdirSync(join(server.root, `folder-${folder}`), { recursive: true })
  await fillTrash(place)
  const results: boolean[] = []
  for (const [what, address] of Object.entries(PAGES)) {
    const times: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const time = await timed(async () => (await ask(server, address)).text())
      if (round > 0) times.push(time)
    }
    results.push(holds(`first page ${what}, ms on ${name}`, median(times), { atMost: MOST_PAGE_MS }))
  }
  const search = await timed(async () => {
    for (let next: string | null = ''; next !== null;) {
      const page: { next: string | null } = (await (
        await ask(server, `/api/trash?text=none&${next === '' ? '' : `after=${next}`}`)
      ).json()) as { next: string | null }
      next = page.next
    }
  })
  report(`a name that is not there, ms on ${name}`, search)
  await server.stop()
  return results
}

/** Half of it is the administrator's, in ten folders. */
async function fillTrash(place: DatabaseLocation): Promise<void> {
  await using db = await openDatabase(place, { clock: () => new Date() })
  const columns = sql`(id, group_id, at, user_id, user_name, via, kind, path, name, parent, identity, folder, size, state, kept_volume, kept_id)`
  const id = isShared(db)
    ? sql`lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000'`
    : sql`printf('%08x', n) || '-0000-7000-8000-000000000000'`
  const numbers = isShared(db)
    ? sql`select n from generate_series(1, ${sql.lit(ROWS)}) as n`
    : sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(ROWS)}) select n from numbers`
  await sql`insert into operations ${columns}
    select ${id}, ${id}, ${sql.lit(Date.now())}, n % 2, 'somebody', 'web', 'delete', '/folder-' || n % 10 || '/file-' || n, 'file-' || n,
      '/folder-' || n % 10, '1:2:3', 0, 0, 'done', '/', ${id} from (${numbers}) as all_numbers`.execute(db)
  if (isShared(db)) await sql`analyze operations`.execute(db)
}

async function ask({ url, headers }: Server, address: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url + address, { ...init, headers })
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`)
  return response
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

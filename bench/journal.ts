import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../scripts/lib/postgres.mjs'
import { newSchema } from '../src/server/db/test-database.ts'
import { BULK_MEDIA_TYPE, bulkHead } from '../src/shared/contract/bulk.ts'
import { sized } from './figures.ts'
import { type Cost, costOf, holds, median, report, runBench, type Run, type Server, startServer } from './harness.ts'

/**
 * What the journal costs: small uploads, in one request each and fifty in a request, and replacing them, against a checkout of a commit before it.
 * `npx bun bench/journal.ts --reference FOLDER`, where that checkout is and was built, on SQLite and on PostgreSQL (`--only sqlite`, `--only postgres`).
 * Rounds alternate between both; each ratio is the median of the ratios of the rounds. What is settled later counts too.
 */
const ROUNDS = 15
const FILES = sized(400, 100)
const IN_BULK = sized(1000, 200)
const IN_REQUEST = 50
const LANES = 4
const BYTES = 4096
const MOST_SLOWER = 1.1
/** By then everything is settled. */
const SETTLED_AFTER_MS = 700

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { reference: text, only: text, rounds: text, folder: text, index: { type: 'boolean' } } })
if (values.reference === undefined) throw new Error('--reference: the folder of a checkout before the journal is needed')
// Of the other checkout: its command, as its own benchmarks start it.
const { serverCommand } = (await import(resolve(values.reference, 'scripts/lib/server.mjs'))) as { serverCommand(): string[] }
const before = serverCommand()

const WORKS = {
  'small uploads': (server: Server, folder: string) => inLanes(FILES, (n) => send(server, `${folder}/${n}`, 'POST')),
  'uploads in bulk': (server: Server, folder: string) => inLanes(IN_BULK / IN_REQUEST, (n) => sendMany(server, `${folder}/many-${n}`)),
  replacing: (server: Server, folder: string) => inLanes(FILES, (n) => send(server, `${folder}/${n}?override=true`, 'POST')),
} as const
type Work = keyof typeof WORKS
const CONTENT = crypto.getRandomValues(new Uint8Array(BYTES))

await runBench({ rounds: ROUNDS, more: { reference: text, only: text, index: { type: 'boolean' } } }, async (run, rounds) => {
  const results: boolean[] = []
  if (values.only !== 'postgres') results.push(...(await compared('SQLite', { run, rounds, database: async () => [] })))
  if (values.only !== 'sqlite') {
    const postgres = await startPostgres()
    const database = async (): Promise<string[]> => ['--database', await newSchema(postgres.url)]
    try {
      results.push(...(await compared('PostgreSQL', { run, rounds, database })))
    } finally {
      postgres.stop()
    }
  }
  return results.every(Boolean)
})

async function compared(
  name: string,
  { run, rounds, database }: { run: Run; rounds: number; database: () => Promise<string[]> },
): Promise<boolean[]> {
  const start = async (which: string, command?: readonly string[]): Promise<Server> => {
    const folder = join(run.folder, `${name}-${which}`)
    mkdirSync(folder)
    const options = [...(values.index === true ? [] : ['--disableIndex']), ...(await database())]
    return startServer({ ...run, folder }, options, command)
  }
  const servers = [await start('before', before), await start('now')] as const
  const costs: Record<Work, { before: Cost; now: Cost }[]> = { 'small uploads': [], 'uploads in bulk': [], replacing: [] }
  for (let round = 0; round <= rounds; round++) {
    for (const work of Object.keys(WORKS) as Work[]) {
      const measure = (server: Server): Promise<Cost> => measured(server, () => WORKS[work](server, `round-${round}`))
      // The order changes, so that neither always comes first.
      const order = round % 2 === 0 ? servers : [servers[1], servers[0]]
      const found = new Map<Server, Cost>()
      for (const server of order) found.set(server, await measure(server))
      const [old, now] = [found.get(servers[0]), found.get(servers[1])]
      // The first round warms up.
      if (round > 0 && old !== undefined && now !== undefined) costs[work].push({ before: old, now })
    }
  }
  for (const server of servers) await server.stop()
  return Object.entries(costs).map(([work, all]) => {
    const seen = (kind: 'wall' | 'cpu') => ({
      ours: `${(median(all.map(({ now }) => now[kind])) * 1000).toFixed(0)} ms`,
      reference: `before ${(median(all.map((one) => one.before[kind])) * 1000).toFixed(0)} ms`,
    })
    const ratio = (kind: 'wall' | 'cpu'): number => median(all.map((one) => one.now[kind] / one.before[kind]))
    report(`${work}, ${name}: CPU ÷ before`, ratio('cpu'), seen('cpu'))
    return holds(`${work}, ${name}: time ÷ before`, ratio('wall'), { atMost: MOST_SLOWER }, seen('wall'))
  })
}

/** The time of the answers, and the processor time until everything is settled. */
async function measured(server: Server, work: () => Promise<void>): Promise<Cost> {
  let wall = 0
  const { cpu } = await costOf(server.pid, async () => {
    const start = performance.now()
    await work()
    wall = (performance.now() - start) / 1000
    await Bun.sleep(SETTLED_AFTER_MS)
  })
  return { wall, cpu }
}

async function inLanes(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) await work(n)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

async function send({ url, headers }: Server, path: string, method: 'POST' | 'PUT'): Promise<void> {
  await sent(await fetch(`${url}/api/resources/${path}`, { method, headers, body: CONTENT }), path)
}

async function sendMany({ url, headers }: Server, folder: string): Promise<void> {
  const files = Array.from({ length: IN_REQUEST }, (_, n) => ({ path: `/${folder}/${n}`, size: BYTES }))
  const body = new Blob([bulkHead(files), ...files.map(() => CONTENT)])
  await sent(await fetch(`${url}/api/bulk`, { method: 'POST', headers: { ...headers, 'content-type': BULK_MEDIA_TYPE }, body }), folder)
}

async function sent(answer: Response, what: string): Promise<void> {
  const said = await answer.text()
  if (!answer.ok || said.includes('"code"')) throw new Error(`${what}: ${answer.status} ${said}`)
}

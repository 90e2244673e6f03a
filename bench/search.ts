import { join } from 'node:path'
import { mkdirSync, writeFileSync } from 'node:fs'
import { sized } from './figures.ts'
import { curlHeaders, median, report, runBench, type Server, startServer } from './harness.ts'

/** Names in a tree of 200,000 files, found by a walk, against `find -iname` over the same, in turn: medians. Reported only; an index is to come. */
const ROUNDS = 5
const FOLDERS = sized(2000, 100)
const FILES_EACH = 100

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const server = await startServer(run)
  const tree = join(server.root, 'tree')
  plant(tree)
  const times = { find: [] as number[], array: [] as number[], lines: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const find = await timed(() => Bun.$`find ${tree} -iname ${'*needle*'} > /dev/null`.quiet())
    const array = await timed(() => search(server, 'application/json'))
    const lines = await timed(() => search(server, 'application/x-ndjson'))
    // The first round starts threads and fills caches.
    if (round === 0) continue
    times.find.push(find)
    times.array.push(array)
    times.lines.push(lines)
  }
  for (const [name, all] of Object.entries(times)) console.log(`${name.padEnd(6)} ms ${all.map((ms) => ms.toFixed(0)).join(' ')}`)
  for (const name of ['array', 'lines'] as const) {
    const seen = { ours: `${median(times[name]).toFixed(0)} ms`, reference: `find ${median(times.find).toFixed(0)} ms` }
    report(`${name} × find`, median(times[name]) / median(times.find), seen)
  }
  return true
})

/** One file of a thousand is a needle. */
function plant(tree: string): void {
  for (let folder = 0; folder < FOLDERS; folder++) {
    const place = join(tree, `group ${folder % 50}`, `folder ${folder}`)
    mkdirSync(place, { recursive: true })
    for (let file = 0; file < FILES_EACH; file++) {
      const number = folder * FILES_EACH + file
      writeFileSync(join(place, number % 1000 === 7 ? `a Needle ${number}.txt` : `report ${number}.txt`), '')
    }
  }
}

async function search({ url, headers }: Server, accept: string): Promise<void> {
  await Bun.$`curl -sf -o /dev/null ${curlHeaders({ ...headers, accept })} ${`${url}/api/search/tree/?query=needle`}`.quiet()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

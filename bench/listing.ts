import { join } from 'node:path'
import { ROWS_MEDIA_TYPE } from '../src/shared/contract/resources.ts'
import { sized } from './figures.ts'
import { curlHeaders, fillFolder, holds, median, quantile, runBench, type Server, startServer } from './harness.ts'

/** A folder of 100,000 entries, complete at the client, against `find -printf` of the same, in turn: medians, and how long others wait meanwhile. */
const ROUNDS = 7
const ENTRIES = sized(100_000, 10_000)
const MOST_ROWS_RATIO = 2.5
const MOST_ITEMS_RATIO = 4
const MOST_WAIT_MS = 50
const ASK_EVERY_MS = 5

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const server = await startServer(run)
  const folder = join(server.root, 'many')
  fillFolder(folder, ENTRIES)
  const times = { find: [] as number[], rows: [] as number[], items: [] as number[] }
  const waits: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const find = await timed(() => Bun.$`find ${folder} -maxdepth 1 -printf ${'%s %T@ %f\n'} > /dev/null`.quiet())
    const watch = watchHealth(server.url)
    const rows = await timed(() => list(server, ROWS_MEDIA_TYPE))
    const items = await timed(() => list(server, 'application/json'))
    const waited = await watch.end()
    // The first round starts threads and fills caches.
    if (round === 0) continue
    times.find.push(find)
    times.rows.push(rows)
    times.items.push(items)
    waits.push(...waited)
  }
  for (const [name, all] of Object.entries(times)) console.log(`${name.padEnd(6)} ms ${all.map((ms) => ms.toFixed(0)).join(' ')}`)
  console.log(
    `others ms p50 ${quantile(waits, 0.5).toFixed(1)}, p95 ${quantile(waits, 0.95).toFixed(1)}, worst ${Math.max(...waits).toFixed(0)}`,
  )
  const beside = (ours: readonly number[]) => ({
    ours: `${median(ours).toFixed(0)} ms`,
    reference: `find ${median(times.find).toFixed(0)} ms`,
  })
  return [
    holds('compact answer × find', median(times.rows) / median(times.find), { atMost: MOST_ROWS_RATIO }, beside(times.rows)),
    holds('full objects × find', median(times.items) / median(times.find), { atMost: MOST_ITEMS_RATIO }, beside(times.items)),
    holds('others meanwhile, p95 in ms', quantile(waits, 0.95), { atMost: MOST_WAIT_MS }),
  ].every(Boolean)
})

/** By curl, because a client in this process would share its time with the measuring. */
async function list({ url, headers }: Server, accept: string): Promise<void> {
  await Bun.$`curl -sf -o /dev/null ${curlHeaders({ ...headers, accept })} ${url}/api/resources/many/`.quiet()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function watchHealth(url: string): { end: () => Promise<number[]> } {
  const waits: number[] = []
  const stop = new AbortController()
  const loop = (async () => {
    while (!stop.signal.aborted) {
      waits.push(await timed(() => fetch(`${url}/health`).then((response) => response.text())))
      await Bun.sleep(ASK_EVERY_MS)
    }
  })()
  return {
    async end() {
      stop.abort()
      await loop
      return waits
    },
  }
}

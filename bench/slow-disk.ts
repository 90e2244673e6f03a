import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mountSlowDisk } from '../scripts/slow-disk/slow-disk.ts'
import { sized } from './figures.ts'
import { fillFolder, holds, quantile, report, runBench, startServer } from './harness.ts'

/**
 * How long `/health` and the listing of a folder take while eight clients list, upload to and download from a disk below the root of which each
 * operation takes five seconds (R5).
 */
const CLIENTS = 8
const OPERATION_MS = Number(process.env.OPERATION_MS ?? 5000)
const SECONDS = sized(60, 15)
const MOST_P99_MS = 100
const ENTRIES = 200
/** A request that takes longer is counted with this. */
const LONGEST_MS = 30_000

await runBench({ rounds: 1 }, async (run) => {
  const slow = join(run.folder, 'root', 'slow')
  mkdirSync(slow, { recursive: true })
  await using disk = await mountSlowDisk(slow)
  writeFileSync(join(slow, 'file.txt'), 'a file on a slow disk')
  const server = await startServer(run)
  fillFolder(join(server.root, 'other'), ENTRIES)
  const ask = async (address: string, init: RequestInit = {}): Promise<number> => {
    const response = await fetch(server.url + address, { ...init, headers: server.headers, signal: AbortSignal.timeout(LONGEST_MS) })
    await response.arrayBuffer()
    return response.status
  }

  async function measured(until: number): Promise<{ health: number[]; listing: number[] }> {
    const took = { health: [] as number[], listing: [] as number[] }
    while (performance.now() < until) {
      took.health.push(await timed(() => ask('/health')))
      took.listing.push(await timed(() => ask('/api/resources/other/')))
      await Bun.sleep(5)
    }
    return took
  }

  const quiet = await measured(performance.now() + 3000)
  await disk.delay(OPERATION_MS)
  const end = performance.now() + SECONDS * 1000
  const answered: number[] = []
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let turn = client; performance.now() < end; turn++) {
      const upload = { method: 'POST', body: 'uploaded' }
      const calls = [['/api/resources/slow/'], ['/api/raw/slow/file.txt'], [`/api/resources/slow/${client}-${turn}.txt`, upload]] as const
      const [address, init] = calls[turn % 3] ?? calls[0]
      answered.push(await ask(address, init).catch(() => 0))
    }
  })
  const busy = await measured(end)
  await disk.delay(0)
  await Promise.all(clients)
  await server.stop()
  const counts = [...new Set(answered)].map((status) => `${answered.filter((one) => one === status).length} × ${status}`)
  console.log(`answers of the slow disk: ${counts.join(', ')}; ${busy.health.length} rounds beside them`)
  report('p99 of /health before, ms', quantile(quiet.health, 0.99))
  report('p99 of another listing before, ms', quantile(quiet.listing, 0.99))
  report('longest /health beside a slow disk, ms', Math.max(...busy.health))
  return [
    holds('p99 of /health beside a slow disk, ms', quantile(busy.health, 0.99), { atMost: MOST_P99_MS }),
    holds('p99 of another listing beside a slow disk, ms', quantile(busy.listing, 0.99), { atMost: MOST_P99_MS }),
  ].every(Boolean)
})

async function timed(work: () => Promise<number>): Promise<number> {
  const start = performance.now()
  await work().catch(() => 0)
  return performance.now() - start
}

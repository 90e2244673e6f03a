import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../src/shared/file-path.ts'
import { parseQuery } from '../src/shared/search-query.ts'
import { createMemoryBus } from '../src/server/bus/memory.ts'
import { createLocalIndex, type LocalIndex } from '../src/server/index/local-index.ts'
import { sized } from './figures.ts'
import { holds, median, quantile, type Run, runBench, type Server, startServer } from './harness.ts'

/**
 * The index of 1,000,000 files against `find` over the same: the first reading, the start after it, what it takes of disk and memory, how long
 * others wait meanwhile, searches, and that nothing is read when nothing happens. `--rounds N` are the rounds of searches.
 */
const ROUNDS = 20
/** `FOLDERS=1000` in the environment for a small machine. */
const FOLDERS = Number(process.env['FOLDERS'] ?? sized(10_000, 500))
const FILES_EACH = 100
const ENTRIES = FOLDERS * (FILES_EACH + 1) + 100
const METRICS_PORT = 20_000 + (process.pid % 20_000)
/** `IDLE_MINUTES=10` for a long look. */
const IDLE_MS = Number(process.env['IDLE_MINUTES'] ?? 0.25) * 60_000
/** One hit, some, many, two letters, none. */
const QUERIES = ['needle-77', 'needle', 'report-4242', 'Отчёт-12', 'zq', '"no such name"']
const HITS_SHOWN = 10_000

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const metrics = ['--metricsAddress', String(METRICS_PORT)]
  const root = join(run.folder, 'root')
  plant(join(root, 'tree'))
  const list = () => Bun.$`find ${root} -printf ${'%s %T@ %p\n'} > /dev/null`.quiet()
  await list()
  const listing = await timed(list)

  const builder = await startServer(run, metrics)
  const waiting = watchHealth(builder.url)
  const build = await timed(() => isReady())
  const waits = await waiting.end()
  const peak = memory(builder, 'VmHWM')
  await Bun.sleep(2000)
  await builder.stop()
  const file = join(run.folder, 'data', 'index', 'tree')
  const bytes = statSync(file).size / ENTRIES

  const begun = performance.now()
  const server = await startServer(run, metrics)
  await isReady()
  const restart = performance.now() - begun
  await passOver(server)
  const resident = memory(server, 'VmRSS')
  const before = bytesRead(server)
  await Bun.sleep(IDLE_MS)
  const idle = bytesRead(server) - before
  await server.stop()

  const searches = await measureSearches(run, { root, file, rounds })
  console.log(`find -printf ${listing.toFixed(0)} ms, first index ${build.toFixed(0)} ms, start with it ${restart.toFixed(0)} ms`)
  console.log(`find -iname ms ${searches.finds.map((ms) => ms.toFixed(0)).join(' ')}`)
  return [
    holds('first index × find -printf', build / listing, { atMost: 8 }),
    holds('others while it is read, p95 in ms', quantile(waits, 0.95), { atMost: 50 }),
    holds('resident while it is read, at most, MB', peak, { atMost: 350 }),
    holds('snapshot, bytes for each entry', bytes, { atMost: 200 }),
    holds('start to answers, ms', restart, { atMost: 2000 }),
    holds('resident after a restart, MB', resident, { atMost: 200 }),
    holds('read from the disk while idle, bytes', idle, { atMost: 0 }),
    holds('search, p95 in ms', quantile(searches.whole, 0.95), { atMost: 50 }),
    holds('first hit, p95 in ms', quantile(searches.first, 0.95), { atMost: 20 }),
    holds('find -iname × median search', median(searches.finds) / median(searches.whole), { atLeast: 50 }),
    holds('find -iname × p95 search', median(searches.finds) / quantile(searches.whole, 0.95), { atLeast: 15 }),
  ].every(Boolean)
})

function plant(tree: string): void {
  const words = ['report', 'Отчёт', 'IMG', 'résumé', 'invoice', 'Screenshot']
  const types = ['txt', 'jpg', 'pdf', 'mp4', 'zip', 'log']
  for (let folder = 0; folder < FOLDERS; folder++) {
    const place = join(tree, `group ${folder % 100}`, `folder ${folder}`)
    mkdirSync(place, { recursive: true })
    for (let file = 0; file < FILES_EACH; file++) {
      const number = folder * FILES_EACH + file
      const word = number % 10_000 === 77 ? 'a Needle' : words[number % words.length]
      closeSync(openSync(join(place, `${word}-${(number * 7919) % 1_000_003}.${types[number % types.length]}`), 'w'))
    }
  }
}

/** Searches in this process, after the snapshot of the server, and `find` over the same tree between them. */
async function measureSearches({ folder }: Run, { root, file, rounds }: { root: string; file: string; rounds: number }) {
  const own = join(folder, 'own-tree')
  copyFileSync(file, own)
  const index = createLocalIndex({ root, file: own, bus: createMemoryBus(), log: console.log })
  while (index.state().phase !== 'ready') await Bun.sleep(20)
  const whole: number[] = []
  const first: number[] = []
  const finds: number[] = []
  for (let round = 0; round <= rounds; round++) {
    for (const query of QUERIES) {
      const [toFirst, toLast] = await search(index, query)
      // The first round fills caches.
      if (round === 0) continue
      first.push(toFirst)
      whole.push(toLast)
    }
    if (round < 3) finds.push(await timed(() => Bun.$`find ${root} -iname ${'*needle*'} > /dev/null`.quiet()))
  }
  await index.stop()
  return { whole, first, finds }
}

/** @returns milliseconds to the first hits, and to all that are shown */
async function search(index: LocalIndex, text: string): Promise<[number, number]> {
  const start = performance.now()
  const { signal } = new AbortController()
  const hits = await index.find(ROOT, parseQuery(text, new Date()), signal)
  if (hits === null) throw new Error('the index does not know')
  let first: number | null = null
  let count = 0
  for await (const batch of hits) {
    first ??= performance.now() - start
    count += batch.length
    if (count >= HITS_SHOWN) break
  }
  const whole = performance.now() - start
  return [first ?? whole, whole]
}

async function isReady(): Promise<void> {
  for (;;) {
    const text = await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`).then((answer) => answer.text())
    if (/^satchel_index_ready 1$/m.test(text)) return
    await Bun.sleep(50)
  }
}

/** The gentle look at everything after a start reads on; it has ended when a few seconds cost no time. */
async function passOver({ pid }: Server): Promise<void> {
  for (let before = -1, now = ticks(pid); now - before > 10; now = ticks(pid)) {
    before = now
    await Bun.sleep(3000)
  }
}

function ticks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return Number(fields[11]) + Number(fields[12])
}

function memory({ pid }: Server, field: 'VmHWM' | 'VmRSS'): number {
  return Number(new RegExp(`${field}:\\s*(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

function bytesRead({ pid }: Server): number {
  return Number(/^read_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])
}

function watchHealth(url: string): { end: () => Promise<number[]> } {
  const waits: number[] = []
  const stop = new AbortController()
  const loop = (async () => {
    while (!stop.signal.aborted) {
      waits.push(await timed(() => fetch(`${url}/health`).then((answer) => answer.text())))
      await Bun.sleep(20)
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

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

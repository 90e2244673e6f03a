import { closeSync, mkdirSync, openSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { ROWS_MEDIA_TYPE } from '../src/shared/contract/resources.ts'
import { median, quantile, rootFolder, startSubject } from './subject.ts'

/**
 * A folder of 100,000 entries, complete at the client, against `find -printf` of the same: medians of seven rounds in turn, and how long other
 * requests take meanwhile. `bun bench/listing.ts`, or with `--url --token --root` for a server that runs already over the folder `root`.
 */
const ROUNDS = 7
const ENTRIES = 100_000

const root = rootFolder()
const folder = join(root, 'bench-listing')
fill()

{
  await using subject = await startSubject(root)
  const times = { find: [] as number[], rows: [] as number[], items: [] as number[] }
  const others: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const found = await timed(() => Bun.$`find ${folder} -maxdepth 1 -printf ${'%s %T@ %f\n'} > /dev/null`.quiet())
    const watch = watchHealth(subject.url)
    const rows = await timed(() => list(ROWS_MEDIA_TYPE))
    const items = await timed(() => list('application/json'))
    const waits = await watch.end()
    // The first round starts threads and fills caches.
    if (round === 0) continue
    times.find.push(found)
    times.rows.push(rows)
    times.items.push(items)
    others.push(...waits)
  }
  const find = median(times.find)
  for (const [name, all] of Object.entries(times)) {
    console.log(
      `${name}: ${median(all).toFixed(0)} ms (${(median(all) / find).toFixed(2)} x find), all ${all.map((ms) => ms.toFixed(0)).join(' ')}`,
    )
  }
  console.log(
    `/health meanwhile: p50 ${quantile(others, 0.5).toFixed(1)} ms, p95 ${quantile(others, 0.95).toFixed(1)} ms, worst ${Math.max(...others).toFixed(0)} ms`,
  )

  /** By curl, because a client in this process would share its time with the measuring. */
  async function list(accept: string): Promise<void> {
    const headers = Object.entries({ ...subject.headers, accept }).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    await Bun.$`curl -sf -o /dev/null ${headers} ${subject.url}/api/resources/bench-listing`.quiet()
  }
}
rmSync(folder, { recursive: true })

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Asks for /health every 5 ms until told to stop. */
function watchHealth(url: string): { end: () => Promise<number[]> } {
  const waits: number[] = []
  const stop = new AbortController()
  const loop = (async () => {
    while (!stop.signal.aborted) {
      waits.push(await timed(() => fetch(`${url}/health`).then((response) => response.text())))
      await Bun.sleep(5)
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

/** Two in a hundred are folders; names of four alphabets. */
function fill(): void {
  mkdirSync(folder, { recursive: true })
  const words = ['report', 'отчёт', '文件', 'résumé']
  const types = ['txt', 'jpg', 'pdf', 'mp4', 'zip', 'log']
  for (let i = 0; i < ENTRIES; i++) {
    const name = join(folder, `${words[i % 4]}-${(i * 7919) % ENTRIES}${i % 50 === 0 ? '' : `.${types[i % 6]}`}`)
    if (i % 50 === 0) {
      mkdirSync(name)
      continue
    }
    closeSync(openSync(name, 'w'))
    utimesSync(name, 1.7e9 + i, 1.7e9 + i * 13.37)
  }
}

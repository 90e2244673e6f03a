import { join } from 'node:path'
import { mkdirSync, writeFileSync } from 'node:fs'
import { sized } from './figures.ts'
import { curlHeaders, median, report, runBench, type Server, startServer } from './harness.ts'

/**
 * Names in a tree of 200,000 files against `find -iname` over the same, and texts in 20,000 files of 4 KB against `grep -rliIF`, in turn: medians.
 * Reported only.
 */
const ROUNDS = 5
const FOLDERS = sized(2000, 100)
const FILES_EACH = 100
const TEXTS = sized(20_000, 1000)
const TEXTS_EACH = 50

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const server = await startServer(run)
  const tree = join(server.root, 'tree')
  const texts = join(server.root, 'texts')
  plant(tree)
  plantTexts(texts)
  const times = { find: [] as number[], array: [] as number[], lines: [] as number[], grep: [] as number[], content: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const find = await timed(() => Bun.$`find ${tree} -iname ${'*needle*'} > /dev/null`.quiet())
    const array = await timed(() => search(server, 'application/json'))
    const lines = await timed(() => search(server, 'application/x-ndjson'))
    const grep = await timed(() => Bun.$`grep -rliIF needle ${texts} > /dev/null`.quiet())
    const content = await timed(() => search(server, 'application/x-ndjson', { folder: 'texts', query: 'content:needle' }))
    // The first round starts threads and fills caches.
    if (round === 0) continue
    times.find.push(find)
    times.array.push(array)
    times.lines.push(lines)
    times.grep.push(grep)
    times.content.push(content)
  }
  for (const [name, all] of Object.entries(times)) console.log(`${name.padEnd(7)} ms ${all.map((ms) => ms.toFixed(0)).join(' ')}`)
  for (const [name, reference] of [
    ['array', 'find'],
    ['lines', 'find'],
    ['content', 'grep'],
  ] as const) {
    const seen = { ours: `${median(times[name]).toFixed(0)} ms`, reference: `${reference} ${median(times[reference]).toFixed(0)} ms` }
    report(`${name} × ${reference}`, median(times[name]) / median(times[reference]), seen)
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

/** One text of a thousand holds a needle, in its middle. */
function plantTexts(folder: string): void {
  const half = 'It was a bright cold day in April, and the clocks were striking thirteen.\n'.repeat(28)
  for (let number = 0; number < TEXTS; number++) {
    const place = join(folder, `folder ${Math.floor(number / TEXTS_EACH)}`)
    if (number % TEXTS_EACH === 0) mkdirSync(place, { recursive: true })
    writeFileSync(join(place, `text ${number}.md`), `${half}${number % 1000 === 7 ? 'a Needle' : 'hay'} ${number}\n${half}`)
  }
}

async function search({ url, headers }: Server, accept: string, { folder = 'tree', query = 'needle' } = {}): Promise<void> {
  await Bun.$`curl -sf -o /dev/null ${curlHeaders({ ...headers, accept })} ${`${url}/api/search/${folder}/?query=${query}`}`.quiet()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

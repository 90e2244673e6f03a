import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Seen, sized } from './figures.ts'
import { curlHeaders, holds, makeFile, median, report, runBench, type Server, startServer } from './harness.ts'

/** Archives against the tools one would use instead, in turn, and the stored zip of one file against its plain download. */
const ROUNDS = 3
const ONE_FILE_BYTES = sized(2e9, 200e6)
const SMALL_FILES = sized(100_000, 5000)
const TEXT_BYTES = sized(600e6, 60e6)

/** `PARTS=one,small` measures only those. */
const PARTS = (process.env['PARTS'] ?? 'one,small,gz,zst').split(',')

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  // The index has its own limit of memory and its own bench: what archives take is measured here.
  const server = await startServer(run, ['--disableIndex'])
  const results: boolean[] = []
  if (PARTS.includes('one')) {
    mkdirSync(join(server.root, 'one'))
    await makeFile(join(server.root, 'one/big.bin'), ONE_FILE_BYTES)
    const first = await secondsOf(archiveOf(server, 'one', 'zip'))
    console.log(`first download, no checksum known: ${first.toFixed(2)} s`)
    const { value, seen } = await ratio(rounds, plainOf(server), archiveOf(server, 'one', 'zip'))
    results.push(holds('zip of one file × plain download', value, { atLeast: 0.8 }, seen))
  }
  if (PARTS.includes('small')) {
    fillSmall(join(server.root, 'small'))
    const { value, seen } = await ratio(rounds, toolOn(server, 'small', 'zip -0 -q -r - .'), archiveOf(server, 'small', 'zip'))
    results.push(holds(`time of ${SMALL_FILES} files as zip ÷ zip -0`, 1 / value, { atMost: 1.5 }, seen))
  }
  if (PARTS.includes('gz') || PARTS.includes('zst')) await fillText(join(server.root, 'text'))
  if (PARTS.includes('gz')) {
    const { value, seen } = await ratio(rounds, toolOn(server, 'text', 'tar cf - . | gzip -1'), archiveOf(server, 'text', 'tar.gz'))
    results.push(holds('tar.gz × tar, gzip -1', value, { atLeast: 1.8 }, seen))
  }
  if (PARTS.includes('zst')) {
    const { value, seen } = await ratio(rounds, toolOn(server, 'text', 'tar cf - . | zstd -1 -T2'), archiveOf(server, 'text', 'tar.zst'))
    results.push(holds('tar.zst × tar, zstd -1 -T2', value, { atLeast: 0.7 }, seen))
  }
  // What one long download may take is judged by archive-proofs; this is after all of the above, again and again.
  report('most resident, MB', peakMegabytes(server))
  return results.every(Boolean)
})

/** How many times as fast the second is: medians, after one pair for the page cache. */
async function ratio(rounds: number, reference: () => Promise<void>, ours: () => Promise<void>): Promise<{ value: number; seen: Seen }> {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round <= rounds; round++) {
    const one = await secondsOf(reference)
    const other = await secondsOf(ours)
    if (round === 0) continue
    times[0].push(one)
    times[1].push(other)
  }
  console.log(`reference s ${words(times[0])} | satchel s ${words(times[1])}`)
  const [theirs, mine] = [median(times[0]), median(times[1])]
  return { value: theirs / mine, seen: { ours: `${mine.toFixed(2)} s`, reference: `${theirs.toFixed(2)} s` } }
}

function words(seconds: readonly number[]): string {
  return seconds.map((value) => value.toFixed(2)).join(' ')
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

function archiveOf({ url, headers }: Server, folder: string, format: string): () => Promise<void> {
  return async () => void (await Bun.$`curl -sf -o /dev/null ${curlHeaders(headers)} ${`${url}/api/raw/${folder}?algo=${format}`}`)
}

function plainOf({ url, headers }: Server): () => Promise<void> {
  return async () => void (await Bun.$`curl -sf -o /dev/null ${curlHeaders(headers)} ${`${url}/api/raw/one/big.bin`}`)
}

/** A pipeline in a folder; its output is read and thrown away. */
function toolOn({ root }: Server, folder: string, pipeline: string): () => Promise<void> {
  return async () => void (await Bun.$`sh -c ${`cd ${join(root, folder)} && { ${pipeline}; } | cat > /dev/null`}`)
}

function fillSmall(folder: string): void {
  for (let i = 0; i < SMALL_FILES; i++) {
    const inner = join(folder, String(i % 100))
    if (i < 100) mkdirSync(inner, { recursive: true })
    writeFileSync(join(inner, `file-${i}.txt`), `the text of ${i}\n`.repeat(20))
  }
}

/** The product's own sources, over and over: text as people keep it. */
async function fillText(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const sources = [...new Bun.Glob('**/*.{ts,tsx,md,json}').scanSync(join(import.meta.dir, '../src'))]
  const texts = sources.map((name) => readFileSync(join(import.meta.dir, '../src', name)))
  const text = Buffer.concat(texts)
  for (let i = 0, bytes = 0; bytes < TEXT_BYTES; i++, bytes += text.length) await Bun.write(join(folder, `${i}.txt`), text)
}

function peakMegabytes({ pid }: Server): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

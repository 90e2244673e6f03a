import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sized } from './figures.ts'
import { curlHeaders, holds, runBench, type Server, startServer } from './harness.ts'

/** What archives promise of size: 200,000 entries, a file over 5 GB, and 20 GB that arrive in pieces as they do at once. Files are sparse. */
const ENTRIES = sized(200_000, 5000)
const LONG_BYTES = sized(5.5e9, 0.5e9)
const HUGE_FILES = 4
/** `HUGE_GB=n` for less than 5 each, where disk or time are short. */
const HUGE_GB = Number(process.env['HUGE_GB'] ?? sized(5, 0.2))
const HUGE_BYTES = HUGE_GB * 1e9
/** Each of the three cuts comes well before the end. */
const CUT_AFTER_SECONDS = HUGE_GB * 0.3
const MOST_RESIDENT_MB = 200
const MOST_GROWN_MB = 200
/** `PARTS=many,long,pieces` proves only those. */
const PARTS = (process.env['PARTS'] ?? 'many,long,pieces').split(',')

await runBench({ rounds: 1 }, async (run) => {
  const server = await startServer(run)
  const atRest = residentMegabytes(server)
  const results: boolean[] = []
  if (PARTS.includes('pieces')) {
    results.push(await arrivesInPieces(server, run.folder))
    results.push(holds('most resident meanwhile, MB', residentMegabytes(server), { atMost: MOST_RESIDENT_MB }))
  }
  if (PARTS.includes('many')) {
    fillMany(join(server.root, 'many'))
    const zip = join(run.folder, 'many.zip')
    await save(server, 'many?algo=zip', zip)
    results.push(await opens(`${ENTRIES} entries`, zip, ENTRIES + 100))
    results.push(holds('grown by for 200,000 entries, MB', residentMegabytes(server) - atRest, { atMost: MOST_GROWN_MB }))
  }
  if (PARTS.includes('long')) {
    mkdirSync(join(server.root, 'long'))
    sparse(join(server.root, 'long/file.bin'), LONG_BYTES)
    const zip = join(run.folder, 'long.zip')
    await save(server, 'long?algo=zip', zip)
    results.push(await opens('a file of 5.5 GB', zip, 1))
    await Bun.$`rm ${zip}`
  }
  results.push(holds('grown by, MB', residentMegabytes(server) - atRest, { atMost: MOST_GROWN_MB }))
  return results.every(Boolean)
})

/** Whole, after three cuts, and as eight ranges at once: the same bytes. Only the whole costs time for checksums. */
async function arrivesInPieces(server: Server, folder: string): Promise<boolean> {
  mkdirSync(join(server.root, 'huge'))
  for (let i = 0; i < HUGE_FILES; i++) sparse(join(server.root, `huge/${i}.bin`), HUGE_BYTES)
  const address = `${server.url}/api/raw/huge?algo=zip`
  const headers = curlHeaders(server.headers)
  const size = Number(/content-length: (\d+)/i.exec(await Bun.$`curl -sfI ${headers} ${address}`.text())?.[1])
  const whole = await sumOf(`curl -sf ${quoted(headers)} '${address}'`)
  const cut = join(folder, 'cut.zip')
  for (let i = 0; i < 3; i++) await Bun.$`timeout ${CUT_AFTER_SECONDS} curl -s -C - -o ${cut} ${headers} ${address}`.nothrow()
  const before = Bun.file(cut).size
  await Bun.$`curl -sf -C - -o ${cut} ${headers} ${address}`
  const resumed = await sumOf(`cat '${cut}'`)
  await Bun.$`rm ${cut}`
  const step = Math.ceil(size / 8)
  const part = (i: number) => join(folder, `part-${i}`)
  const fetchPart = (i: number) =>
    Bun.$`curl -sf -o ${part(i)} -r ${`${i * step}-${Math.min(size, (i + 1) * step) - 1}`} ${headers} ${address}`
  await Promise.all(Array.from({ length: 8 }, async (_, i) => await fetchPart(i)))
  const joined = await sumOf(`cat ${Array.from({ length: 8 }, (_, i) => `'${part(i)}'`).join(' ')}`)
  await Bun.$`sh -c ${`rm '${folder}'/part-*`}`
  const same = before > 0 && before < size && whole === resumed && whole === joined
  console.log(
    `${same ? 'holds ' : 'MISSED'}  ${size} bytes at once, from byte ${before} on after three cuts, and as eight ranges: ${whole}`,
  )
  if (!same) console.log({ whole, resumed, joined })
  return same
}

async function save({ url, headers }: Server, address: string, file: string): Promise<void> {
  await Bun.$`curl -sf -o ${file} ${curlHeaders(headers)} ${`${url}/api/raw/${address}`}`
}

/** Whether three readers that share no code take it for whole. */
async function opens(name: string, zip: string, entries: number): Promise<boolean> {
  const script = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(len(z.infolist()))'
  const counts = [
    Number((await Bun.$`unzip -tqq ${zip} && unzip -Z1 ${zip} | wc -l`.nothrow().text()).trim()),
    Number((await Bun.$`python3 -c ${script} ${zip}`.nothrow().text()).trim()),
    Number((await Bun.$`sh -c ${`bsdtar -xOf '${zip}' > /dev/null && bsdtar -tf '${zip}' | wc -l`}`.nothrow().text()).trim()),
  ]
  const ok = counts.every((count) => count === entries)
  console.log(`${ok ? 'holds ' : 'MISSED'}  ${name} for unzip, python and bsdtar: ${counts.join(' ')} entries (${entries})`)
  return ok
}

async function sumOf(command: string): Promise<string> {
  return (await Bun.$`sh -c ${`${command} | sha256sum`}`.text()).split(' ')[0] ?? ''
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' ')
}

function fillMany(folder: string): void {
  for (let i = 0; i < ENTRIES; i++) {
    const inner = join(folder, String(i % 100))
    if (i < 100) mkdirSync(inner, { recursive: true })
    writeFileSync(join(inner, `file-${i}.txt`), `${i}\n`)
  }
}

function sparse(file: string, bytes: number): void {
  writeFileSync(file, 'begins')
  truncateSync(file, bytes)
}

/** The most so far. */
function residentMegabytes({ pid }: Server): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

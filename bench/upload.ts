import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../src/shared/contract/tus.ts'
import { sized } from './figures.ts'
import {
  type Cost,
  costOf,
  cpuOf,
  curlHeaders,
  holds,
  makeFile,
  median,
  report,
  runBench,
  type Server,
  speedOf,
  startServer,
  wallOf,
} from './harness.ts'

/**
 * A file of 2 GB into the product, by one POST and by tus: the server's processor time against that of `cp` on the same file system, and the
 * speed against our own download of the same file. Everything in turn, medians; an upload's time includes that it is safe on the disk, which alone
 * (`dd oflag=direct`) may be slower than half a download from the page cache: that is reported beside it.
 */
const ROUNDS = 7
const BYTES = sized(2e9, 200e6)
const MOST_CPU_RATIO = 2.5
const LEAST_SPEED_RATIO = 0.5
const WAYS = { POST: byPost, tus: byTus }

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const server = await startServer(run)
  const source = join(server.root, 'source.bin')
  await makeFile(source, BYTES)
  const costs = { cp: [] as Cost[], disk: [] as Cost[], download: [] as Cost[], POST: [] as Cost[], tus: [] as Cost[] }
  for (let round = 0; round <= rounds; round++) {
    const cp = await copy(['cp', '--reflink=never', source], join(run.folder, 'copy'))
    const disk = await copy(['dd', 'bs=4M', 'oflag=direct', 'status=none', `if=${source}`], join(run.folder, 'copy'), 'of=')
    const download = await costOf(
      server.pid,
      () => Bun.$`curl -sf -o /dev/null ${curlHeaders(server.headers)} ${server.url}/api/raw/source.bin`,
    )
    const all = { cp, disk, download, POST: await upload('POST', server, source), tus: await upload('tus', server, source) }
    // The first round fills the page cache.
    if (round === 0) continue
    costs.cp.push(all.cp)
    costs.disk.push(all.disk)
    costs.download.push(all.download)
    costs.POST.push(all.POST)
    costs.tus.push(all.tus)
  }
  for (const [name, all] of Object.entries(costs)) tell(name, all)
  const alone = { ours: speedOf(BYTES, wallOf(costs.disk)), reference: `download ${speedOf(BYTES, wallOf(costs.download))}` }
  report('the disk alone: speed × download', median(wallOf(costs.download)) / median(wallOf(costs.disk)), alone)
  return Object.keys(WAYS)
    .flatMap((way) => judge(way === 'tus' ? 'tus' : 'POST', costs))
    .every(Boolean)
})

function judge(way: keyof typeof WAYS, costs: Record<'cp' | 'disk' | 'download' | keyof typeof WAYS, readonly Cost[]>): boolean[] {
  const cpu = median(cpuOf(costs[way])) / median(cpuOf(costs.cp))
  const speed = median(wallOf(costs.download)) / median(wallOf(costs[way]))
  const seconds = { ours: `${median(cpuOf(costs[way])).toFixed(2)} s`, reference: `cp ${median(cpuOf(costs.cp)).toFixed(2)} s` }
  const speeds = { ours: speedOf(BYTES, wallOf(costs[way])), reference: `download ${speedOf(BYTES, wallOf(costs.download))}` }
  const disk = { ours: speeds.ours, reference: `dd ${speedOf(BYTES, wallOf(costs.disk))}` }
  report(`${way}: speed × the disk alone`, median(wallOf(costs.disk)) / median(wallOf(costs[way])), disk)
  return [
    holds(`${way}: CPU × cp`, cpu, { atMost: MOST_CPU_RATIO }, seconds),
    holds(`${way}: speed × download`, speed, { atLeast: LEAST_SPEED_RATIO }, speeds),
  ]
}

function tell(name: string, costs: readonly Cost[]): void {
  const speeds = costs.map(({ wall }) => (BYTES / wall / 1e6).toFixed(0))
  console.log(`${name.padEnd(8)} MB/s ${speeds.join(' ')} | CPU s ${costs.map(({ cpu }) => cpu.toFixed(2)).join(' ')}`)
}

/** @param before the target in the command */
async function copy(command: readonly string[], target: string, before = ''): Promise<Cost> {
  const start = performance.now()
  const cp = Bun.spawn([...command, before + target])
  await cp.exited
  const wall = (performance.now() - start) / 1000
  rmSync(target)
  return { wall, cpu: Number(cp.resourceUsage()?.cpuTime.total ?? 0) / 1e6 }
}

/** The file goes before the next comes, so that all find the same disk and memory. */
async function upload(way: keyof typeof WAYS, server: Server, source: string): Promise<Cost> {
  const cost = await costOf(server.pid, () => WAYS[way](server, source))
  const target = join(server.root, way)
  if (statSync(target).size !== BYTES) throw new Error(`${way}: ${statSync(target).size} bytes arrived`)
  rmSync(target)
  return cost
}

async function byPost({ url, headers }: Server, source: string): Promise<void> {
  await expectStatus(200, `${url}/api/resources/POST`, { method: 'POST', headers, body: Bun.file(source) })
}

async function byTus({ url, headers }: Server, source: string): Promise<void> {
  const tus = { ...headers, 'tus-resumable': TUS_VERSION }
  const bytes = { 'upload-offset': '0', 'content-type': OFFSET_MEDIA_TYPE }
  await expectStatus(201, `${url}/api/tus/tus`, { method: 'POST', headers: { ...tus, 'upload-length': String(BYTES) } })
  await expectStatus(204, `${url}/api/tus/tus`, { method: 'PATCH', headers: { ...tus, ...bytes }, body: Bun.file(source) })
}

async function expectStatus(status: number, address: string, init: RequestInit): Promise<void> {
  const answer = await fetch(address, { ...init, signal: AbortSignal.timeout(600_000) })
  if (answer.status !== status) throw new Error(`${init.method} ${address}: ${answer.status} ${await answer.text()}`)
}

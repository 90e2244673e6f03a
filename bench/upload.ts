import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../src/shared/contract/tus.ts'

/**
 * What an upload costs: the server's processor time for 2 GB, by one POST and by tus, against `cp` of the same file on the same file system, and
 * its speed against our own download in the same run. Prints ratios, and fails when one is over its limit.
 *
 *   bun bench/upload.ts                  BENCH_BYTES=… BENCH_FOLDER=… (on the file system to measure) BENCH_SERVER='bun …' BENCH_RUNS=5
 */
const BYTES = Number(process.env['BENCH_BYTES'] ?? 2 * 2 ** 30)
const RUNS = Number(process.env['BENCH_RUNS'] ?? 5)
const SERVER = (process.env['BENCH_SERVER'] ?? 'bun src/server/main.ts').split(' ')
const MOST_CPU_RATIO = 2.5
const LEAST_SPEED_RATIO = 0.5
const PASSWORD = 'a long word for a benchmark'
/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100

interface Server {
  readonly url: string
  readonly pid: number
  readonly token: string
  stop(): Promise<void>
}

/** Seconds: of the clock, and of the server's (or cp's) processors. */
interface Cost {
  readonly wall: number
  readonly cpu: number
}

const folder = mkdtempSync(join(process.env['BENCH_FOLDER'] ?? join(import.meta.dir, '..'), '.bench-'))
const source = join(folder, 'source')
process.exitCode = await main().finally(() => rmSync(folder, { recursive: true, force: true }))

async function main(): Promise<number> {
  await makeSource()
  const server = await startServer(join(folder, 'root'))
  try {
    const rounds: { cp: Cost; post: Cost; tus: Cost; download: Cost }[] = []
    for (let run = 0; run < RUNS; run++) {
      const cp = await copied()
      const post = await measured(server, () => byPost(server, 'post'))
      const download = await measured(server, () => downloaded(server, 'post'))
      // Each file goes before the next comes: pages of memory that were never used cost more than others.
      rmSync(join(folder, 'root', 'post'))
      const tus = await measured(server, () => byTus(server, 'tus'))
      rmSync(join(folder, 'root', 'tus'))
      rounds.push({ cp, post, tus, download })
      console.log(
        `run ${run + 1}: ${Object.entries({ cp, post, tus, download })
          .map(([name, cost]) => told(name, cost))
          .join(' | ')}`,
      )
    }
    const post = judge(
      'POST',
      rounds.map((round) => ({ ...round, upload: round.post })),
    )
    const tus = judge(
      'tus',
      rounds.map((round) => ({ ...round, upload: round.tus })),
    )
    return Math.max(post, tus)
  } finally {
    await server.stop()
  }
}

/**
 * The best of all rounds on each side: what a machine does besides only ever adds.
 * @returns 1 when a ratio is over its limit
 */
function judge(name: string, rounds: { cp: Cost; upload: Cost; download: Cost }[]): number {
  const least = (cost: (round: (typeof rounds)[number]) => number): number => Math.min(...rounds.map(cost))
  const cpu = least(({ upload }) => upload.cpu) / least(({ cp }) => cp.cpu)
  const speed = least(({ download }) => download.wall) / least(({ upload }) => upload.wall)
  const limits = `at most ${MOST_CPU_RATIO}; speed ${speed.toFixed(2)} × download, at least ${LEAST_SPEED_RATIO}`
  console.log(`${name}: server CPU ${cpu.toFixed(2)} × cp, ${limits}`)
  return cpu <= MOST_CPU_RATIO && speed >= LEAST_SPEED_RATIO ? 0 : 1
}

function told(name: string, { wall, cpu }: Cost): string {
  return `${name} ${(BYTES / wall / 1e6).toFixed(0)} MB/s, ${cpu.toFixed(2)} s CPU`
}

async function makeSource(): Promise<void> {
  const dd = Bun.spawn([
    'sh',
    '-c',
    `mkdir "$1/root" && head -c "$2" /dev/urandom > "$1/source" && sync "$1/source"`,
    'sh',
    folder,
    String(BYTES),
  ])
  if ((await dd.exited) !== 0) throw new Error('no space for the source file')
}

async function copied(): Promise<Cost> {
  const target = join(folder, 'copy')
  const start = performance.now()
  const cp = Bun.spawn(['cp', '--reflink=never', source, target])
  await cp.exited
  const wall = (performance.now() - start) / 1000
  rmSync(target)
  return { wall, cpu: Number(cp.resourceUsage()?.cpuTime.total ?? 0) / 1e6 }
}

async function measured({ pid }: Server, work: () => Promise<void>): Promise<Cost> {
  const cpu = cpuSeconds(pid)
  const start = performance.now()
  await work()
  return { wall: (performance.now() - start) / 1000, cpu: cpuSeconds(pid) - cpu }
}

/** Of a process with all its threads, and of children it has waited for. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
}

async function byPost({ url, token }: Server, name: string): Promise<void> {
  await expectStatus(200, `${url}/api/resources/${name}`, { method: 'POST', headers: { 'x-auth': token }, body: Bun.file(source) })
  verify(name)
}

async function byTus({ url, token }: Server, name: string): Promise<void> {
  const address = `${url}/api/tus/${name}`
  const headers = { 'x-auth': token, 'tus-resumable': TUS_VERSION }
  await expectStatus(201, address, { method: 'POST', headers: { ...headers, 'upload-length': String(BYTES) } })
  const bytes = { 'upload-offset': '0', 'content-type': OFFSET_MEDIA_TYPE }
  await expectStatus(204, address, { method: 'PATCH', headers: { ...headers, ...bytes }, body: Bun.file(source) })
  verify(name)
}

async function downloaded({ url, token }: Server, name: string): Promise<void> {
  const answer = await fetch(`${url}/api/raw/${name}`, { headers: { 'x-auth': token } })
  let size = 0
  for await (const chunk of answer.body ?? []) size += chunk.length
  if (size !== BYTES) throw new Error(`download: ${answer.status}, ${size} bytes`)
}

async function expectStatus(status: number, address: string, init: RequestInit): Promise<void> {
  const answer = await fetch(address, { ...init, signal: AbortSignal.timeout(600_000) })
  if (answer.status !== status) throw new Error(`${init.method} ${address}: ${answer.status} ${await answer.text()}`)
}

function verify(name: string): void {
  const size = statSync(join(folder, 'root', name)).size
  if (size !== BYTES) throw new Error(`${name}: ${size} bytes arrived`)
}

async function startServer(root: string): Promise<Server> {
  const port = await freePort()
  const hash = await Bun.password.hash(PASSWORD, { algorithm: 'bcrypt', cost: 4 })
  const settings = { SATCHEL_ROOT: root, SATCHEL_PORT: String(port), SATCHEL_DATA_DIR: join(folder, 'data'), SATCHEL_PASSWORD: hash }
  const child = Bun.spawn(SERVER, {
    cwd: join(import.meta.dir, '..'),
    env: { ...process.env, ...settings },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  const url = `http://127.0.0.1:${port}`
  const token = await signIn(url)
  return {
    url,
    token,
    pid: childOf(child.pid),
    stop: async () => {
      child.kill()
      await child.exited
    },
  }
}

/** `bun` may be a launcher with the runtime as its child. */
function childOf(pid: number): number {
  const list = `/proc/${pid}/task/${pid}/children`
  const child = existsSync(list) ? readFileSync(list, 'utf8').trim().split(' ')[0] : ''
  return child === undefined || child === '' ? pid : Number(child)
}

async function signIn(url: string): Promise<string> {
  const body = JSON.stringify({ username: 'admin', password: PASSWORD })
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(`${url}/api/login`, { method: 'POST', body }).catch(() => null)
    if (answer?.ok) return answer.text()
    await Bun.sleep(100)
  }
  throw new Error('the server does not let us in')
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

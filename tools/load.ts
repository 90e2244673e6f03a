import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { freePort, quantile } from '../bench/harness.ts'
import { serverCommand } from '../scripts/lib/server.mjs'
import { type Attack, startAttacks } from './load/attacks.ts'
import type { LoadPlan, LoadResult } from './load/clients.ts'
import { RUNTIME_COMMAND } from '../src/server/entries/runtime.ts'

/**
 * `npm run load`: the real program with many clients at once who list, read ranges, upload, search, look at thumbnails and at share pages, while
 * others dawdle on purpose, and while it is killed and started again. Ends with a table, and with 1 when a promise was not kept.
 * `--clients N` (1000), `--minutes M` (3), `--pause MS` between two requests of one client (1000 on average).
 */
const text = { type: 'string' } as const
const { values } = parseArgs({ options: { clients: text, minutes: text, pause: text } })
const clients = Number(values.clients ?? 1000)
const seconds = Number(values.minutes ?? 3) * 60
const pauseMs = Number(values.pause ?? 1000)

const PASSWORD = 'a long word for many people'
const SERVER = serverCommand()
const CLIENTS = resolve(import.meta.dir, 'load/clients.ts')
const ACCOUNTS = 20
const FOLDERS = 20
const FILES = 200
const PHOTOS = 60
const BIG_BYTES = 64 * 1024 * 1024
/** After the last request, until what lingers has gone: programs that draw pictures stay for a quiet minute. */
const SETTLE_MS = 100_000
const LIMITS = { p99Ms: 5000, silenceMs: 10_000 }

const home = mkdtempSync(join(tmpdir(), 'satchel-load-'))
const root = join(home, 'root')
const url = `http://127.0.0.1:${freePort()}`
let server = await startServer()
try {
  process.exitCode = (await load()) ? 0 : 1
} finally {
  server.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
}
process.exit()

async function load(): Promise<boolean> {
  await plant()
  const orders = await prepare()
  const before = standing()
  const watched = watchMemory()
  const crowd = startCrowd(orders)
  const attacks = startAttacks(url, { token: orders.tokens[0] ?? '', path: '/api/raw/big.bin' })
  await Bun.sleep(seconds * 500)
  const downMs = await restart(crowd)
  await Bun.sleep(Math.max(0, seconds * 500 - downMs))
  crowd.send({ stop: true })
  const told = await crowd.told
  const during = await attacks.stop()
  const most = watched.stop()
  for (const end = Date.now() + SETTLE_MS; standing().descriptors > before.descriptors && Date.now() < end;) await Bun.sleep(500)
  return report({ told, during, most, before, after: standing(), downMs })
}

async function startServer(): Promise<Bun.Subprocess> {
  mkdirSync(root, { recursive: true })
  writeFileSync(join(home, 'password'), PASSWORD)
  const places = ['--root', root, '--data', join(home, 'data'), '--password-file', join(home, 'password')]
  const listening = ['--address', '127.0.0.1', '--port', new URL(url).port]
  const log = Bun.file(join(home, 'log'))
  const child = Bun.spawn([...SERVER, ...places, ...listening], { stdin: 'ignore', stdout: log, stderr: log })
  for (const end = Date.now() + 20_000; ;) {
    const answer = await fetch(`${url}/health`, { headers: { connection: 'close' } }).catch(() => null)
    if (answer?.ok) return child
    if (Date.now() > end) throw new Error(`the server did not start: ${readFileSync(join(home, 'log'), 'utf8')}`)
    await Bun.sleep(20)
  }
}

/** @returns for how long nobody answered */
async function restart(crowd: Crowd): Promise<number> {
  crowd.send({ down: true })
  const start = performance.now()
  server.kill('SIGKILL')
  await server.exited
  server = await startServer()
  crowd.send({ down: false })
  return performance.now() - start
}

async function plant(): Promise<void> {
  for (let folder = 0; folder < FOLDERS; folder++) {
    mkdirSync(join(root, `folder-${folder}`), { recursive: true })
    for (let file = 0; file < FILES; file++)
      writeFileSync(join(root, `folder-${folder}`, `report ${file}.txt`), `${folder}/${file}\n`.repeat(20))
  }
  // Each four bytes tell where they are, so that a range can be judged.
  const places = new Uint32Array(BIG_BYTES / 4).map((_, index) => index)
  writeFileSync(join(root, 'big.bin'), places)
  mkdirSync(join(root, 'photos'))
  const noise = { type: 'gaussian', mean: 120, sigma: 30 } as const
  const picture = await sharp({ create: { width: 1200, height: 800, channels: 3, background: 'white', noise } })
    .jpeg()
    .toBuffer()
  for (let photo = 0; photo < PHOTOS; photo++) writeFileSync(join(root, 'photos', `photo-${photo}.jpg`), picture)
  mkdirSync(join(root, 'inbox'))
}

/** Accounts that are signed in, and links. */
async function prepare(): Promise<LoadPlan> {
  const admin = await signIn('admin')
  const perm = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }
  const tokens: string[] = []
  for (let one = 0; one < ACCOUNTS; one++) {
    const data = { username: `user-${one}`, password: PASSWORD, scope: '/', locale: '', lockPassword: false, perm, commands: [], rules: [] }
    await ask('/api/users', admin, { what: 'user', which: [], data, current_password: PASSWORD })
    tokens.push(await signIn(`user-${one}`))
  }
  const links: string[] = []
  for (const path of ['folder-0', 'folder-1', 'photos', 'big.bin']) {
    links.push(((await (await ask(`/api/share/${path}`, admin, {})).json()) as { hash: string }).hash)
  }
  return { url, clients, pauseMs, tokens, links, folders: FOLDERS, photos: PHOTOS, bigBytes: BIG_BYTES }
}

async function signIn(username: string): Promise<string> {
  return (await ask('/api/login', '', { username, password: PASSWORD })).text()
}

async function ask(address: string, token: string, body: object): Promise<Response> {
  const answer = await fetch(url + address, {
    method: 'POST',
    headers: { 'x-auth': token, connection: 'close' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`)
  return answer
}

interface Crowd {
  readonly told: Promise<LoadResult>
  send(message: { down: boolean } | { stop: true }): void
}

/** In a process of its own, so that its own work does not count as waiting for the server. */
function startCrowd(orders: LoadPlan): Crowd {
  const { promise: told, resolve: tell, reject } = Promise.withResolvers<LoadResult>()
  const child = Bun.spawn([...RUNTIME_COMMAND, CLIENTS], {
    env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: String(clients + 100) },
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (message: LoadResult, crowd) => {
      tell(message)
      crowd.send({ heard: true })
    },
    onExit: (_, code, signal) => reject(new Error(`the clients ended: ${signal ?? code}`)),
  })
  child.send(orders)
  return { told, send: (message) => void child.send(message) }
}

interface Standing {
  /** MiB that are resident. */
  readonly memory: number
  readonly descriptors: number
}

function standing(): Standing {
  const { pid } = server
  const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  return { memory, descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

/** What the server has open, without numbers. */
function openFiles(): string {
  const folder = `/proc/${server.pid}/fd`
  const kinds: Record<string, number> = {}
  for (const number of readdirSync(folder)) {
    const kind = readlinkSync(join(folder, number)).replace(/\d+/g, '…').replace(home, '')
    kinds[kind] = (kinds[kind] ?? 0) + 1
  }
  return counted(kinds)
}

function watchMemory(): { stop(): Standing } {
  let most: Standing = { memory: 0, descriptors: 0 }
  const timer = setInterval(() => {
    try {
      const now = standing()
      most = { memory: Math.max(most.memory, now.memory), descriptors: Math.max(most.descriptors, now.descriptors) }
    } catch {
      // Between two lives of the server.
    }
  }, 250)
  return {
    stop() {
      clearInterval(timer)
      return most
    },
  }
}

interface Seen {
  readonly told: LoadResult
  readonly during: readonly Attack[]
  readonly most: Standing
  readonly before: Standing
  readonly after: Standing
  readonly downMs: number
}

function report({ told, during, most, before, after, downMs }: Seen): boolean {
  const all = Object.values(told.kinds).flatMap(({ times }) => times)
  const figures = (times: readonly number[]): string[] => [0.5, 0.95, 0.99, 1].map((q) => quantile(times, q).toFixed(0))
  row('', 'requests', 'p50 ms', 'p95 ms', 'p99 ms', 'most ms')
  for (const [kind, { times }] of Object.entries(told.kinds)) row(kind, times.length, ...figures(times))
  row('all', all.length, ...figures(all))
  console.log(`\nanswers: ${counted(told.statuses)}; cut off by the restart: ${told.cut}; wrong bytes: ${told.wrongBytes}`)
  for (const { name, connections, outcome } of during) console.log(`${name}: ${connections} at a time; ${outcome}`)
  const lost = told.acknowledged.filter(({ name, hash }) => hashOf(name) !== hash)
  const errors = Object.entries(told.statuses).filter(([status]) => status !== '429' && !status.startsWith('2'))
  console.log(`killed and started again: nobody answered for ${downMs.toFixed(0)} ms`)
  console.log(`memory: ${before.memory.toFixed(0)} MiB before, at most ${most.memory.toFixed(0)}, after ${after.memory.toFixed(0)}`)
  console.log(`descriptors: ${before.descriptors} before, at most ${most.descriptors}, after ${after.descriptors}\n`)
  const promises: [string, boolean][] = [
    [`no answer but success and 429 (${errors.map(([status, count]) => `${status}: ${count}`).join(', ') || 'none'})`, errors.length === 0],
    [`no wrong bytes (${told.wrongBytes})`, told.wrongBytes === 0],
    [`p99 at most ${LIMITS.p99Ms} ms (${quantile(all, 0.99).toFixed(0)})`, quantile(all, 0.99) <= LIMITS.p99Ms],
    [`no client without progress for ${LIMITS.silenceMs} ms (${told.silenceMs.toFixed(0)})`, told.silenceMs <= LIMITS.silenceMs],
    [`nothing of ${told.acknowledged.length} acknowledged uploads is lost (${lost.length})`, lost.length === 0],
    [
      `descriptors come back (${before.descriptors}, then ${after.descriptors}: ${openFiles()})`,
      after.descriptors <= before.descriptors + 5,
    ],
  ]
  for (const [promise, kept] of promises) console.log(`${kept ? 'holds ' : 'MISSED'}  ${promise}`)
  return promises.every(([, kept]) => kept)
}

function row(name: string, ...cells: (string | number)[]): void {
  console.log(name.padEnd(16) + cells.map((cell) => String(cell).padStart(10)).join(''))
}

function counted(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
}

function hashOf(name: string): string {
  const file = join(root, 'inbox', name)
  return existsSync(file) ? createHash('sha1').update(readFileSync(file)).digest('hex') : 'missing'
}

import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { serverCommand } from '../scripts/lib/server.mjs'
import { handOver, isHeld, type Limit, limitWords, type Seen } from './figures.ts'

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100
const PASSWORD = 'a long word for a benchmark'
/** What `npm start` runs. */
const SERVER = serverCommand()

/** One run of a benchmark: its folder and its processes end with it, also when it is interrupted. */
export interface Run {
  readonly folder: string
  spawn(command: readonly string[]): Bun.Subprocess<'ignore', 'pipe', 'inherit'>
}

/** The real program over a folder of its own, with its administrator signed in. */
export interface Server {
  readonly root: string
  /** Without trailing slash. */
  readonly url: string
  readonly pid: number
  readonly headers: Record<string, string>
  /** Of `admin`. */
  readonly password: string
  /** From the start of the process to the answer of `/health`. */
  readonly startSeconds: number
  stop(): Promise<void>
}

type MoreOptions = NonNullable<ParseArgsConfig['options']>

/** Seconds: of the clock, and of the processors of one process. */
export interface Cost {
  readonly wall: number
  readonly cpu: number
}

/**
 * Runs a benchmark in a temporary folder (`--folder DIR` says where) and ends the process: with 0 when `work` says that what it measured holds.
 * @param options.rounds how often everything is measured, unless `--rounds` says otherwise
 * @param options.more options of the command line that `work` reads itself
 */
export async function runBench(
  options: { rounds: number; more?: MoreOptions },
  work: (run: Run, rounds: number) => Promise<boolean>,
): Promise<never> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { folder: text, rounds: text, ...options.more } })
  const folder = mkdtempSync(join(values.folder ?? tmpdir(), 'satchel-bench-'))
  const children: Bun.Subprocess[] = []
  const clean = (): void => {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      clean()
      process.exit(130)
    })
  }
  const run: Run = {
    folder,
    spawn(command) {
      const child = Bun.spawn([...command], { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
      children.push(child)
      return child
    },
  }
  try {
    process.exitCode = (await work(run, Number(values.rounds ?? options.rounds))) ? 0 : 1
  } finally {
    clean()
  }
  process.exit()
}

/** @param options further flags of the program @param command what starts it */
export async function startServer(
  { folder, spawn }: Run,
  options: readonly string[] = [],
  command: readonly string[] = SERVER,
): Promise<Server> {
  const root = join(folder, 'root')
  const passwordFile = join(folder, 'password')
  mkdirSync(root, { recursive: true })
  writeFileSync(passwordFile, PASSWORD)
  const places = ['--root', root, '--data', join(folder, 'data')]
  const listening = ['--address', '127.0.0.1', '--port', '0', '--username', 'admin', '--password-file', passwordFile]
  const start = performance.now()
  const child = spawn([...command, ...places, ...listening, ...options])
  const url = await urlTold(child.stdout)
  await fetch(`${url}/health`)
  const startSeconds = (performance.now() - start) / 1000
  const body = JSON.stringify({ username: 'admin', password: PASSWORD })
  const answer = await fetch(`${url}/api/login`, { method: 'POST', body })
  if (!answer.ok) throw new Error(`the server does not let us in: ${answer.status}`)
  const headers = { 'X-Auth': await answer.text() }
  const stop = async (): Promise<void> => {
    child.kill()
    await child.exited
  }
  return { root, url, pid: child.pid, headers, password: PASSWORD, startSeconds, stop }
}

export async function urlTold(output: ReadableStream<Uint8Array>): Promise<string> {
  return (await told(output)).url
}

/** What a server says until it listens. The rest of the output stays unread: to close it would take the program's log away. */
export async function told(output: ReadableStream<Uint8Array>): Promise<{ url: string; said: string }> {
  const reader = output.getReader()
  const decoder = new TextDecoder()
  let said = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`the server did not start: ${said}`)
    said += decoder.decode(value, { stream: true })
    const url = /at (http:\S+)\/\n/.exec(said)?.[1]
    if (url !== undefined) return { url, said }
  }
}

/** A file of random bytes that is on the disk and in memory. */
export async function makeFile(path: string, bytes: number): Promise<void> {
  await Bun.$`head -c ${bytes} /dev/urandom > ${path} && sync ${path} && cat ${path} > /dev/null`
}

/** A folder of empty files with names of four alphabets and all sorts of types and times; two in a hundred are folders. */
export function fillFolder(folder: string, entries: number): void {
  mkdirSync(folder, { recursive: true })
  const words = ['report', 'отчёт', '文件', 'résumé']
  const types = ['txt', 'jpg', 'pdf', 'mp4', 'zip', 'log']
  for (let i = 0; i < entries; i++) {
    const name = join(folder, `${words[i % 4]}-${(i * 7919) % entries}${i % 50 === 0 ? '' : `.${types[i % 6]}`}`)
    if (i % 50 === 0) {
      mkdirSync(name)
      continue
    }
    closeSync(openSync(name, 'w'))
    utimesSync(name, 1.7e9 + i, 1.7e9 + i * 13.37)
  }
}

export function wallOf(costs: readonly Cost[]): number[] {
  return costs.map(({ wall }) => wall)
}

export function cpuOf(costs: readonly Cost[]): number[] {
  return costs.map(({ cpu }) => cpu)
}

export async function costOf(pid: number, work: () => Promise<unknown>): Promise<Cost> {
  const cpu = cpuSeconds(pid)
  const start = performance.now()
  await work()
  return { wall: (performance.now() - start) / 1000, cpu: cpuSeconds(pid) - cpu }
}

/** Of a process with all its threads, in its own code and in the kernel. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** What curl is told to send along. */
export function curlHeaders(headers: Record<string, string>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
}

/** Prints a figure beside its limit, and hands it over for the table. @param seen both sides of a ratio @returns whether it holds */
export function holds(what: string, value: number, limit: Limit, seen: Seen | null = null): boolean {
  const ok = isHeld({ value, limit })
  console.log(`${ok ? 'holds ' : 'MISSED'}  ${what}: ${value.toFixed(2)} (${limitWords(limit)})`)
  handOver({ what, value, limit, seen })
  return ok
}

/** The same of what has no limit. */
export function report(what: string, value: number, seen: Seen | null = null): void {
  console.log(`${what}: ${value.toFixed(2)}`)
  handOver({ what, value, limit: null, seen })
}

/** `512 MB/s`, of so many bytes in the median of those seconds. */
export function speedOf(bytes: number, seconds: readonly number[]): string {
  return `${(bytes / median(seconds) / 1e6).toFixed(0)} MB/s`
}

export function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } })
  const { port } = probe
  probe.stop()
  return port
}

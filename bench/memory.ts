import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROWS_MEDIA_TYPE } from '../src/shared/contract/resources.ts'
import { sized } from './figures.ts'
import { curlHeaders, fillFolder, holds, report, runBench, type Server, startServer } from './harness.ts'

/** What the process holds at most while long folders are asked for by several at once, 5 seconds after, and a minute after. */
const ENTRIES = sized(100_000, 5000)
const LONG_ENTRIES = sized(300_000, 10_000)
const CLIENTS = 4
const MOST_PEAK_MB = 400
const MOST_SOON_MB = 150
/** 44 MB of it are pages of the runtime's own file, 62 more are in use when nobody has asked for anything yet, about half of them for the index. */
const MOST_LATER_MB = 130
const SOON_MS = 5000
const LATER_MS = sized(60_000, 6000)
const LOOK_EVERY_MS = 20

await runBench({ rounds: 1 }, async (run) => {
  const server = await startServer(run)
  fillFolder(join(server.root, 'many'), ENTRIES)
  fillFolder(join(server.root, 'more'), LONG_ENTRIES)
  report('resident at start, MB', residentMegabytes(server.pid))
  const works: [string, () => Promise<unknown>][] = [
    ['compact answers', () => each(() => ask(server, '/api/resources/many/', ROWS_MEDIA_TYPE))],
    ['full objects', () => each(() => ask(server, '/api/resources/many/'))],
    ['compact answers of the long folder', () => each(() => ask(server, '/api/resources/more/', ROWS_MEDIA_TYPE))],
    ['full objects of the long folder', () => each(() => ask(server, '/api/resources/more/'))],
    ['search by name', () => each(() => ask(server, '/api/search/?query=report'))],
    ['everything below a folder', () => each(() => ask(server, '/api/resources/recursive/many/'))],
    ['a zip', () => ask(server, '/api/raw/many/?algo=zip')],
  ]
  const peaks: number[] = []
  for (const [what, work] of works) {
    const peak = await peakDuring(server.pid, work)
    report(`${what}: peak, MB`, peak)
    peaks.push(peak)
  }
  await Bun.sleep(SOON_MS)
  const soon = residentMegabytes(server.pid)
  await Bun.sleep(LATER_MS - SOON_MS)
  const later = residentMegabytes(server.pid)
  return [
    holds('resident at most, MB', Math.max(...peaks), { atMost: MOST_PEAK_MB }),
    holds('resident 5 s after, MB', soon, { atMost: MOST_SOON_MB }),
    holds('resident a minute after, MB', later, { atMost: MOST_LATER_MB }),
  ].every(Boolean)
})

async function each(work: () => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: CLIENTS }, work))
}

async function ask({ url, headers }: Server, path: string, accept = 'application/json'): Promise<void> {
  await Bun.$`curl -sf -o /dev/null ${curlHeaders({ ...headers, accept })} ${url + path}`.quiet()
}

async function peakDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  let peak = 0
  const look = (): void => void (peak = Math.max(peak, residentMegabytes(pid)))
  const timer = setInterval(look, LOOK_EVERY_MS)
  try {
    await work()
    look()
  } finally {
    clearInterval(timer)
  }
  return peak
}

function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

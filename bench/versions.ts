import { readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { sized } from './figures.ts'
import { holds, makeFile, median, runBench, type Server, startServer } from './harness.ts'

/**
 * What it costs to keep what is replaced: saving over and over (one person's saves within ten minutes are one version), small uploads under new names, and
 * replacing many files once, each with and without versions; and a large file, of which nothing may be copied.
 */
const ROUNDS = 5
const FILES = sized(300, 20)
const LANES = 4
const BYTES = 4096
/** Mostly a hole: a copy would write at least the rest. */
const LARGE_BYTES = 10 * 1024 ** 3
const WRITTEN_BYTES = 64 * 1024 ** 2
const MOST_SLOWER = 1.1
/** Replacing a file for the first time makes a folder, a second name and a row: each is on the disk before the file is replaced. */
const MOST_SLOWER_ONCE = 3
const MOST_WRITTEN_BYTES = 1024 ** 2
const MOST_LARGE_MS = 1000

type Work = 'saves' | 'uploads' | 'once'

const TITLES: Readonly<Record<Work, string>> = {
  saves: 'saving again and again',
  uploads: 'small uploads',
  once: 'replacing many small files once',
}

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const server = await startServer(run)
  const times: Record<Work, [number[], number[]]> = { saves: [[], []], uploads: [[], []], once: [[], []] }
  for (let round = 0; round < rounds; round++) {
    // The order changes, so that neither always comes first.
    for (const kept of round % 2 === 0 ? [0, 1] : [1, 0]) {
      await setDays(server, kept === 1 ? 365 : 0)
      const folder = `round-${round}-${kept}`
      times.uploads[kept === 1 ? 1 : 0].push(await timed(server, (n) => put(server, 'POST', `${folder}/${n}`)))
      times.once[kept === 1 ? 1 : 0].push(await timed(server, (n) => put(server, 'PUT', `${folder}/${n}`)))
      times.saves[kept === 1 ? 1 : 0].push(await timed(server, (n) => put(server, 'PUT', `${folder}/${n % LANES}`)))
    }
  }
  const results = (['saves', 'uploads', 'once'] as const).map((name) => {
    const [before, after] = [median(times[name][0]), median(times[name][1])]
    const seen = { ours: `${((after * 1000) / FILES).toFixed(2)} ms`, reference: `without ${((before * 1000) / FILES).toFixed(2)} ms` }
    return holds(
      `${TITLES[name]}: time ÷ without versions`,
      after / before,
      { atMost: name === 'once' ? MOST_SLOWER_ONCE : MOST_SLOWER },
      seen,
    )
  })
  return [...results, ...(await large(server))].every(Boolean)
})

/** Another file takes the place of a large one, which becomes a version, and that its place again. */
async function large(server: Server): Promise<boolean[]> {
  await setDays(server, 365)
  await makeFile(join(server.root, 'large.bin'), WRITTEN_BYTES)
  truncateSync(join(server.root, 'large.bin'), LARGE_BYTES)
  const inode = statSync(join(server.root, 'large.bin')).ino
  const before = written(server)
  const start = performance.now()
  await put(server, 'POST', 'large.bin?override=true')
  const replacedMs = performance.now() - start
  const { versions } = (await (await fetch(`${server.url}/api/versions/large.bin`, { headers: server.headers })).json()) as {
    versions: { id: string; size: number }[]
  }
  const again = performance.now()
  const restored = await fetch(`${server.url}/api/versions/large.bin?id=${versions[0]?.id}`, { method: 'POST', headers: server.headers })
  const restoredMs = performance.now() - again
  const isSame = restored.ok && statSync(join(server.root, 'large.bin')).ino === inode
  const bytes = written(server) - before
  const seen = { ours: `${bytes} bytes`, reference: `${LARGE_BYTES} bytes of content` }
  return [
    holds('a large file replaced and restored: bytes written', bytes, { atMost: MOST_WRITTEN_BYTES }, seen),
    holds('replacing a large file, ms', replacedMs, { atMost: MOST_LARGE_MS }),
    holds('restoring a large version, ms', restoredMs, { atMost: MOST_LARGE_MS }),
    holds('the large file is the same node after it', isSame ? 1 : 0, { atLeast: 1 }),
  ]
}

/** Bytes that the server had written to disks. */
function written({ pid }: Server): number {
  return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])
}

/** @returns seconds */
async function timed(server: Server, work: (n: number) => Promise<void>): Promise<number> {
  let next = 0
  const lane = async (): Promise<void> => {
    for (let n = next++; n < FILES; n = next++) await work(n)
  }
  // What was replaced before is settled by then.
  await Bun.sleep(700)
  await fetch(`${server.url}/health`)
  const start = performance.now()
  await Promise.all(Array.from({ length: LANES }, lane))
  return (performance.now() - start) / 1000
}

async function put({ url, headers }: Server, method: 'POST' | 'PUT', path: string): Promise<void> {
  const answer = await fetch(`${url}/api/resources/${path}`, { method, headers, body: crypto.getRandomValues(new Uint8Array(BYTES)) })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
}

async function setDays({ url, headers }: Server, versionDays: number): Promise<void> {
  const settings = (await (await fetch(`${url}/api/settings`, { headers })).json()) as object
  const body = JSON.stringify({ ...settings, versionDays, versionShare: 50, compatibility: true })
  const answer = await fetch(`${url}/api/settings`, { method: 'PUT', headers, body })
  if (!answer.ok) throw new Error(`settings: ${answer.status} ${await answer.text()}`)
}

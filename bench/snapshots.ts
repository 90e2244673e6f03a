import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sized } from './figures.ts'
import { holds, median, runBench, startServer } from './harness.ts'

/** How long the history of a file takes with many snapshots of it, each with another content, by dates in their names and without. */
const SNAPSHOTS = sized(500, 50)
const ROUNDS = 5
/** Three folders deep, as in a home folder. */
const FILE = 'people/ann/letters/plan.txt'
const MOST_MS = 500
/** A history names so many at most; all are looked at. */
const MOST_TOLD = 300
/** The list of snapshots is kept for five seconds. */
const FORGOTTEN_MS = 5500

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const results: boolean[] = []
  for (const kind of ['dated', 'numbered'] as const) {
    const snapshots = join(run.folder, kind)
    for (let n = 0; n < SNAPSHOTS; n++) {
      const day = new Date(Date.UTC(2026, 0, 1) + n * 3600_000)
      const name = kind === 'dated' ? day.toISOString().replace(/\.\d+/, '') : `snapshot.${n}`
      write(join(snapshots, name), `content ${n}`, day)
    }
    const server = await startServer({ ...run, folder: join(run.folder, `${kind}-server`) }, ['--snapshots', join(snapshots, '*')])
    write(server.root, 'now', new Date())
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      await Bun.sleep(FORGOTTEN_MS)
      const start = performance.now()
      const answer = await fetch(`${server.url}/api/versions/${FILE}`, { headers: server.headers })
      const text = await answer.text()
      times.push(performance.now() - start)
      const told = text.split('"snapshot"').length - 1
      if (!answer.ok || told < Math.min(SNAPSHOTS, MOST_TOLD))
        throw new Error(`only ${told} snapshots were told: ${answer.status} ${text.slice(0, 300)}`)
    }
    await server.stop()
    results.push(holds(`the history of a file in ${SNAPSHOTS} ${kind} snapshots, ms`, median(times), { atMost: MOST_MS }))
  }
  return results.every(Boolean)
})

function write(root: string, text: string, at: Date): void {
  const path = join(root, FILE)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  utimesSync(path, at, at)
}

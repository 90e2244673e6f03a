import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROWS_MEDIA_TYPE } from '../src/shared/contract/resources.ts'
import { sized } from './figures.ts'
import { curlHeaders, fillFolder, holds, median, runBench, startServer } from './harness.ts'

/** How long the product takes to answer after its start, and how much memory it holds when nobody asks anything of it. */
const ROUNDS = 5
const MOST_START_SECONDS = 0.5
const MOST_RESIDENT_MB = 80
const ENTRIES = sized(100_000, 10_000)
/** Threads that list and write folders end when idle for a minute at most. */
const QUIET_MS = sized(70_000, 0)
/** Until the index has looked whether all is as it was left, and is quiet. */
const LOOKED_MS = sized(45_000, 0)

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const starts: number[] = []
  const fresh: number[] = []
  for (let round = 0; round < rounds; round++) {
    const server = await startServer(run)
    // The first start makes the database; the others are those that count.
    if (round > 0) starts.push(server.startSeconds)
    else console.log(`very first start: ${server.startSeconds.toFixed(2)} s`)
    await Bun.sleep(1000)
    fresh.push(residentMegabytes(server.pid))
    await server.stop()
  }
  console.log(`starts s ${starts.map((one) => one.toFixed(2)).join(' ')} | resident MB ${fresh.map((one) => one.toFixed(0)).join(' ')}`)

  const server = await startServer(run)
  fillFolder(join(server.root, 'many'), ENTRIES)
  for (const accept of [ROWS_MEDIA_TYPE, 'application/json'])
    await Bun.$`curl -sf -o /dev/null ${curlHeaders({ ...server.headers, accept })} ${server.url}/api/resources/many/`.quiet()
  console.log(`resident MB after listings: ${residentMegabytes(server.pid).toFixed(0)}`)
  await Bun.sleep(QUIET_MS)
  const listed = residentMegabytes(server.pid)
  await server.stop()
  const again = await startServer(run)
  await Bun.sleep(LOOKED_MS)
  const restarted = residentMegabytes(again.pid)
  const quiet =
    QUIET_MS === 0
      ? []
      : [
          holds('resident after listings and a quiet minute, MB', listed, { atMost: MOST_RESIDENT_MB }),
          holds('resident after a restart over what was listed, MB', restarted, { atMost: MOST_RESIDENT_MB }),
        ]
  return [
    ...quiet,
    holds('start to first answer, s', median(starts), { atMost: MOST_START_SECONDS }),
    holds('resident after start, MB', median(fresh), { atMost: MOST_RESIDENT_MB }),
  ].every(Boolean)
})

function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

import { join } from 'node:path'
import { sized } from './figures.ts'
import { type Cost, costOf, cpuOf, curlHeaders, holds, makeFile, median, runBench, speedOf, startServer, wallOf } from './harness.ts'
import { startNginx } from './nginx.ts'

/** A file of 2 GB over loopback, the product against nginx with sendfile, in turn: medians of throughput and of the servers' own processor time. */
const ROUNDS = 7
const BYTES = sized(2e9, 200e6)
const LEAST_SPEED_RATIO = 0.8
const MOST_CPU_RATIO = 1.4

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const server = await startServer(run)
  await makeFile(join(server.root, 'big.bin'), BYTES)
  const nginx = await startNginx(run, server.root)
  const ours: Cost[] = []
  const theirs: Cost[] = []
  for (let round = 0; round <= rounds; round++) {
    const one = await costOf(server.pid, () => download(`${server.url}/api/raw/big.bin`, server.headers))
    const other = await costOf(nginx.pid, () => download(`${nginx.url}/big.bin`, {}))
    // The first pair fills the page cache.
    if (round === 0) continue
    ours.push(one)
    theirs.push(other)
  }
  tell('satchel', ours)
  tell('nginx', theirs)
  const speed = median(wallOf(theirs)) / median(wallOf(ours))
  const cpu = median(cpuOf(ours)) / median(cpuOf(theirs))
  const speeds = { ours: speedOf(BYTES, wallOf(ours)), reference: `nginx ${speedOf(BYTES, wallOf(theirs))}` }
  const costs = { ours: `${median(cpuOf(ours)).toFixed(2)} s`, reference: `nginx ${median(cpuOf(theirs)).toFixed(2)} s` }
  return [
    holds('speed × nginx', speed, { atLeast: LEAST_SPEED_RATIO }, speeds),
    holds('CPU × nginx', cpu, { atMost: MOST_CPU_RATIO }, costs),
  ].every(Boolean)
})

function tell(name: string, costs: readonly Cost[]): void {
  const speeds = costs.map(({ wall }) => (BYTES / wall / 1e6).toFixed(0))
  console.log(`${name.padEnd(8)} MB/s ${speeds.join(' ')} | CPU s ${costs.map(({ cpu }) => cpu.toFixed(2)).join(' ')}`)
}

async function download(url: string, headers: Record<string, string>): Promise<void> {
  const size = await Bun.$`curl -sf -o /dev/null -w ${'%{size_download}'} ${curlHeaders(headers)} ${url}`.text()
  if (Number(size) !== BYTES) throw new Error(`${url} sent ${size} bytes`)
}

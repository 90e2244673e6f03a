import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { curlHeaders, holds, quantile, runBench, type Server, startServer } from './harness.ts'

/**
 * How other requests fare while 500 wrong passwords arrive at once for shared links, from as many addresses and for ten links, so that as many as
 * possible reach the hash; again and again until enough others were asked.
 */
const ROUNDS = 300
const GUESSES = 500
const LINKS = 10
const OTHERS_P95_MS = 200
/** What one curl sends at once. */
const CURL_MOST = 250

await runBench({ rounds: ROUNDS }, async (run, requests) => {
  const server = await startServer(run, ['--trustedProxies', '127.0.0.1'])
  const hashes = await Promise.all(Array.from({ length: LINKS }, async (_, i) => await share(server, `file-${i}`)))
  const floods: string[] = []
  for (let from = 0; from < GUESSES; from += CURL_MOST) {
    const guesses = Array.from({ length: CURL_MOST }, (_, i) => guess(server, hashes[i % LINKS] ?? '', from + i))
    const file = join(run.folder, `guesses-${from}`)
    writeFileSync(file, guesses.join('next\n'))
    floods.push(file)
  }
  const quiet = await askOthers(server, requests)

  const over = new AbortController()
  const statuses = new Map<string, number>()
  const flood = async (file: string): Promise<void> => {
    while (!over.signal.aborted) {
      const told = await Bun.$`curl -s --parallel --parallel-immediate --parallel-max ${CURL_MOST} -K ${file}`.nothrow().text()
      for (const status of told.trim().split('\n')) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const flooding = Promise.all(floods.map(flood))
  const others = await askOthers(server, requests)
  over.abort()
  await flooding
  console.log(`guesses by status: ${[...statuses].map(([status, count]) => `${status} × ${count}`).join(', ')}`)
  console.log(`others alone: p95 ${quantile(quiet, 0.95).toFixed(1)} ms; meanwhile: worst ${Math.max(...others).toFixed(1)} ms`)
  return holds('others meanwhile, p95 ms', quantile(others, 0.95), { atMost: OTHERS_P95_MS })
})

/** From processes of their own: this one is busy with the guesses. @returns milliseconds of each */
async function askOthers({ url, headers }: Server, requests: number): Promise<number[]> {
  const times: number[] = []
  while (times.length < requests) {
    const told = await Bun.$`curl -sf -o /dev/null -w ${'%{time_total}'} ${curlHeaders(headers)} ${`${url}/api/resources/`}`.text()
    times.push(Number(told) * 1000)
    await Bun.sleep(10)
  }
  return times
}

/** @returns the hash of a link with a password */
async function share({ root, url, headers }: Server, name: string): Promise<string> {
  writeFileSync(join(root, name), name)
  const body = JSON.stringify({ password: 'the right one', expires: '', unit: '' })
  const answer = await fetch(`${url}/api/share/${name}`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`the server does not let us share: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { hash: string }).hash
}

/** One guess, as curl reads it from a file. */
function guess({ url }: Server, hash: string, n: number): string {
  const address = `10.0.${n >> 8}.${n & 255}`
  const lines = [`url="${url}/api/public/share/${hash}"`, `header="x-share-password: wrong ${n}"`, `header="x-forwarded-for: ${address}"`]
  return [...lines, 'output="/dev/null"', 'write-out="%{http_code}\\n"', ''].join('\n')
}

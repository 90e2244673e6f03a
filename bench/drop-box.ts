import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../src/shared/contract/tus.ts'
import { sized } from './figures.ts'
import { holds, makeFile, median, runBench, type Server, speedOf, startServer } from './harness.ts'

/**
 * A file of 1 GB into a drop box over a line that breaks ten times, against the same file and the same broken line as somebody signed in: what
 * visitors send goes the same way, and its locks and limits cost next to nothing. In turn, medians.
 */
const ROUNDS = 5
const BYTES = sized(1e9, 100e6)
const BREAKS = 10
const LEAST_SPEED_RATIO = 0.8

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const server = await startServer(run)
  const source = join(run.folder, 'source.bin')
  await makeFile(source, BYTES)
  await expectOk(`${server.url}/api/resources/box/`, { method: 'POST', headers: server.headers })
  const made = await expectOk(`${server.url}/api/share/box`, {
    method: 'POST',
    headers: { ...server.headers, accept: 'application/json' },
    body: JSON.stringify({ rights: 'drop' }),
  })
  const { hash } = (await made.json()) as { hash: string }
  const times = { own: [] as number[], visitor: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const own = await send(server, { source, address: `${server.url}/api/tus/own.bin`, headers: server.headers, lands: 'own.bin' })
    const address = `${server.url}/api/public/tus/${hash}/${crypto.randomUUID()}/sent.bin`
    const visitor = await send(server, { source, address, headers: {}, lands: 'box/sent.bin' })
    // The first round fills the page cache.
    if (round === 0) continue
    times.own.push(own)
    times.visitor.push(visitor)
  }
  for (const [name, all] of Object.entries(times))
    console.log(`${name.padEnd(8)} MB/s ${all.map((time) => (BYTES / time / 1e6).toFixed(0)).join(' ')}`)
  const seen = { ours: speedOf(BYTES, times.visitor), reference: `signed in ${speedOf(BYTES, times.own)}` }
  return holds('a visitor: speed × one’s own', median(times.own) / median(times.visitor), { atLeast: LEAST_SPEED_RATIO }, seen)
})

/** A whole file in pieces, each cut off in its middle once. @returns seconds */
async function send(
  { root }: Server,
  { source, address, headers, lands }: { source: string; address: string; headers: Record<string, string>; lands: string },
): Promise<number> {
  const start = performance.now()
  const tus = { ...headers, 'tus-resumable': TUS_VERSION }
  await expectOk(address, { method: 'POST', headers: { ...tus, 'upload-length': String(BYTES) } })
  let broken = 0
  for (let offset = 0; offset < BYTES;) {
    const end = Math.min(BYTES, offset + Math.ceil(BYTES / BREAKS))
    const appending = { ...tus, 'upload-offset': String(offset), 'content-type': OFFSET_MEDIA_TYPE }
    if (broken < BREAKS && offset >= (broken * BYTES) / BREAKS) {
      broken++
      const half = Bun.file(source).slice(offset, Math.floor((offset + end) / 2))
      await breakOff(address, { ...appending, 'content-length': String(end - offset) }, half)
    } else {
      const answer = await fetch(address, { method: 'PATCH', headers: appending, body: Bun.file(source).slice(offset, end) })
      // The one whose line broke may not be gone yet, or have left more than one knew of.
      if (!answer.ok && answer.status !== 423 && answer.status !== 409) throw new Error(`PATCH ${address}: ${answer.status}`)
      if (!answer.ok) await Bun.sleep(20)
    }
    const now = await expectOk(address, { method: 'HEAD', headers: tus })
    offset = Number(now.headers.get('upload-offset'))
  }
  const seconds = (performance.now() - start) / 1000
  const target = join(root, lands)
  if (statSync(target).size !== BYTES) throw new Error(`${lands}: ${statSync(target).size} bytes arrived`)
  rmSync(target)
  return seconds
}

/** A PATCH that says more than it sends, and leaves. */
async function breakOff(address: string, headers: Record<string, string>, half: Blob): Promise<void> {
  const { hostname, port, pathname } = new URL(address)
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  let wake = (): void => undefined
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: () => undefined, close: () => resolve(), error: () => resolve(), drain: () => wake() },
  })
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write(`PATCH ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\n${lines.join('\r\n')}\r\n\r\n`)
  for await (const chunk of half.stream()) {
    for (let at = 0; at < chunk.length;) {
      const room = new Promise<void>((done) => (wake = done))
      at += socket.write(chunk.subarray(at))
      if (at < chunk.length) await room
    }
  }
  socket.end()
  await gone
}

async function expectOk(address: string, init: RequestInit): Promise<Response> {
  const response = await fetch(address, init)
  if (!response.ok) throw new Error(`${init.method} ${address}: ${response.status} ${await response.text()}`)
  return response
}

import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { joinPath, ROOT } from '../src/shared/file-path.ts'
import { bulkCount, createBulk } from '../src/web/data/uploads/bulk.ts'
import { createBodyLimit } from '../src/web/data/uploads/body-limit.ts'
import { createUploadQueue } from '../src/web/data/uploads/queue.ts'
import { send, type UploadItem } from '../src/web/data/uploads/send.ts'
import { begin, sendBulk, transfer, type UploadOptions } from '../src/web/data/uploads/tus-upload.ts'
import type { Incoming, Outgoing } from '../src/web/data/uploads/xhr.ts'
import { sized } from './figures.ts'
import { sendFilePart } from './file-sender.ts'
import {
  type Cost,
  costOf,
  cpuOf,
  holds,
  makeFile,
  median,
  report,
  runBench,
  type Server,
  speedOf,
  startServer,
  urlTold,
  wallOf,
} from './harness.ts'

/**
 * What a person uploads in the page, sent by the page's own code (`src/web/data/uploads`: queue, pieces, bulk requests) with `file-sender.ts` and
 * `fetch` in place of XMLHttpRequest: a file of 2 GB against `dd oflag=direct`, and 2,000 files of 4 KiB against a loop that writes and syncs each. The
 * time includes that everything is on the disk. The same large file is also sent to the runtime alone, which discards it: no server on it is faster.
 */
const ROUNDS = 5
const BYTES = sized(2e9, 200e6)
const FILES = sized(2000, 200)
const FILE_BYTES = 4096
const LEAST_LARGE = 0.8
const LEAST_SMALL = 0.5
/** As the page gets it without a change in the settings. */
const CHUNK_BYTES = 10 * 1024 * 1024

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const server = await startServer(run)
  const source = join(run.folder, 'source.bin')
  await makeFile(source, BYTES)
  const large: UploadItem = { path: joinPath(ROOT, 'large.bin'), file: Bun.file(source) as unknown as File }
  const bare = await urlTold(run.spawn([process.execPath, join(import.meta.dirname, 'discarding.ts')]).stdout)
  const costs = { disk: [] as Cost[], bare: [] as Cost[], large: [] as Cost[], loop: [] as Cost[], small: [] as Cost[] }
  for (let round = 0; round <= rounds; round++) {
    const disk = await costOf(process.pid, () => Bun.$`dd bs=4M oflag=direct status=none if=${source} of=${join(run.folder, 'copy')}`)
    rmSync(join(run.folder, 'copy'))
    const whole = { method: 'PATCH', address: bare, headers: {}, path: source, from: 0, to: BYTES }
    const discarded = await costOf(process.pid, () => sendFilePart(whole))
    const one = await costOf(server.pid, () => upload(server, [large], source))
    if (statSync(join(server.root, 'large.bin')).size !== BYTES) throw new Error('the large file did not arrive')
    rmSync(join(server.root, 'large.bin'))
    const loop = await costOf(process.pid, async () => writeAndSync(join(run.folder, 'loop')))
    const folder = `round-${round}`
    const small = smallFiles(folder)
    const many = await costOf(server.pid, () => upload(server, small))
    const arrived = readdirSync(join(server.root, folder)).length
    if (arrived !== FILES) throw new Error(`${arrived} of ${FILES} small files arrived`)
    // The first round warms up.
    if (round === 0) continue
    costs.disk.push(disk)
    costs.bare.push(discarded)
    costs.large.push(one)
    costs.loop.push(loop)
    costs.small.push(many)
  }
  tell('dd', costs.disk, BYTES / 1e6, 'MB/s')
  tell('bare', costs.bare, BYTES / 1e6, 'MB/s')
  tell('large', costs.large, BYTES / 1e6, 'MB/s')
  tell('loop', costs.loop, FILES, 'files/s')
  tell('small', costs.small, FILES, 'files/s')
  const seenLarge = { ours: speedOf(BYTES, wallOf(costs.large)), reference: `dd ${speedOf(BYTES, wallOf(costs.disk))}` }
  const seenSmall = { ours: rateOf(costs.small), reference: `loop ${rateOf(costs.loop)}` }
  const seenBare = { ours: speedOf(BYTES, wallOf(costs.bare)), reference: seenLarge.reference }
  report('a large file to the runtime alone, which discards it: speed × dd oflag=direct', ratio(costs.disk, costs.bare), seenBare)
  report('a large file: server CPU, s', median(cpuOf(costs.large)))
  report(`${FILES} small files: server CPU, s`, median(cpuOf(costs.small)))
  return [
    holds('a large file from the page: speed × dd oflag=direct', ratio(costs.disk, costs.large), { atLeast: LEAST_LARGE }, seenLarge),
    holds(`${FILES} files of 4 KiB: speed × a loop with fsync`, ratio(costs.loop, costs.small), { atLeast: LEAST_SMALL }, seenSmall),
  ].every(Boolean)
})

/** Of each round, because the disk's own speed changes from one to the next. */
function ratio(reference: readonly Cost[], ours: readonly Cost[]): number {
  return median(ours.map(({ wall }, round) => (reference[round]?.wall ?? Number.NaN) / wall))
}

function rateOf(costs: readonly Cost[]): string {
  return `${(FILES / median(wallOf(costs))).toFixed(0)} files/s`
}

function tell(name: string, costs: readonly Cost[], amount: number, unit: string): void {
  console.log(`${name.padEnd(6)} ${unit} ${costs.map(({ wall }) => (amount / wall).toFixed(0)).join(' ')}`)
}

function smallFiles(folder: string): UploadItem[] {
  const bytes = new Uint8Array(FILE_BYTES).fill(65)
  return Array.from({ length: FILES }, (_, n) => {
    return { path: joinPath(joinPath(ROOT, folder), `${n}.txt`), file: new File([bytes], `${n}.txt`, { lastModified: 1.7e12 }) }
  })
}

/** The page's queue and requests, until the last file is done. @param source where the bytes of large files are */
async function upload(server: Server, items: readonly UploadItem[], source = ''): Promise<void> {
  const limit = createBodyLimit({ read: () => null, write: () => undefined })
  const optionsOf = (control: Pick<UploadOptions, 'signal' | 'onProgress' | 'slot'>): UploadOptions => ({
    ...control,
    base: server.url,
    headers: () => ({ 'x-auth': server.headers['X-Auth'] ?? '' }),
    chunkBytes: CHUNK_BYTES,
    limit,
    retries: 0,
    request: (outgoing) => (outgoing.method === 'PATCH' ? sendPiece(outgoing, source) : sendFetch(outgoing)),
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const queue = createUploadQueue({
    run: (job, { signal, onProgress, slot }) => {
      const options = optionsOf({ signal, onProgress, slot })
      const transport = {
        begin: (one: UploadItem, how: { override: boolean }) => begin(one, how, options),
        transfer: (one: UploadItem, how: { override: boolean }) => transfer(one, how, options),
        askConflict: async () => 'skip' as const,
        freeName: async () => job.path,
      }
      return send(job, transport)
    },
    batch(line, waiting) {
      const count = bulkCount(line, waiting)
      if (count === 1) return null
      const options = optionsOf({ signal: new AbortController().signal, onProgress: () => undefined })
      return { count, slot: createBulk(count, (all, control) => sendBulk(all, control, options)).slot }
    },
    discard: () => undefined,
    onIdle(uploads) {
      const failed = uploads.find(({ state }) => state !== 'done')
      if (failed === undefined) resolve()
      else reject(failed.error ?? new Error(failed.state))
    },
  })
  queue.enqueue(items.map((job) => ({ job, decided: null })))
  await promise
}

/** One request of tus for a large file. */
async function sendPiece({ method, address, headers, body }: Outgoing, path: string): Promise<Incoming> {
  const from = Number(headers['upload-offset'])
  const answer = await sendFilePart({ method, address, headers, path, from, to: from + (body?.size ?? 0) })
  if (answer.status !== 204) throw new Error(`${method} ${address}: ${answer.status} ${answer.text()}`)
  return answer
}

async function sendFetch({ method, address, headers, body, signal }: Outgoing): Promise<Incoming> {
  const answer = await fetch(address, { method, headers, body: body ?? null, signal: signal ?? null })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${text}`)
  return { status: answer.status, header: (name) => answer.headers.get(name), text: () => text }
}

function writeAndSync(folder: string): void {
  mkdirSync(folder)
  const bytes = new Uint8Array(FILE_BYTES).fill(65)
  for (let n = 0; n < FILES; n++) {
    const file = openSync(join(folder, `${n}.txt`), 'w')
    writeSync(file, bytes)
    fsyncSync(file)
    closeSync(file)
  }
  rmSync(folder, { recursive: true })
}

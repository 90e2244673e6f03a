import { expect, it } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isWhole, sealed } from '../../src/server/storage/test-sealed.ts'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../../src/shared/contract/tus.ts'
import { sweepADayLater } from '../crash/sweep.ts'
import { type Program, Refused, slowly, startProgram } from './program.ts'

/**
 * The real program, killed while people upload, save, copy and move. What was acknowledged is there; what was on its way is there whole or not
 * at all; and an upload that can be resumed is.
 */
const KILLS = 12
const LONGEST_LIFE_MS = 160
const NAMES = ['uploaded', 'saved', 'source', 'copied', 'ping', 'pong']
const TUS_BYTES = 600_000
const TUS = { 'tus-resumable': TUS_VERSION }
/** How long the lease of a server that was killed keeps others out, and a little more. */
const LEASE_MS = 8000

it('keeps every file whole and every acknowledged change, whenever the process is killed (I6, A5-5)', async () => {
  const home = mkdtempSync(join(tmpdir(), 'satchel-crash-'))
  const files = new Map<string, Possible>()
  const uploads: Uint8Array<ArrayBuffer>[] = []
  const finished = new Set<number>()
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      await using server = await startProgram(home)
      uploads.push(sealed(TUS_BYTES + kill))
      const work = Promise.all([
        ...['uploaded', 'saved', 'copied'].map((name, turn) => changeAgainAndAgain(server, files, { name, turn: turn + kill })),
        moveBackAndForth(server, files),
        uploadSlowly(server, kill, uploads[kill]).then((done) => void (done && finished.add(kill))),
      ])
      if (kill === 0) await Promise.race([everyKindOfChange(files), work])
      await Promise.race([Bun.sleep(Math.random() * LONGEST_LIFE_MS), work])
      await server.kill()
      await work
      checkFiles(join(home, 'root'), files, { finished, uploads })
    }
    expect(finished.size).toBeLessThan(KILLS)

    expect(await sweepADayLater(home)).toEqual([])

    await using server = await startProgram(home)
    const missing = [...uploads.entries()].filter(([index]) => !existsSync(join(home, 'root', tusName(index))))
    expect(missing.length).toBeGreaterThan(0)
    for (const [index, bytes] of missing) await resume(server, index, bytes)
    for (const [index, bytes] of uploads.entries()) expect(readFileSync(join(home, 'root', tusName(index))).equals(bytes)).toBe(true)
    expect(readdirSync(join(home, 'root/.satchel/staging'))).toEqual([])
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}, 300_000)

/** The first life lasts until each was made once. */
async function everyKindOfChange(files: ReadonlyMap<string, Possible>): Promise<void> {
  while (!NAMES.every((name) => files.get(name)?.changes)) await Bun.sleep(5)
}

/** What may stand under a name: bytes are told apart by their number. Null is no file. */
interface Possible {
  acknowledged: number | null
  onTheWay: number | null
  changes: number
}

let lastSize = 1000

async function changeAgainAndAgain(
  server: Program,
  files: Map<string, Possible>,
  { name, turn }: { name: string; turn: number },
): Promise<void> {
  const address = `/api/resources/${name}`
  const put = (bytes: Uint8Array<ArrayBuffer>, method: 'POST' | 'PUT', to = address) =>
    server.ask(method === 'POST' ? `${to}?override=true` : to, { method, body: turn % 2 === 0 ? bytes : slowly(bytes, 1) })
  await untilKilled(async () => {
    const size = ++lastSize * 97
    if (name === 'uploaded' || !files.get(name)?.acknowledged) await change(files, name, size, () => put(sealed(size), 'POST'))
    else if (name === 'saved') await change(files, name, size, () => put(sealed(size), 'PUT'))
    else {
      await change(files, 'source', size, () => put(sealed(size), 'POST', '/api/resources/source'))
      await change(files, name, size, () =>
        server.ask('/api/resources/source?action=copy&destination=/copied&override=true', { method: 'PATCH' }),
      )
    }
  })
}

async function moveBackAndForth(server: Program, files: Map<string, Possible>): Promise<void> {
  await untilKilled(async () => {
    const standing = ['ping', 'pong'].find((name) => files.get(name)?.acknowledged)
    if (standing === undefined)
      return change(files, 'ping', 5000, () => server.ask('/api/resources/ping', { method: 'POST', body: sealed(5000) }))
    const other = standing === 'ping' ? 'pong' : 'ping'
    await change(files, standing, null, () =>
      change(files, other, 5000, () => server.ask(`/api/resources/${standing}?action=rename&destination=/${other}`, { method: 'PATCH' })),
    )
  })
}

async function change(files: Map<string, Possible>, name: string, size: number | null, operation: () => Promise<unknown>): Promise<void> {
  const file = files.get(name) ?? { acknowledged: null, onTheWay: null, changes: 0 }
  files.set(name, file)
  file.onTheWay = size
  await operation()
  file.acknowledged = size
  file.changes++
}

/** @returns whether the last byte was acknowledged */
async function uploadSlowly(server: Program, index: number, bytes: Uint8Array<ArrayBuffer> | undefined): Promise<boolean> {
  if (bytes === undefined) return false
  let isDone = false
  await unlessKilled(async () => {
    await server.ask(tusAddress(index), { method: 'POST', headers: { ...TUS, ...announcement(bytes) } })
    await server.ask(tusAddress(index), patch(0, slowly(bytes, 4)))
    isDone = true
  })
  return isDone
}

function announcement(bytes: Uint8Array): Record<string, string> {
  return { 'upload-length': String(bytes.length), 'upload-metadata': `filename ${btoa(String(bytes.length))}` }
}

function patch(offset: number, body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>): RequestInit {
  return { method: 'PATCH', headers: { ...TUS, 'upload-offset': String(offset), 'content-type': OFFSET_MEDIA_TYPE }, body }
}

/** Resumes as a tus client does: announces the same file, asks for the offset, and continues. */
async function resume(server: Program, index: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  for (const end = Date.now() + LEASE_MS; ; await Bun.sleep(200)) {
    try {
      const told = await server.ask(tusAddress(index), { method: 'HEAD', headers: TUS }).catch(() =>
        // Killed before the announcement was noted.
        server.ask(tusAddress(index), { method: 'POST', headers: { ...TUS, ...announcement(bytes) } }),
      )
      const offset = Number(told.headers.get('upload-offset'))
      if (offset < bytes.length) await server.ask(tusAddress(index), patch(offset, bytes.slice(offset)))
      return
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

function tusName(index: number): string {
  return `resumed-${index}`
}

function tusAddress(index: number): string {
  return `/api/tus/${tusName(index)}`
}

/** Straight from the disk, with no server running. */
function checkFiles(
  root: string,
  files: ReadonlyMap<string, Possible>,
  { finished, uploads }: { finished: ReadonlySet<number>; uploads: readonly Uint8Array[] },
): void {
  for (const [name, file] of files) {
    const found = existsSync(join(root, name)) ? readFileSync(join(root, name)) : null
    if (found !== null) expect(isWhole(found)).toBe(true)
    const size = found === null ? null : found.length - sealed(0).length
    expect({ name, allowed: [file.acknowledged, file.onTheWay] }).toEqual({ name, allowed: expect.arrayContaining([size]) })
    Object.assign(file, { acknowledged: size, onTheWay: size })
  }
  if (files.has('pong')) expect(existsSync(join(root, 'ping'))).not.toBe(existsSync(join(root, 'pong')))
  for (const [index, bytes] of uploads.entries()) {
    const isThere = existsSync(join(root, tusName(index)))
    if (finished.has(index)) expect(isThere).toBe(true)
    if (isThere) expect(readFileSync(join(root, tusName(index))).equals(bytes)).toBe(true)
  }
  const known = [...files.keys(), ...[...uploads.keys()].map(tusName), '.satchel']
  expect(readdirSync(root).filter((name) => !known.includes(name))).toEqual([])
}

async function untilKilled(step: () => Promise<unknown>): Promise<void> {
  while (await unlessKilled(step));
}

/** @returns false when the server died meanwhile */
async function unlessKilled(step: () => Promise<unknown>): Promise<boolean> {
  try {
    await step()
    return true
  } catch (error) {
    if (error instanceof Refused) throw error
    return false
  }
}

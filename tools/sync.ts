import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Computer, plant, startSyncedServer, synced } from '../test/contract/sync-world.ts'
import { changeEverywhere } from '../test/contract/sync-changes.ts'
import { expectWhole, type Found } from '../test/contract/sync-whole.ts'

/**
 * `npm run sync -- [--files N] [--kills N] [--each N]`: Nextcloud's command line client (Debian's `nextcloud-desktop-cmd`) against the program: the first sync of many
 * small files in both directions, a sync without changes, 200 renames with conflicts, and kills of the client, of the server and of both in the middle of
 * syncs. Afterwards all sides have to be equal, with nothing lost and nothing twice. Prints time and requests.
 */
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '6' },
    each: { type: 'string', default: '25' },
  },
})
const [FILES, KILLS, EACH] = [Number(values.files), Number(values.kills), Number(values.each)]
const FOLDERS = 200
const LARGE_BYTES = 35_000_000

const server = await startSyncedServer({ args: ['--log-all'] })
const [one, two] = [await server.computer(), await server.computer()]
const contents = new Set<string>()
const problems: string[] = []
/** Of files that were renamed on two sides. */
const twice = new Set<string>()
/** The file that was sent in chunks last, and its folder; the next round removes it. */
let large = ''
let largeIn = 'none yet'

try {
  await firstSyncs()
  await renames()
  await kills()
} finally {
  await server[Symbol.asyncDispose]()
}
console.log(problems.length === 0 ? 'nothing lost, nothing twice' : `${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1

async function firstSyncs(): Promise<void> {
  await plant(one.folder, FILES, 'first', { folders: FOLDERS })
  addTexts('first', FILES)
  await timed(`first sync of ${FILES} files, to the server`, () => synced(one))
  await timed(`first sync of ${FILES} files, from the server`, () => synced(two))
  await timed('the sync after one’s own changes', () => synced(one))
  await timed('a sync without changes', () => synced(one))
  await check('first syncs', {})
}

async function kills(): Promise<void> {
  const usualMs = await unkilled()
  for (let round = 0; round < KILLS; round++) {
    const at = () => Math.round(((round + Math.random()) / KILLS) * usualMs)
    await killed(`the client ${round}`, at(), (computer, ms) => computer.syncKilled(ms))
    await killed(`the server ${round}`, at(), async (computer, ms) => killServer(computer.sync(), ms))
    await killed(`both ${round}`, at(), async (computer, ms) => killServer(computer.syncKilled(ms + 20), ms))
  }
}

/** Two hundred, and as many other changes, on three sides at the same time. */
async function renames(): Promise<void> {
  const folders = Array.from({ length: 2 * EACH }, (_, n) => `first/${n}`)
  const files = new Map<string, string>()
  for (let n = 0; n < FILES && files.size < 8 * EACH; n++)
    if (n % FOLDERS >= folders.length) files.set(`first/${n % FOLDERS}/${n}.txt`, `first ${n}`)
  const sides = { server: server.root, one: one.folder, two: two.folder }
  const { mayBeTwice, ...after } = await changeEverywhere({ each: EACH, sides, files, folders }, contents)
  contents.clear()
  for (const content of after.contents) contents.add(content)
  await timed(`${after.renames} renames and ${4 * EACH} other changes, first computer`, async () => void (await one.sync()))
  await check('renames', { mayBeTwice })
}

/** How long a sync takes in which nobody is killed, in milliseconds. */
async function unkilled(): Promise<number> {
  await newFiles('killed nobody')
  const start = performance.now()
  await one.sync()
  const ms = performance.now() - start
  await check(`nobody killed, ${Math.round(ms)} ms`, {})
  return ms
}

/** @param ms from the beginning of a sync to its end, in the rounds together */
async function killed(who: string, ms: number, kill: (computer: Computer, ms: number) => Promise<boolean>): Promise<void> {
  await newFiles(`killed ${who}`)
  const wasAtWork = await kill(one, ms)
  await check(`killed ${who}, after ${ms} ms${wasAtWork ? '' : ', when it was done'}`, {})
}

/** Small ones and one in chunks, on a computer and on the server. */
async function newFiles(name: string): Promise<void> {
  const small = Math.max(20, Math.round(FILES / 40))
  await plant(one.folder, small, name)
  await plant(server.root, small, `${name} here`)
  contents.delete(large)
  // A client that is killed after it has moved the folder may find it again: new nodes can have the numbers of removed ones, by which it knows renames.
  twice.add(large)
  large = `${name} ${'large '.repeat(LARGE_BYTES / 6)}`
  await rm(join(one.folder, largeIn), { recursive: true, force: true })
  largeIn = `${name} large`
  await mkdir(join(one.folder, largeIn))
  await writeFile(join(one.folder, largeIn, 'large.bin'), large)
  contents.add(large)
  addTexts(name, small)
  addTexts(`${name} here`, small)
}

async function killServer(syncing: Promise<unknown>, ms: number): Promise<boolean> {
  let isDone = false
  const done = syncing.then(() => (isDone = true))
  await Promise.race([done, Bun.sleep(ms)])
  const wasAtWork = !isDone
  await server.restart()
  await done
  return wasAtWork
}

async function check(what: string, options: { mayBeTwice?: ReadonlySet<string> }): Promise<void> {
  for (const content of options.mayBeTwice ?? []) twice.add(content)
  const found: Found = await expectWhole(server, [one, two], contents, { mayBeTwice: twice })
  console.log(`${what}: ${found.files} files, ${found.conflictCopies} conflict copies, ${found.problems.length} problems`)
  for (const problem of found.problems.slice(0, 10)) console.log(`  ${problem}`)
  problems.push(...found.problems)
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const program = server.program()
  const before = program.said().length
  const cpu = await cpuNow()
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1000
  const requests = new Map<string, number>()
  for (const [, method = ''] of program
    .said()
    .slice(before)
    .matchAll(/"method":"([A-Z]+)"/g))
    requests.set(method, (requests.get(method) ?? 0) + 1)
  const counts = [...requests].toSorted((a, b) => b[1] - a[1]).map(([method, count]) => `${count} ${method}`)
  const total = [...requests.values()].reduce((sum, count) => sum + count, 0)
  const used = (await cpuNow()) - cpu
  console.log(`${what}: ${seconds.toFixed(1)} s, ${used.toFixed(1)} s of the server's CPU, ${total} requests (${counts.join(', ')})`)
}

/** Seconds of processor time until now. */
async function cpuNow(): Promise<number> {
  const stat = await Bun.file(`/proc/${server.program().pid}/stat`).text()
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function addTexts(name: string, count: number): void {
  for (let n = 0; n < count; n++) contents.add(`${name} ${n}`)
}

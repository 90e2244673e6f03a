import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { armed, type KillPoint, survives } from '../crash/kill-points.ts'
import { type Acting, actAtRandom, rewind, type Scene } from './operations.ts'
import { createDropBox, createPeople, type Person } from './people.ts'
import { type Random, randomFrom } from './random.ts'
import { type Served, type ServedProgram, serveProgram } from './served.ts'
import { differences, type TreeSnapshot } from './tree-snapshot.ts'

/** How much is done. */
export interface ModelRun {
  readonly seed: number
  /** Moments to which the tree is rewound after each start. */
  readonly rewinds: number
}

export interface Killing extends ModelRun {
  /** System calls at which the server is killed, one in each of its lives but the last. */
  readonly kills: number
  /** In which the files and the database are, so that several file systems can be tried. */
  readonly folder: string
}

export interface ModelResult {
  operations: number
  rewinds: number
  /** What killed the server: the name of a system call, `start: ` and the name of one for a start, or `between calls`. */
  readonly kills: string[]
  /** In words. */
  readonly violations: string[]
}

/** A time at which the tree was as it is here, and nothing was going on. */
interface Moment {
  readonly at: number
  readonly tree: TreeSnapshot
  readonly after: string
}

/**
 * System calls by which operations, their journal and their database change the disk, with how often one thread makes them in about four operations: as
 * `strace` counted them. What is rare makes lives long, what is frequent is hit at any of its calls.
 */
const CALLS: Readonly<Record<string, number>> = {
  pwrite64: 120,
  write: 6,
  fsync: 8,
  fdatasync: 1,
  rename: 2,
  renameat2: 3,
  link: 1,
  unlink: 1,
  mkdir: 3,
  rmdir: 1,
  utimensat: 1,
  fchmod: 2,
  ftruncate: 1,
  ioctl: 1,
}
/** So many operations of a life at most are done before anybody counts its system calls, which makes each of them slower. */
const MOST_BEFORE = 12
/** One server that is not killed by then is killed between two calls. */
const LONGEST_LIFE = 25
const LONGEST_LIFE_MS = 60_000
/** Such a share of the starts after a kill is killed as well, so often at most in a start. */
const KILLED_STARTS = 0.1
const MOST_CALLS_OF_START = 25
/** A server that is about to die does so by then. */
const LONGEST_END_MS = 2000
const MOST_MOMENTS = 400

function pointFrom(random: Random): KillPoint {
  const call = random.one(Object.keys(CALLS)) ?? 'write'
  return { call, nth: 1 + random.below(CALLS[call] ?? 1) }
}

const startPointFrom = (random: Random): KillPoint => ({
  call: random.one(['pwrite64', 'fsync', 'write', 'rename', 'unlink']) ?? 'fsync',
  nth: 1 + random.below(MOST_CALLS_OF_START),
})

/**
 * Random operations of three people by every way in, with the server killed at random system calls and started again. After each start the tree is rewound to
 * moments of its past, and must be what it was then: names, bytes, modes, times. Ends early at the first violation, with the files left in `folder`.
 * @param onLife called after each life of the server, with what it came to
 */
export async function runModel(
  { seed, kills, rewinds, folder }: Killing,
  onLife: (life: ModelResult) => void = () => undefined,
): Promise<ModelResult> {
  const home = mkdtempSync(join(folder, `satchel-model-${seed}-`))
  const random = randomFrom(seed)
  const server = await serveProgram(home)
  let lives = 0
  let isViolated = false
  const told = (life: ModelResult): void => {
    isViolated ||= life.violations.length > 0
    onLife(life)
  }
  try {
    return await live(server, { seed, rewinds, random, onLife: told }, async (act) => {
      const isLast = lives++ === kills
      const point = pointFrom(random)
      const quiet = isLast ? 0 : random.below(MOST_BEFORE)
      for (let n = 0; n < quiet; n++) await act()
      const release = isLast ? null : await armed(server.pid, point, { longestMs: LONGEST_LIFE_MS })
      let killedBy = 'between calls'
      try {
        for (let n = 0; n < (isLast ? 1 : LONGEST_LIFE); n++) await act()
      } catch (error) {
        if (await survives(server.pid, { ms: LONGEST_END_MS })) throw error
        // What was going on may have happened, in part if it has parts.
        killedBy = point.call
      }
      if (release === null) return { isLast, kills: [] }
      await server.kill()
      await release()
      return { isLast, kills: [killedBy, ...(await startAgain(server, random))] }
    })
  } finally {
    await server.kill()
    if (!isViolated) rmSync(home, { recursive: true, force: true })
  }
}

/** @returns what killed the server at its start; empty for most starts */
async function startAgain(server: ServedProgram, random: Random): Promise<string[]> {
  if (random.chance(KILLED_STARTS)) {
    const point = startPointFrom(random)
    if (!(await server.startArmed(point))) return [`start: ${point.call}`, ...(await startAgain(server, random))]
    await server.kill()
  }
  await server.startAgain()
  return []
}

/** The same with a server that lives on: the tree is rewound after each of some equal parts of the operations. */
export async function runAlive(
  server: Served,
  { parts, operations, ...run }: ModelRun & { parts: number; operations: number },
): Promise<ModelResult> {
  let part = 0
  return live(server, { ...run, random: randomFrom(run.seed), onLife: () => undefined }, async (act) => {
    for (let n = 0; n < Math.ceil(operations / parts); n++) await act()
    return { isLast: ++part === parts, kills: [] }
  })
}

interface Living extends ModelRun {
  readonly random: Random
  readonly onLife: (life: ModelResult) => void
}

/** @param oneLife does what is to be done, one operation at a time; after the last one the whole is done */
async function live(
  server: Served,
  { rewinds, random, onLife }: Living,
  oneLife: (act: () => Promise<void>) => Promise<{ isLast: boolean; kills: string[] }>,
): Promise<ModelResult> {
  const all: ModelResult = { operations: 0, kills: [], rewinds: 0, violations: [] }
  const people = await createPeople(server)
  const dropBox = await createDropBox(server)
  const gestures = new Map<string, string[]>()
  const saved = new Set<string>()
  const [admin] = people
  if (admin === undefined) throw new Error('there is no administrator')
  const moments: Moment[] = []
  const remember = async (after: string): Promise<void> => {
    await pause()
    moments.push({ at: Date.now(), tree: await server.tree(), after })
    if (moments.length > MOST_MOMENTS) moments.splice(random.below(moments.length - 1), 1)
    await pause()
  }
  await remember('the start')
  for (let isLast = false; !isLast;) {
    const result: ModelResult = { operations: 0, kills: [], rewinds: 0, violations: [] }
    const life = await oneLife(async () => {
      const person = random.one<Person>(people) ?? admin
      const past = moments.map(({ at }) => at)
      const scene: Scene = { server, random, person, dropBox, tree: moments.at(-1)?.tree ?? new Map(), gestures, saved, past }
      result.operations++
      await remember(await actAtRandom(scene))
    })
    isLast = life.isLast
    result.kills.push(...life.kills)
    if (life.kills.length > 0) {
      saved.clear()
      await remember('a kill')
    }
    const violations = await rewindAround({ server, random, person: admin, gestures }, { moments, count: rewinds, result })
    result.violations.push(...violations, ...server.wrong())
    onLife(result)
    all.operations += result.operations
    all.rewinds += result.rewinds
    all.kills.push(...result.kills)
    all.violations.push(...result.violations)
    if (all.violations.length > 0) return all
  }
  return all
}

interface Rewinding {
  readonly moments: Moment[]
  readonly count: number
  readonly result: ModelResult
}

/** Rewinds to some moments, one after the other, and at the end to now. @returns what is wrong, in words */
async function rewindAround(scene: Acting, { moments, count, result }: Rewinding): Promise<string[]> {
  const now = moments.at(-1)
  if (now === undefined) return []
  const chosen = [...Array.from({ length: count }, () => scene.random.one(moments) ?? now), now]
  for (const moment of chosen) {
    const job = await rewind(scene, moment.at)
    result.rewinds++
    const wrong = differences(await scene.server.tree(), moment.tree)
    if (wrong.length === 0 && job.state === 'done') continue
    const ago = moments.length - 1 - moments.indexOf(moment)
    return [
      `rewound to ${new Date(moment.at).toISOString()}, ${ago} moments ago (after ${moment.after}): ${JSON.stringify(job)}`,
      ...wrong,
      ...scene.server.journal(),
    ]
  }
  await pause()
  moments.push({ at: Date.now(), tree: await scene.server.tree(), after: 'rewinding' })
  await pause()
  return []
}

/** So that what comes after it has a later time, in milliseconds. */
async function pause(): Promise<void> {
  await Bun.sleep(2)
}

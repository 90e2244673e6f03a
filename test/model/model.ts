import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { armed, type KillPoint, survives } from '../crash/kill-points.ts'
import { actAtRandom, call, jobEnd, type Scene } from './operations.ts'
import { createDropBox, createPeople, type Person } from './people.ts'
import { type Random, randomFrom } from './random.ts'
import { type Served, serveProgram } from './served.ts'
import { differences, type TreeSnapshot } from './tree-snapshot.ts'

/** How much is done. */
export interface ModelRun {
  readonly seed: number
  readonly operations: number
  /** The server is killed so often; never if 0. */
  readonly kills: number
  /** Moments to which the tree is rewound after each start. */
  readonly rewinds: number
}

export interface ModelResult {
  operations: number
  kills: number
  rewinds: number
  /** In words. */
  readonly violations: string[]
}

/** A time at which the tree was as it is here, and nothing was going on. */
interface Moment {
  readonly at: number
  readonly tree: TreeSnapshot
  readonly after: string
}

/** System calls by which operations, their journal and their database change the disk. */
const CALLS = [
  'write',
  'pwrite64',
  'fsync',
  'fdatasync',
  'rename',
  'renameat2',
  'link',
  'unlink',
  'mkdir',
  'rmdir',
  'utimensat',
  'fchmod',
  'ftruncate',
]
const MOST_CALLS_BEFORE = 60
/** A server that is about to die does so by then. */
const LONGEST_END_MS = 2000
const MOST_MOMENTS = 400

const pointFrom = (random: Random): KillPoint => ({ call: random.one(CALLS) ?? 'write', nth: 1 + random.below(MOST_CALLS_BEFORE) })

/**
 * Random operations of three people by every way in, with the server killed at random system calls and started again. After each start the tree is rewound to
 * moments of its past, and must be what it was then: names, bytes, modes, times.
 * @param onProgress called after each life of the server
 */
export async function runModel(run: ModelRun, onProgress: (result: ModelResult) => void = () => undefined): Promise<ModelResult> {
  const home = mkdtempSync(join(tmpdir(), 'satchel-model-'))
  const random = randomFrom(run.seed)
  const server = await serveProgram(home)
  try {
    return await live(
      server,
      { ...run, random, onProgress, lives: run.kills + 1, isEnough: ({ kills }) => kills >= run.kills },
      async (act, isLast) => {
        if (isLast) return void (await act())
        const release = await armed(server.pid, pointFrom(random))
        let isKilled = false
        try {
          await act()
        } catch (error) {
          if (await survives(server.pid, { ms: LONGEST_END_MS })) throw error
          // What was going on may have happened, in part if it has parts.
          isKilled = true
        }
        await server.kill()
        await release()
        await server.startAgain()
        return isKilled
      },
    )
  } finally {
    await server.kill()
    rmSync(home, { recursive: true, force: true })
  }
}

/** The same with a server that lives on: the tree is rewound after each of some equal parts of the operations. */
export async function runAlive(server: Served, { parts, ...run }: Omit<ModelRun, 'kills'> & { parts: number }): Promise<ModelResult> {
  const more = { random: randomFrom(run.seed), onProgress: () => undefined, lives: parts }
  const isEnough = (_: ModelResult, lives: number): boolean => lives === parts - 1
  return live(server, { ...run, ...more, isEnough }, async (act) => act())
}

interface Living extends Omit<ModelRun, 'kills'> {
  readonly random: Random
  /** Each has so many parts of the operations; not every one of them ends by a kill. */
  readonly lives: number
  /** Whether one more life is the last one. */
  readonly isEnough: (result: ModelResult, lives: number) => boolean
  readonly onProgress: (result: ModelResult) => void
}

/** @param oneLife does what is to be done; whether the server was killed meanwhile */
async function live(
  server: Served,
  { operations, rewinds, random, lives, isEnough, onProgress }: Living,
  oneLife: (act: () => Promise<void>, isLast: boolean) => Promise<boolean | void>,
): Promise<ModelResult> {
  const result: ModelResult = { operations: 0, kills: 0, rewinds: 0, violations: [] }
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
  for (let life = 0, isLast = false; !isLast; life++) {
    isLast = isEnough(result, life)
    const isKilled = await oneLife(async () => {
      for (let n = 0; n < Math.ceil(operations / lives); n++) {
        const person = random.one<Person>(people) ?? admin
        const scene: Scene = { server, random, person, dropBox, tree: moments.at(-1)?.tree ?? new Map(), gestures, saved }
        result.operations++
        await remember(await actAtRandom(scene))
      }
    }, isLast)
    if (isKilled === true) {
      result.kills++
      saved.clear()
      await remember('a kill')
    }
    const violations = await rewindAround({ server, random, person: admin, gestures }, { moments, count: rewinds, result })
    result.violations.push(...violations, ...server.wrong())
    onProgress(result)
    if (result.violations.length > 0) return result
  }
  return result
}

interface Rewinding {
  readonly moments: Moment[]
  readonly count: number
  readonly result: ModelResult
}

/** Rewinds to some moments, one after the other, and at the end to now. @returns what is wrong, in words */
async function rewindAround(
  scene: Pick<Scene, 'server' | 'random' | 'person' | 'gestures'>,
  { moments, count, result }: Rewinding,
): Promise<string[]> {
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

async function rewind(
  scene: Pick<Scene, 'server' | 'random' | 'person' | 'gestures'>,
  at: number,
): Promise<{ state: string; failed: unknown }> {
  const body = JSON.stringify({ path: '/', to: new Date(at).toISOString() })
  const { job } = (await (await call(scene, '/api/rewind', 'POST', { body })).json()) as { job: { id: string } }
  return jobEnd(scene, job.id)
}

/** So that what comes after it has a later time, in milliseconds. */
async function pause(): Promise<void> {
  await Bun.sleep(2)
}

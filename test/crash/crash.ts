import { Database } from 'bun:sqlite'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Program, startProgram } from '../contract/program.ts'
import type { Operation, Scene } from './operation.ts'
import { sweepADayLater } from './sweep.ts'
import { armed, type KillPoint, killPointsOf, survives } from './kill-points.ts'

/** A server that was killed is dead by then. */
const LONGEST_END_MS = 2000

/** What came of killing the server at points of one operation. */
export interface Outcome {
  readonly operation: string
  points: number
  /** Runs in which the server was killed at its point; in the others it passed by, was acknowledged and was killed then. */
  killed: number
  runs: number
  readonly violations: string[]
}

/** The real program over one folder, with another file system mounted in it; killed and started again and again. */
export interface Crashing extends AsyncDisposable {
  readonly home: string
  pointsOf(operation: Operation): Promise<KillPoint[]>
  /** One life: prepared, killed at the point, started anew, judged. Adds to the outcome. */
  crash(operation: Operation, point: KillPoint, outcome: Outcome): Promise<void>
  /** The last: nothing that the killed servers staged outlives the next day. */
  sweep(): Promise<Outcome>
}

export async function startCrashing(): Promise<Crashing> {
  const home = mkdtempSync(join(tmpdir(), 'satchel-crash-'))
  const root = join(home, 'root')
  const other = join(root, 'other')
  mkdirSync(other, { recursive: true })
  mount(other)
  let server = await startProgram(home)
  const { token } = server
  let runs = 0

  function nextScene(): Scene {
    const run = `run-${++runs}`
    const path = (name: string): string => name.replace(/^here/, run).replace(/^there/, `other/${run}`)
    return { run, folders: { here: join(root, run), there: join(other, run) }, path }
  }

  async function reborn(): Promise<Program> {
    await server.kill()
    server = await startProgram(home, { token })
    return server
  }

  return {
    home,
    async pointsOf(operation) {
      const scene = nextScene()
      await operation.prepare(scene, server)
      const points = await killPointsOf(server.pid, () => operation.act(scene, server))
      clear(scene)
      return points
    },
    async crash(operation, point, outcome) {
      const scene = nextScene()
      await operation.prepare(scene, server)
      const release = await armed(server.pid, point)
      const acknowledged = await operation.act(scene, server).then(
        () => true,
        () => false,
      )
      const survived = await survives(server.pid, { ms: acknowledged ? 0 : LONGEST_END_MS })
      await release()
      await reborn()
      outcome.runs++
      if (!survived) outcome.killed++
      const wrong = [...(await operation.verify(scene, server, acknowledged)), ...wrongInDatabase(join(home, 'data/satchel.db'))]
      for (const one of wrong) outcome.violations.push(`${operation.name}, before ${point.call} ${point.nth}: ${one}`)
      clear(scene)
    },
    async sweep() {
      await server.kill()
      const left = await sweepADayLater(home)
      return {
        operation: 'what was staged',
        points: 0,
        runs: 0,
        killed: 0,
        violations: left.map((id) => `${id} is still staged after a day`),
      }
    },
    async [Symbol.asyncDispose]() {
      await server.kill()
      spawnSync('umount', ['-l', other])
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function clear({ folders }: Scene): void {
  for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true })
}

function mount(folder: string): void {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', 'none', folder])
  if (status !== 0) throw new Error(`another file system is needed: ${String(stderr)}`)
}

/** Of a database file that may be in use. @returns what SQLite finds wrong, in words */
export function wrongInDatabase(file: string): string[] {
  const db = new Database(file, { readonly: true })
  try {
    const rows = db.query<{ integrity_check: string }, []>('PRAGMA integrity_check').all()
    const strays = db.query('PRAGMA foreign_key_check').all().length
    const damage = rows.map((row) => row.integrity_check).filter((line) => line !== 'ok')
    return [...damage, ...(strays === 0 ? [] : [`${strays} rows point nowhere`])].map((line) => `database: ${line}`)
  } finally {
    db.close()
  }
}

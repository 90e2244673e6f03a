import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverCommand } from '../../scripts/lib/server.mjs'
import { readBackup } from '../../src/server/cli/backup/read-backup.ts'
import { connectDatabase } from '../../src/server/db/database.ts'
import { type Program, programOver, Refused, startProgram } from '../contract/program.ts'
import { type Content, contentOf, lostOf, makeOldDatabase } from '../upgrades/old-database.ts'
import { type Outcome, wrongInDatabase } from './crash.ts'
import { type KillPoint, killPointsOfRun, runArmed, type RunOptions } from './kill-points.ts'
import { recoveryStart } from './recovery-start.ts'
import { accountOf } from './record-operations.ts'

const SERVER = serverCommand()

/** A program that is killed between its start and its end. */
export interface Start {
  readonly name: string
  readonly options: RunOptions
  /** So many of its last points only: those before are the same as of another start. */
  readonly last?: number
  prepare(home: string): Promise<void>
  command(home: string): readonly string[]
  /** On a server that was started after it. @returns what is wrong, in words */
  judge(server: Program, done: boolean, home: string): Promise<string[]>
}

export const STARTS: readonly Start[] = [
  {
    name: 'first start',
    options: { until: ' at http' },
    prepare: async () => {},
    command: programOver,
    // Who is not let in fails before this.
    judge: async () => [],
  },
  {
    name: 'restore of a backup',
    options: {},
    async prepare(home) {
      await using server = await startProgram(home)
      await addUser(server, 'before')
      const { exitCode } = Bun.spawnSync([...SERVER, 'backup', join(home, 'backup.tgz'), ...places(home)])
      if (exitCode !== 0) throw new Error('no backup could be made')
      await addUser(server, 'after')
    },
    command: (home) => [...SERVER, 'restore', join(home, 'backup.tgz'), '--force', ...places(home)],
    async judge(server, done) {
      const users = (await (await server.open('/api/users', { method: 'GET' })).json()) as { username: string }[]
      const names = users.map(({ username }) => username).join()
      if (names === 'admin,before') return []
      return names === 'admin,before,after' && !done ? [] : [`the accounts are ${names}`]
    },
  },
  {
    name: 'upgrade',
    options: { until: ' at http' },
    prepare: async (home) => void (await oldDatabaseIn(home)),
    command: programOver,
    async judge(_server, _done, home) {
      const wrong = lostOf(await expectedIn(home), await databaseContent(join(home, 'data/satchel.db')))
      return [...wrong, ...(await wrongBackups(join(home, 'data/upgrades')))]
    },
  },
  recoveryStart(),
]

/** Tables that a server does not change at its start and at a sign-in. */
const STILL = ['shares', 'audit', 'favourites', 'recents', 'webhooks']

async function oldDatabaseIn(home: string): Promise<Content> {
  mkdirSync(join(home, 'data'), { recursive: true })
  const file = join(home, 'data/satchel.db')
  const content = await makeOldDatabase({ file }, 9)
  using db = new Database(file)
  db.run("update users set username = 'admin', username_key = 'admin'")
  return content
}

async function expectedIn(home: string): Promise<Content> {
  const content = await oldDatabaseIn(join(home, 'expected'))
  return Object.fromEntries(STILL.map((table) => [table, content[table] ?? []]))
}

async function databaseContent(file: string): Promise<Content> {
  await using db = await connectDatabase({ file })
  return await contentOf(db, STILL)
}

/** Under its real name, a backup is whole; and after an upgrade there is one. */
async function wrongBackups(folder: string): Promise<string[]> {
  const backups = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.tgz')) : []
  if (backups.length !== 1) return [`there are ${backups.length} backups`]
  const unpacked = mkdtempSync(join(tmpdir(), 'satchel-crash-backup-'))
  try {
    await readBackup(join(folder, backups[0] ?? ''), unpacked)
    return []
  } catch (error) {
    return [String(error)]
  } finally {
    rmSync(unpacked, { recursive: true, force: true })
  }
}

export async function pointsOfStart(start: Start): Promise<KillPoint[]> {
  return inHome(async (home) => {
    await start.prepare(home)
    const points = await killPointsOfRun(start.command(home), start.options)
    return start.last === undefined ? points : points.slice(-start.last)
  })
}

/** Prepared, killed at the point, and a server started over what is left. Adds to the outcome. */
export async function crashStart(start: Start, point: KillPoint, outcome: Outcome): Promise<void> {
  await inHome(async (home) => {
    await start.prepare(home)
    const done = await runArmed(start.command(home), point, start.options)
    outcome.runs++
    if (!done) outcome.killed++
    const say = (wrong: string): void => void outcome.violations.push(`${start.name}, before ${point.call} ${point.nth}: ${wrong}`)
    try {
      await using server = await startProgram(home)
      for (const wrong of await start.judge(server, done, home)) say(wrong)
      for (const wrong of wrongInDatabase(join(home, 'data/satchel.db'))) say(wrong)
    } catch (error) {
      say(error instanceof Refused || error instanceof Error ? error.message : String(error))
    }
  })
}

async function inHome<T>(work: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'satchel-crash-'))
  try {
    return await work(home)
  } finally {
    if (existsSync(home)) rmSync(home, { recursive: true, force: true })
  }
}

function places(home: string): string[] {
  return ['--root', join(home, 'root'), '--data', join(home, 'data')]
}

async function addUser(server: Program, username: string): Promise<void> {
  await server.ask('/api/users', { method: 'POST', body: accountOf(username) })
}

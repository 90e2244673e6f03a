import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { HOME, RUNTIME } from '../../scripts/lib/packages.mjs'
import { serverCommand, serverMain } from '../../scripts/lib/server.mjs'
import { type HostileFolder, hostileFolder } from './hostile-folder.ts'
import { startProgram } from './program.ts'
import { useEverything } from './use-everything.ts'

/** A build of the server, on a busy machine. */
const TIMEOUT_MS = 240_000

let home = ''
let here: HostileFolder

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'satchel-here-'))
  here = hostileFolder(join(home, 'here'))
})

afterEach(() => rmSync(home, { recursive: true }))

describe('A19: nothing in the current folder is run or read', () => {
  it(
    'by the server, its threads and the programs that it starts',
    async () => {
      await using server = await startProgram(home, { cwd: here.folder })
      await useEverything({ root: join(home, 'root'), url: server.url, token: server.token })
      expect((await fetch(`${server.url}/api/resources/`)).status).toBe(401)
      expect(here.ran()).toEqual([])
    },
    TIMEOUT_MS,
  )

  it(
    'by the command line',
    () => {
      expect(run([...serverCommand(), 'config', 'explain', 'port'])).toEqual([0, expect.stringContaining('8080')])
      expect(here.ran()).toEqual([])
    },
    TIMEOUT_MS,
  )

  it(
    'by the start of a clone, which builds the server first',
    () => {
      const clone = cloneIn(home)
      expect(run(['node', join(clone, 'scripts/start.mjs'), '--version'])).toEqual([0, expect.stringMatching(/^Satchel v/)])
      expect(here.ran()).toEqual([])
    },
    TIMEOUT_MS,
  )

  it('except by a runtime that is started without our options', () => {
    run([RUNTIME, serverMain(), '--version'])
    expect(here.ran()).toEqual([`ran in ${RUNTIME} ${serverMain()} --version`])
  })
})

/** @returns its exit code and what it printed */
function run(command: string[]): [number, string] {
  const { PATH = '' } = process.env
  const { exitCode, stdout } = Bun.spawnSync(command, { cwd: here.folder, env: { PATH, HOME: home }, stderr: 'inherit' })
  return [exitCode, stdout.toString()]
}

/** The program in a fresh clone, with its packages and a built web. */
function cloneIn(folder: string): string {
  const clone = join(folder, 'clone')
  for (const name of ['scripts', 'src', 'package.json', 'package-lock.json', 'vite.config.ts']) {
    cpSync(join(HOME, name), join(clone, name), { recursive: true, preserveTimestamps: true })
  }
  // Links to packages, never one to their folder: what would install them anew must not reach ours.
  mkdirSync(join(clone, 'node_modules'))
  for (const name of readdirSync(join(HOME, 'node_modules')).filter((one) => !one.startsWith('.'))) {
    symlinkSync(join(HOME, 'node_modules', name), join(clone, 'node_modules', name))
  }
  mkdirSync(join(clone, 'dist/web'), { recursive: true })
  writeFileSync(join(clone, 'dist/web/index.html'), '')
  const later = Date.now() / 1000 + 3600
  for (const stamp of ['dist/web.built', 'node_modules/.package-lock.json']) {
    writeFileSync(join(clone, stamp), '')
    utimesSync(join(clone, stamp), later, later)
  }
  return clone
}

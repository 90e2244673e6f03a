import { afterAll, expect, it, setDefaultTimeout } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { version } from '../../../package.json'
import { tryServer, untilServing } from '../try-server.ts'
import { made } from './made.ts'

// Fetches the runtime.
setDefaultTimeout(600_000)

const work = mkdtempSync(join(tmpdir(), 'satchel-npm-'))
const env = { PATH: process.env.PATH ?? '', HOME: join(work, 'home') }
const cwd = join(work, 'empty')
for (const folder of [env.HOME, cwd]) mkdirSync(folder)

afterAll(() => rmSync(work, { recursive: true }))

it('npx starts the server from an empty folder, without install scripts', async () => {
  const npx = ['npx', '--yes', '--ignore-scripts', `--package=${made('-npm.tgz')}`, 'satchel']
  const [command = '', ...args] = npx
  expect(execFileSync(command, [...args, '--version'], { cwd, env, encoding: 'utf8' })).toBe(`Satchel v${version}\n`)
  const child = Bun.spawn([...npx, '--port', '0'], { cwd, env, stdout: 'pipe', stderr: 'inherit', detached: true })
  try {
    await tryServer(await untilServing(child.stdout))
  } finally {
    // npx passes no signals on.
    process.kill(-child.pid)
    await child.exited
  }
})

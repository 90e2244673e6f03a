import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'bun:test'
import { serverCommand } from '../../scripts/lib/server.mjs'
import { openDatabase } from '../../src/server/db/database.ts'
import { saveSetting } from '../../src/server/settings/store.ts'
import { PASSWORD, startProgram } from './program.ts'

const SERVER = serverCommand()

it('the program exits with one line if proxy sign-in has no trusted proxy (GHSA-xqp3-jq6g-x3qm)', async () => {
  const home = await mkdtemp(join(tmpdir(), 'satchel-start-'))
  await Promise.all([mkdir(join(home, 'files')), mkdir(join(home, 'data'))])
  const db = await openDatabase({ file: join(home, 'data', 'satchel.db') }, { clock: () => new Date() })
  await saveSetting(db, 'settings', JSON.stringify({ authMethod: 'proxy', auth: { header: 'X-User' } }))
  await db.destroy()
  const argv = ['--root', join(home, 'files'), '--data', join(home, 'data'), '--port', '0']
  const child = Bun.spawn([...SERVER, ...argv], { cwd: home, stdout: 'pipe', stderr: 'pipe' })
  const said = [await child.stdout.text(), await child.stderr.text(), await child.exited]
  await rm(home, { recursive: true })
  expect(said).toEqual(['', 'satchel: authMethod proxy needs --trustedProxies: without it anybody could say who they are\n', 1])
})

it('A10: the program warns if it runs commands as root, and only then', async () => {
  for (const [disableExec, warns] of [
    [false, true],
    [true, false],
  ] as const) {
    const home = await mkdtemp(join(tmpdir(), 'satchel-start-'))
    {
      await using program = await startProgram(home, { args: [`--disableExec=${disableExec}`] })
      expect([disableExec, program.said().includes('commands: this server runs as root')]).toEqual([disableExec, warns])
    }
    await rm(home, { recursive: true })
  }
}, 300_000)

it('R16: responses are compressed for clients behind an unconfigured proxy on this machine, whatever header it sends', async () => {
  const home = await mkdtemp(join(tmpdir(), 'satchel-start-'))
  {
    await using program = await startProgram(home)
    for (let n = 0; n < 50; n++) await program.ask(`/api/resources/a-rather-long-name-${n}.txt`, { method: 'POST', body: 'x' })
    const coding = async (more: Record<string, string>, accept = 'application/json') =>
      (await program.open('/api/resources/', { headers: { accept, 'accept-encoding': 'gzip', ...more } })).headers.get('content-encoding')
    expect(await coding({})).toBe(null)
    for (const name of ['X-Forwarded-For', 'X-Forwarded-Proto', 'X-Real-IP', 'Forwarded', 'Via'])
      expect([name, await coding({ [name]: '203.0.113.9' })]).toEqual([name, 'gzip'])
  }
  await rm(home, { recursive: true })
}, 300_000)

it('S5, S9, S10: the settings for other front ends and pages apply in the running program', async () => {
  const home = await mkdtemp(join(tmpdir(), 'satchel-start-'))
  const args = ['--publicAddress', 'https://files.example.test', '--framingSites', 'https://wiki.test', '--searchLines']
  await using program = await startProgram(home, { args })
  const signIn = (origin: string) =>
    fetch(`${program.url}/api/login`, {
      method: 'POST',
      body: JSON.stringify({ username: 'admin', password: PASSWORD }),
      headers: { origin, host: '127.0.0.1:8080' },
    })
  expect([(await signIn('https://files.example.test')).status, (await signIn('https://evil.test')).status]).toEqual([200, 403])

  await program.ask('/api/resources/a.pdf', { method: 'POST', body: '%PDF-1.7' })
  const { hash } = (await (await program.open('/api/share/a.pdf', { method: 'POST', body: '{}' })).json()) as { hash: string }
  for (const address of [`/api/public/dl/${hash}?inline=true`, `/share/${hash}/`]) {
    const policy = (await fetch(program.url + address)).headers.get('content-security-policy')
    expect([address, policy]).toEqual([address, expect.stringMatching(/frame-ancestors [^;]*https:\/\/wiki\.test/)])
  }

  const found = await program.open('/api/search/?query=a.pdf', {})
  expect([found.headers.get('content-type'), await found.text()]).toEqual([
    'text/plain; charset=utf-8',
    expect.stringMatching(/^\{.*a\.pdf.*\}\n/),
  ])
  await rm(home, { recursive: true })
}, 300_000)

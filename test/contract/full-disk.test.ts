import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { PASSWORD, startProgram } from './program.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'satchel-full-'))
})
afterEach(() => rmSync(home, { recursive: true }))

/** Mounts, so it needs root, as `faults.test.ts` does. */
describe('R6: the disk of the database is full', () => {
  beforeEach(() => mount(join(home, 'data'), '48m'))
  afterEach(() => unmount(join(home, 'data')))

  it('users can sign in, read and delete; other writes return 507; the server restarts after a kill', async () => {
    let filled: string
    let token: string
    {
      await using program = await startProgram(home)
      token = program.token
      await program.ask('/api/resources/a.txt', { method: 'POST', body: 'a text' })
      filled = fill(join(home, 'data'))
      const signIn = await fetch(`${program.url}/api/login`, {
        method: 'POST',
        body: JSON.stringify({ username: 'admin', password: PASSWORD }),
      })
      expect(signIn.status).toBe(200)
      expect(await (await program.open('/api/raw/a.txt', {})).text()).toBe('a text')
      const headers = { 'upload-length': '5', 'upload-metadata': `filename ${btoa('x'.repeat(6000))}` }
      const statuses = new Set<number>()
      // Many announcements with much to remember: at some time there is no room for more.
      for (let n = 0; n < 5000 && !statuses.has(507); n++)
        statuses.add((await program.open(`/api/tus/${n}`, { method: 'POST', headers })).status)
      expect([...statuses]).toEqual([201, 507])
      expect(program.said().split('there is no room on the disk of')).toHaveLength(2)
      expect((await program.open('/api/resources/', {})).status).toBe(200)
      expect(await (await program.open('/api/raw/a.txt', {})).text()).toBe('a text')
      expect((await fetch(`${program.url}/health`)).status).toBe(200)
      expect(program.said()).not.toContain('incident')
    }
    // The reserve is used up: nobody new comes in, but who was there goes on.
    await using again = await startProgram(home, { token })
    expect(await (await again.open('/api/raw/a.txt', {})).text()).toBe('a text')
    rmSync(filled)
    await again.ask('/api/resources/b.txt', { method: 'POST', body: 'b' })
  }, 300_000)
})

describe('R15: the disk of temporary files is full', () => {
  beforeEach(() => mount(join(home, 'temporary'), '64k'))
  afterEach(() => unmount(join(home, 'temporary')))

  it('R15: the server starts, and its programs run', async () => {
    fill(join(home, 'temporary'))
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: join(home, 'temporary') }
    await using program = await startProgram(home, { args: ['--disableExec=false'], env })
    const state = await (await program.open('/api/commands', {})).json()
    expect(state).toMatchObject({ enabled: true, problem: null })
    const settings = (await (await program.open('/api/settings', {})).json()) as { commands: object }
    const commands = { ...settings.commands, before_upload: ['false'] }
    await program.ask('/api/settings', { method: 'PUT', body: JSON.stringify({ ...settings, commands }) })
    const refused = await program.open('/api/resources/a.txt', { method: 'POST', body: 'a', headers: { accept: 'application/json' } })
    expect(await refused.json()).toMatchObject({ code: 'hook-failed' })
  }, 300_000)
})

function mount(folder: string, size: string): void {
  mkdirSync(folder)
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', folder])
  if (status !== 0) throw new Error(`mount: ${String(stderr)}`)
}

function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder])
}

function fill(folder: string): string {
  const file = join(folder, 'filler')
  const fd = openSync(file, 'w')
  for (const size of [1024 * 1024, 4096]) {
    const bytes = new Uint8Array(size)
    try {
      for (;;) if (writeSync(fd, bytes) < size) break
    } catch {
      // Full.
    }
  }
  closeSync(fd)
  return file
}

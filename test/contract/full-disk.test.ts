import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { PASSWORD, startProgram } from './program.ts'

/** Mounts, so it needs root, as `faults.test.ts` does. */
describe('R6: the disk of the database is full', () => {
  let home: string
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'satchel-full-'))
    mkdirSync(join(home, 'data'))
    const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'none', join(home, 'data')])
    if (status !== 0) throw new Error(`mount: ${String(stderr)}`)
  })
  afterEach(() => {
    spawnSync('umount', ['-l', join(home, 'data')])
    rmSync(home, { recursive: true })
  })

  it('people sign in, look, take and make room; what needs room is 507; it starts again when it was killed', async () => {
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
  }, 120_000)
})

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

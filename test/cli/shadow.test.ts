import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { freePort } from '../../bench/harness.ts'
import { RUNTIME_COMMAND } from '../../src/server/entries/runtime.ts'
import { writeOldDatabase } from '../../tools/switch/old-database.ts'
import { until } from '../../tools/switch/proxy.ts'
import { createTestInstall, type TestInstall } from './satchel.ts'

setDefaultTimeout(60_000)

const TOKEN = Buffer.alloc(96, 7).toString('base64url')
const started: Bun.Subprocess[] = []
afterAll(() => started.forEach((child) => child.kill('SIGKILL')))

describe('shadow', () => {
  it('S1: finds no difference after a move, and each one that there is', async () => {
    const { install, old, log } = await withOldServer()
    await using server = await install.serve(['--root', 'files'])
    const args = ['shadow', old, server.url, log, '--accounts', 'accounts.txt', '--rate', '1000']
    const same = await install.satchel(args)
    expect([same.code, same.complaints]).toEqual([0, ''])
    expect(same.out).toContain('6 answers compared, 0 differ')
    expect(same.out).toContain('2 not compared: changes something')

    await install.ask(['rules', 'add', '/docs', '--username', 'ann'])
    const changed = await install.satchel(args)
    expect([changed.code, changed.complaints]).toEqual([1, expect.stringContaining('5 answers differ')])
    expect(changed.out).toContain('/api/resources as ann: status 200, here 404')
    expect(changed.out).toContain('GET /api/public/dl/protect1?token=…')
    expect(changed.out).not.toContain(TOKEN)
  })

  it('S1: takes what a proxy mirrors, without the credentials of the person', async () => {
    const { install, old } = await withOldServer()
    await using server = await install.serve(['--root', 'files'])
    const port = freePort()
    const child = Bun.spawn([...install.program, 'shadow', old, server.url, '--listen', `127.0.0.1:${port}`, '--json'], {
      cwd: install.home,
      stdout: 'pipe',
    })
    started.push(child)
    const mirrored = (path: string, options: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, options).catch(() => null)
    await until(async () => (await mirrored('/api/public/share/openlink'))?.status === 204)
    await mirrored('/api/resources/docs', { headers: { 'x-auth': 'a.b.c', cookie: 'auth=a.b.c' } })
    await mirrored('/api/resources/docs', { method: 'DELETE' })
    await Bun.sleep(500)
    child.kill('SIGINT')
    expect(await new Response(child.stdout).json()).toMatchObject({
      compared: 1,
      different: 0,
      skipped: { 'needs an account: --accounts': 1, 'changes something': 1 },
    })
  })

  it('counts a request that one server does not answer, goes on, and sums up', async () => {
    const { install, old, log } = await withOldServer()
    await using server = await install.serve(['--root', 'files'])
    const forward = (request: Request): Promise<Response> => fetch(`${server.url.slice(0, -1)}${new URL(request.url).pathname}`)
    const neverAnswered = new Promise<Response>(() => undefined)
    const slow = Bun.serve({ port: 0, fetch: (request) => (request.url.endsWith('/openlink') ? neverAnswered : forward(request)) })
    try {
      const args = ['shadow', old, slow.url.href, log, '--rate', '1000', '--timeout', '1']
      const { code, out, complaints } = await install.satchel(args)
      expect([code, complaints]).toEqual([1, expect.stringContaining('1 requests had none')])
      expect(out).toContain('2 answers compared')
      expect(out).toContain('1 requests without an answer')
      expect(out).toMatch(/1 × \/api\/public\/share: no answer of Satchel: .*timed out/)
      expect(out).toContain('GET /api/public/share/openlink')
    } finally {
      await slow.stop(true)
    }
  })

  it('ends when a server answers nothing any more, with the report until then', async () => {
    const { install, old } = await withOldServer()
    const lines = Array.from({ length: 30 }, (_, n) => `192.0.2.1 - - [24/Nov/2026] "GET /api/public/share/link${n} HTTP/1.1" 200 1`)
    await writeFile(join(install.home, 'long.log'), lines.join('\n'))
    const args = ['shadow', old, `http://127.0.0.1:${freePort()}`, 'long.log', 'long.log', '--rate', '1000']
    const { code, out, complaints } = await install.satchel(args)
    expect([code, complaints]).toEqual([1, expect.stringContaining('ended early: 10 requests in a row had no answer')])
    expect(out).toContain('0 answers compared, 0 differ; 10 requests without an answer')
    expect(out).toContain('no answer of Satchel')
    expect(out).not.toContain('no answer of the old server')
  })

  it('S1: refuses passwords that others can read', async () => {
    const { satchel, home } = await createTestInstall()
    await writeFile(join(home, 'accounts.txt'), 'ann secret\n', { mode: 0o644 })
    const { code, complaints } = await satchel(['shadow', 'http://127.0.0.1:1', 'http://127.0.0.1:2', 'log', '--accounts', 'accounts.txt'])
    expect([code, complaints]).toEqual([1, expect.stringContaining('others may read')])
  })
})

/** An old server with an account and two links, moved here, and a log of what people asked it. */
async function withOldServer(): Promise<{ install: TestInstall; old: string; log: string }> {
  const install = await createTestInstall()
  const place = (name: string): string => join(install.home, name)
  await mkdir(place('files/docs'))
  await writeFile(place('files/docs/a b.txt'), 'content')
  const password = await Bun.password.hash('correct horse', { algorithm: 'bcrypt', cost: 4 })
  const users = [
    { id: 1, username: 'root', password, scope: '/' },
    { id: 2, username: 'ann', password, scope: '/' },
  ]
  const shares = [
    { hash: 'openlink', path: '/docs', userID: 2, expire: 0 },
    { hash: 'protect1', path: '/docs/a b.txt', userID: 2, expire: 0, password_hash: password, token: TOKEN },
  ]
  writeOldDatabase(place('old.db'), { users, shares })
  await writeFile(place('state.json'), JSON.stringify({ users, shares }))
  await install.ask(['migrate', 'old.db', '--root', 'files'])
  const port = freePort()
  const program = join(import.meta.dir, '../../tools/switch/old-server.ts')
  const child = Bun.spawn([...RUNTIME_COMMAND, program, String(port), place('files'), place('old.db'), place('state.json')], {
    stdout: 'ignore',
  })
  started.push(child)
  const old = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(`${old}/health`).catch(() => null))?.ok === true)
  const asked = [
    'GET /api/resources/docs',
    'GET /api/resources/docs',
    'GET /api/raw/docs/a%20b.txt?auth=a.b.c',
    'GET /api/resources/docs/a%20b.txt',
    'GET /api/public/share/openlink',
    'GET /api/public/share/nolink00',
    `GET /api/public/dl/protect1?token=${TOKEN}`,
    'POST /api/resources/docs/new.txt',
    'DELETE /api/resources/docs/a%20b.txt',
    'GET /files/docs',
  ]
  await writeFile(place('access.log'), asked.map((one) => `192.0.2.1 - - [24/Nov/2026] "${one} HTTP/1.1" 200 1`).join('\n'))
  await writeFile(place('accounts.txt'), 'ann correct horse\n')
  await chmod(place('accounts.txt'), 0o600)
  return { install, old, log: 'access.log' }
}

import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { HOME } from '../../src/server/entries/entries.ts'
import { startDroppingProxy } from './dropping-proxy.ts'
import { type ClientServer, startClientServer } from './server.ts'

// Servers and programs, on a machine that may be busy.
setDefaultTimeout(300_000)

const MIB = 1024 * 1024

describe('the Python program of docs/programs.md', () => {
  it('lists, uploads 20 MB over a line that drops, makes a link and watches', async () => {
    await using server = await startClientServer()
    const program = copied(server)
    const proxy = await startDroppingProxy(server.url, [6 * MIB, 9 * MIB])
    try {
      const watching = start(server, program, ['watch', '/'])
      const events = watching.stdout.pipeThrough(new TextDecoderStream()).getReader()
      expect((await events.read()).value).toBe('ready\n')

      const bytes = randomBytes(20 * MIB)
      writeFileSync(join(server.home, 'film.mkv'), bytes)
      expect(await run(server, program, ['upload', join(server.home, 'film.mkv'), '/a film é.mkv'], proxy.url)).toEqual([0, '', ''])
      expect(proxy.cut()).toBe(2)
      expect(readFileSync(join(server.files, 'a film é.mkv')).equals(bytes)).toBe(true)
      expect((await events.read()).value).toStartWith('changed\n')
      watching.kill()

      const [, listed] = await run(server, program, ['list', '/'])
      expect(listed).toMatch(/^ +20971520 {2}\d{4}-\d\d-\d\dT[\d:]{8} {2}a film é\.mkv\n$/)
      const [, link] = await run(server, program, ['link', '/a film é.mkv'])
      expect(link).toStartWith(`${server.url}/share/`)
      const hash = link.trim().split('/').at(-1)
      expect((await fetch(`${server.url}/api/public/share/${hash}`)).status).toBe(200)
    } finally {
      proxy.close()
    }
  })

  it('says what the server refuses', async () => {
    await using server = await startClientServer()
    const program = copied(server)
    expect(await run(server, program, ['list', '/none'])).toEqual([1, '', expect.stringContaining('404 not-found')])
    writeFileSync(join(server.files, 'taken'), 'x')
    expect(await run(server, program, ['upload', program, '/taken'])).toEqual([1, '', expect.stringContaining('409 already-exists')])
  })
})

/** As a reader copies it from the page. */
function copied({ home }: ClientServer): string {
  const [, text = ''] = /```python\n([^]*?)```/.exec(readFileSync(join(HOME, 'docs/programs.md'), 'utf8')) ?? []
  const file = join(home, 'satchel.py')
  writeFileSync(file, text)
  return file
}

function start(server: ClientServer, program: string, args: readonly string[], url = server.url): Bun.Subprocess<'ignore', 'pipe', 'pipe'> {
  const env = { PATH: process.env.PATH ?? '', PYTHONIOENCODING: 'utf-8', SATCHEL_URL: url, SATCHEL_TOKEN: server.token }
  return Bun.spawn(['python3', program, ...args], { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
}

async function run(...args: Parameters<typeof start>): Promise<[number, string, string]> {
  const child = start(...args)
  const [out, complaints] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return [await child.exited, out, complaints]
}

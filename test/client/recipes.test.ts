import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { HOME } from '../../src/server/entries/entries.ts'
import { type ClientServer, startClientServer } from './server.ts'

// Backups with real hashes, on a machine that may be busy.
setDefaultTimeout(300_000)

/** The commands of docs/recipes.md, each as a reader copies it, but for the address and the folders of the machine. */
const PAGE = readFileSync(join(HOME, 'docs/recipes.md'), 'utf8')
const SECTIONS = new Map(
  PAGE.split(/^## /m).map((section) => [
    section.split('\n', 1)[0] ?? '',
    Array.from(section.matchAll(/```sh\n([^]*?)```/g), ([, text = '']) => text),
  ]),
)

let server: ClientServer
beforeAll(async () => {
  server = await startClientServer()
  await run(blocks('Prepare rclone')[0])
})
afterAll(() => server[Symbol.asyncDispose]())

describe('the recipes', () => {
  it('are all run here', () => {
    expect([...SECTIONS].filter(([, texts]) => texts.length > 0).map(([title, texts]) => [title, texts.length])).toEqual([
      ['Prepare rclone', 1],
      ['Copy a folder from Satchel every night', 1],
      ['Back up a computer into Satchel with restic', 1],
      ['Artefacts of a build', 1],
      ['Scan to a folder', 2],
    ])
  })

  it('copy a folder, and keep what was deleted', async () => {
    plant(server.files, { 'photos/a.jpg': 'a', 'photos/2030/b.jpg': 'b' })
    const [nightly = ''] = blocks('Copy a folder from Satchel every night')
    await run(nightly)
    expect(readFileSync(at('/backup/photos/2030/b.jpg'), 'utf8')).toBe('b')
    await Bun.$`rm ${join(server.files, 'photos/a.jpg')}`
    await run(nightly)
    const [day = ''] = readdirSync(at('/backup/photos-before'))
    expect([readdirSync(at('/backup/photos')), readFileSync(at(`/backup/photos-before/${day}/a.jpg`), 'utf8')]).toEqual([['2030'], 'a'])
  })

  it('back up by restic, and restore', async () => {
    plant(server.home, { 'Documents/letter.txt': 'Dear Sir', 'Documents/book.bin': 'x'.repeat(3_000_000) })
    await run(blocks('Back up a computer into Satchel with restic')[0])
    const restored = join(at('/tmp/restored'), server.home, 'Documents')
    expect(readFileSync(join(restored, 'letter.txt'), 'utf8')).toBe('Dear Sir')
    expect(readFileSync(join(restored, 'book.bin')).length).toBe(3_000_000)
    expect(readdirSync(join(server.files, 'backup')).toSorted()).toEqual(['config', 'data', 'index', 'keys', 'locks', 'snapshots'])
  })

  it('keep artefacts of a build, and make a link', async () => {
    mkdirSync(join(server.files, 'builds'))
    plant(server.home, { 'app.tar.gz': 'program' })
    const token = await server.makeToken('/builds', 'create,modify,share,download')
    const link = (await run(blocks('Artefacts of a build')[0], { SATCHEL_TOKEN: token, COMMIT: 'abc123' })).trim()
    expect(readFileSync(join(server.files, 'builds/abc123/app.tar.gz'), 'utf8')).toBe('program')
    expect(link).toStartWith(`${server.url}/share/`)
    const download = await fetch(`${server.url}/api/public/dl/${link.split('/').at(-1)}`)
    expect(await download.text()).toBe('program')
  })

  it('scan into a folder with a token that can do nothing else', async () => {
    mkdirSync(join(server.files, 'scans'))
    const token = await server.makeToken('/scans', 'create')
    writeFileSync(join(server.home, 'scanimage'), '#!/bin/sh\nprintf scanned\n')
    chmodSync(join(server.home, 'scanimage'), 0o755)
    await run(blocks('Scan to a folder')[0], { SATCHEL_TOKEN: token })
    const [name = ''] = readdirSync(join(server.files, 'scans'))
    expect([name, readFileSync(join(server.files, 'scans', name), 'utf8')]).toEqual([expect.stringMatching(/^scan-.*\.pdf$/), 'scanned'])
    const authorization = `Bearer ${token}`
    const read = await fetch(`${server.url}/api/raw/${name}`, { headers: { authorization } })
    const removed = await fetch(`${server.url}/dav/${name}`, { method: 'DELETE', headers: { authorization } })
    expect([read.status, removed.status]).toEqual([202, 403])

    plant(at('/srv/scans'), { 'old.pdf': 'old' })
    const then = new Date(Date.now() - 60_000)
    utimesSync(at('/srv/scans/old.pdf'), then, then)
    await run(blocks('Scan to a folder')[1])
    expect([readdirSync(at('/srv/scans')), readFileSync(join(server.files, 'scans/old.pdf'), 'utf8')]).toEqual([[], 'old'])
    const kept = statSync(join(server.files, 'scans/old.pdf')).mtimeMs
    expect(Math.floor(kept / 1000), 'reader-2: rclone sends the times of files along').toBe(Math.floor(then.getTime() / 1000))
  })

  it('mount by a unit that systemd accepts', () => {
    const [, unit = ''] = /```ini\n([^]*?)```/.exec(PAGE) ?? []
    writeFileSync(join(server.home, 'satchel.service'), unit.replace('/bin/fusermount3', '/bin/true'))
    const { exitCode, stderr } = Bun.spawnSync(['systemd-analyze', 'verify', '--man=no', join(server.home, 'satchel.service')])
    expect([exitCode, stderr.toString()]).toEqual([0, ''])
  })
})

function blocks(title: string): readonly string[] {
  return SECTIONS.get(title) ?? []
}

/** A folder of the machine, which is one of the test. */
function at(path: string): string {
  return join(server.home, 'machine', path)
}

function plant(folder: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}

/** @returns the output; fails with what was said if a command fails */
async function run(script = '', env: Record<string, string> = {}): Promise<string> {
  const text = script
    .replaceAll('https://files.example.org', server.url)
    .replaceAll(/(?<=["\s])(?=\/(backup|srv|tmp)\/)/g, join(server.home, 'machine'))
  const child = Bun.spawn(['bash', '-euo', 'pipefail', '-c', text], {
    cwd: server.home,
    env: { PATH: `${server.home}:${process.env.PATH ?? ''}`, HOME: server.home, SATCHEL_TOKEN: server.token, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, complaints] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`${text}\n${out}${complaints}`)
  return out
}

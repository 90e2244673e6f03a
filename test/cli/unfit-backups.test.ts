import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { extract, pack } from 'tar-stream'
import { readBackup } from '../../src/server/cli/backup/read-backup.ts'
import { createTestInstall, type TestInstall } from './satchel.ts'

setDefaultTimeout(60_000)

const LIST = 'satchel-backup.json'
const BOMB_BYTES = 256 * 1024 ** 2

type Files = ReadonlyMap<string, Buffer>

/** What is done to the files of a backup, and to its list of them, before it is packed again. */
interface Change {
  readonly files?: (files: Map<string, Buffer>) => void
  readonly list?: (list: { format: number; version: string; parts: { name: string; bytes: number; sha256: string }[] }) => void
  /** Behind the end of the archive. */
  readonly tail?: Buffer
}

const CHANGES: Readonly<Record<string, Change>> = {
  'satchel.db is missing': { files: (files) => files.delete('satchel.db') },
  'branding/a.css is missing, and 1 more files': {
    list: ({ parts }) => parts.push(part('branding/a.css', 'a'), part('branding/b.css', 'b')),
  },
  'the SHA-256 of satchel.db is not the one in satchel-backup.json': { files: (files) => void files.get('satchel.db')?.fill(1, 100, 101) },
  'satchel.db has 268435456 bytes instead of': { files: (files) => files.set('satchel.db', Buffer.alloc(BOMB_BYTES)) },
  'does not name the file branding/evil.css': { files: (files) => files.set('branding/evil.css', Buffer.from('body {}')) },
  'does not name the file branding/large.css': { files: (files) => files.set('branding/large.css', Buffer.alloc(BOMB_BYTES)) },
  'there is more in it than satchel-backup.json says': { tail: Buffer.alloc(BOMB_BYTES) },
  'it begins with satchel.db instead of satchel-backup.json': { files: (files) => files.delete(LIST) },
  'satchel-backup.json is no JSON': { files: (files) => files.set(LIST, Buffer.from('{')) },
  'satchel-backup.json cannot be read: parts': { files: (files) => files.set(LIST, Buffer.from('{"format":1,"version":"1","made":""}')) },
  'version 9.0.0 made it in format 2, which this older program cannot read': {
    list: (list) => Object.assign(list, { format: 2, version: '9.0.0' }),
  },
  'names branding/../../x, which is no part of a backup': { list: ({ parts }) => parts.push(part('branding/../../x', 'a')) },
  'names no satchel.db': { list: ({ parts }) => parts.splice(0) },
  'there is no room in': {
    list: ({ parts }) => parts.forEach((one) => (one.bytes = Number.MAX_SAFE_INTEGER)),
  },
}

describe('restore refuses a backup, and leaves not even a folder,', () => {
  for (const [reason, change] of Object.entries(CHANGES))
    it(`because ${reason}`, async () => {
      const { install, whole } = await withBackup()
      await writeFile(join(install.home, 'unfit.tgz'), await changed(whole, change))
      const { code, complaints } = await install.satchel(['restore', 'unfit.tgz'])
      expect([code, complaints]).toEqual([1, expect.stringContaining(reason)])
      expect(complaints).toContain('nothing was changed')
      expect(existsSync(join(install.home, 'data'))).toBe(false)
    })

  it('because it is no gzip file, or its end is missing', async () => {
    const { install, whole } = await withBackup()
    for (const [name, bytes, reason] of [
      ['text.tgz', Buffer.from('nothing of the kind'), 'it is no gzip file'],
      ['cut.tgz', whole.subarray(0, whole.length - 200), 'its end is missing'],
      ['empty.tgz', Buffer.alloc(0), 'its end is missing'],
    ] as const) {
      await writeFile(join(install.home, name), bytes)
      const { code, complaints } = await install.satchel(['restore', name])
      expect([name, code, complaints]).toEqual([name, 1, expect.stringContaining(reason)])
    }
    expect(readdirSync(install.home).toSorted()).toEqual(['cut.tgz', 'empty.tgz', 'files', 'text.tgz'])
  })

  it('and writes nothing of it that its list does not name', async () => {
    const { install, whole } = await withBackup()
    const folder = join(install.home, 'unpacked')
    await mkdir(folder)
    const file = join(install.home, 'unfit.tgz')
    await writeFile(file, await changed(whole, { files: (files) => files.set('branding/evil.css', Buffer.alloc(BOMB_BYTES)) }))
    await expect(readBackup(file, folder)).rejects.toThrow('branding/evil.css')
    expect(readdirSync(folder)).toEqual(['satchel.db'])
  })
})

/** A whole backup, and an installation that has nothing yet. */
async function withBackup(): Promise<{ install: TestInstall; whole: Buffer }> {
  const from = await createTestInstall()
  await from.satchel(['config', 'init'])
  await from.satchel(['backup', 'kept.tgz'])
  return { install: await createTestInstall(), whole: await readFile(join(from.home, 'kept.tgz')) }
}

function part(name: string, content: string) {
  return { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}

async function changed(whole: Buffer, { files: changeFiles, list: changeList, tail = Buffer.alloc(0) }: Change): Promise<Buffer> {
  const files = await unpacked(whole)
  const list = JSON.parse(String(files.get(LIST)))
  changeList?.(list)
  files.set(LIST, Buffer.from(JSON.stringify(list)))
  changeFiles?.(files)
  return packed(files, tail)
}

async function unpacked(whole: Buffer): Promise<Map<string, Buffer>> {
  const entries = extract()
  entries.end(Buffer.from(Bun.gunzipSync(new Uint8Array(whole))))
  const files = new Map<string, Buffer>()
  for await (const entry of entries) files.set(entry.header.name, await buffer(entry))
  return files
}

async function packed(files: Files, tail: Buffer): Promise<Buffer> {
  const archive = pack()
  const content = buffer(archive)
  for (const [name, bytes] of files) archive.entry({ name }, bytes)
  archive.finalize()
  return Buffer.from(Bun.gzipSync(new Uint8Array(Buffer.concat([await content, tail]))))
}

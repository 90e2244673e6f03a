import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, symlinkSync, truncateSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { openDatabase, probe } from './database.ts'
import { isInUse } from './examine.ts'
import { journalFor } from './sqlite-server.ts'

const clock = (): Date => new Date()
let home = ''
let file = ''
let logged: string[] = []
const server = { log: (line: string) => void logged.push(line) }
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'satchel-sqlite-'))
  file = join(home, 'satchel.db')
  logged = []
})
afterEach(() => rmSync(home, { recursive: true }))

describe('R13: a second server on one file', () => {
  it('R13: is refused until the first has stopped, also through a link; a command is not', async () => {
    const link = join(home, 'elsewhere/satchel.db')
    mkdirSync(join(home, 'elsewhere'))
    symlinkSync('../satchel.db', link)
    {
      await using _ = await openDatabase({ file }, { clock, server })
      const child = `const { openDatabase } = await import(${JSON.stringify(join(import.meta.dir, 'database.ts'))})
        const [, as, file] = process.argv
        const server = as === 'server' ? { log: console.log } : undefined
        await openDatabase({ file }, { clock: () => new Date(), server }).then(
          (db) => db.destroy().then(() => console.log('open')), (error) => console.log(error.message))`
      const asks = (as: string, path: string) => Bun.spawn([process.execPath, '-e', child, as, path], { cwd: home }).stdout.text()
      expect(await asks('command', file)).toBe('open\n')
      const told = await Promise.all([file, link].map((path) => asks('server', path)))
      for (const one of told) expect(one).toContain('another Satchel server is at work on')
      expect([isInUse(file), isInUse(link)]).toEqual([true, true])
    }
    for (const path of [file, link]) {
      await using db = await openDatabase({ file: path }, { clock, server })
      await probe(db)
    }
    expect(logged).toEqual([])
  }, 60_000)

  it('R13: only its own account can open the lock, even one that an earlier version made', async () => {
    const mode = (name: string) => (statSync(file + name).mode & 0o777).toString(8)
    for (const before of [null, 0o644]) {
      if (before !== null) chmodSync(`${file}-server`, before)
      await using _ = await openDatabase({ file }, { clock, server })
      expect(['', '-wal', '-server'].map(mode)).toEqual(['600', '600', '600'])
    }
  })
})

describe('R6: a disk that is full', () => {
  beforeEach(() => mount('size=24m'))
  afterEach(() => void spawnSync('umount', ['-l', home]))

  it('still lets users sign in and delete files', async () => {
    await using db = await openDatabase({ file }, { clock, server })
    fill(home)
    for (let n = 0; n < 500; n++)
      await db
        .insertInto('settings')
        .values({ key: `key ${n}`, value: 'x'.repeat(500) })
        .execute()
    expect(logged).toEqual([])
  })

  it('gives storage-full for writes, also in a transaction, in one log line; reads continue', async () => {
    await using db = await openDatabase({ file }, { clock, server })
    fill(home)
    const large = 'x'.repeat(8 * 1024 * 1024)
    const put = (key: string, value: string) => db.insertInto('settings').values({ key, value }).execute()
    await expect(put('a', large)).rejects.toMatchObject({ code: 'storage-full' })
    const both = db.transaction().execute(async (trx) => {
      await trx.insertInto('settings').values({ key: 'b', value: 'small' }).execute()
      await trx.insertInto('settings').values({ key: 'c', value: large }).execute()
    })
    await expect(both).rejects.toMatchObject({ code: 'storage-full' })
    expect(await db.selectFrom('settings').select('key').where('key', 'in', ['a', 'b', 'c']).execute()).toEqual([])
    expect(logged.filter((line) => line.includes('there is no room'))).toHaveLength(1)
    await put('d', 'small')
  })

  it('is reported in one line at the start', async () => {
    fill(home)
    await expect(openDatabase({ file }, { clock, server })).rejects.toThrow('there is no room on the disk of')
  })
})

describe('R6: a file system on which memory-mapped files can crash', () => {
  it('uses a rollback journal; every other file system uses WAL', () => {
    expect(journalFor(file, 0x9123683e)).toBe('PERSIST')
    expect(journalFor(file, 0xef53)).toBe('WAL')
  })
})

describe('R15: a database that is damaged', () => {
  it('is reported in one line: truncated, overwritten, without its log, not a database', async () => {
    {
      await using db = await openDatabase({ file }, { clock, server })
      for (let n = 0; n < 200; n++)
        await db
          .insertInto('settings')
          .values({ key: `key ${n}`, value: 'x'.repeat(900) })
          .execute()
    }
    const open = () => openDatabase({ file }, { clock, server }).then((db) => db.destroy())
    rmSync(`${file}-wal`, { force: true })
    await open()
    expect(logged).toEqual([expect.stringContaining('-wal is missing')])
    const whole = await Bun.file(file).bytes()
    truncateSync(file, Math.floor(whole.length / 2))
    rmSync(`${file}-wal`, { force: true })
    await expect(open()).rejects.toThrow('is damaged')
    await Bun.write(file, whole)
    const used = new Database(file, { readonly: true })
    const page = used.query<{ rootpage: number }, []>("SELECT rootpage FROM sqlite_schema WHERE name = 'settings'").get()?.rootpage ?? 0
    used.close()
    const fd = openSync(file, 'r+')
    writeSync(fd, new Uint8Array(4096).fill(7), 0, 4096, (page - 1) * 4096)
    closeSync(fd)
    rmSync(`${file}-wal`, { force: true })
    await expect(open()).rejects.toThrow('is damaged')
    await Bun.write(file, 'no database at all, but long enough to be looked at by SQLite'.repeat(100))
    await expect(open()).rejects.toThrow('is not a database of this program')
  })

  it('is unhealthy if its file was removed', async () => {
    await using db = await openDatabase({ file }, { clock, server })
    await probe(db)
    rmSync(file)
    await expect(probe(db)).rejects.toThrow()
  })
})

function mount(options: string): void {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', home])
  if (status !== 0) throw new Error(`mount: ${String(stderr)}`)
}

function fill(folder: string): void {
  const fd = openSync(join(folder, 'filler'), 'w')
  for (const size of [1024 * 1024, 4096]) {
    const bytes = new Uint8Array(size)
    try {
      for (;;) if (writeSync(fd, bytes) < size) break
    } catch {
      // Full.
    }
  }
  closeSync(fd)
  expect(statSync(join(folder, 'filler')).size).toBeGreaterThan(0)
}

import { describe, expect, it } from 'bun:test'
import { mkdtemp, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { isThere, isUniqueViolation, openDatabase } from './database.ts'
import { migrate, MIGRATIONS } from './migrate.ts'
import type { Schema } from './schema.ts'
import { RUNTIME_COMMAND } from '../entries/runtime.ts'

describe('a database', () => {
  it('keeps its data when it is reopened', async () => {
    const file = await freshFile()
    await using first = await openDatabase({ file }, { clock })
    await put(first, 'a', '1')
    await first.destroy()
    await using second = await openDatabase({ file }, { clock })
    expect(await valueOf(second, 'a')).toBe('1')
  })

  it('uses WAL with full sync, so that acknowledged writes survive a power cut', async () => {
    await using db = await openDatabase({ file: await freshFile() }, { clock })
    expect((await sql<{ journal_mode: string }>`PRAGMA journal_mode`.execute(db)).rows).toEqual([{ journal_mode: 'wal' }])
    expect((await sql<{ synchronous: number }>`PRAGMA synchronous`.execute(db)).rows).toEqual([{ synchronous: 2 }])
    expect((await sql<{ foreign_keys: number }>`PRAGMA foreign_keys`.execute(db)).rows).toEqual([{ foreign_keys: 1 }])
  })

  it('is readable by its owner only, including its log (GHSA-jj2r-455p-5gvf)', async () => {
    const file = await freshFile()
    await using db = await openDatabase({ file }, { clock })
    await put(db, 'a', '1')
    const folder = join(file, '..')
    for (const name of await readdir(folder))
      expect([name, ((await stat(join(folder, name))).mode & 0o077).toString(8)]).toEqual([name, '0'])
  })

  it('R15: is not treated as missing if it cannot be read', async () => {
    const folder = join(await freshFile(), '..')
    // As root may look everywhere, a link that leads to itself stands for a folder without rights.
    await symlink('loop', join(folder, 'loop'))
    await expect(isThere({ file: join(folder, 'loop/satchel.db') })).rejects.toThrow('cannot be looked at by this account (ELOOP')
    expect(await isThere({ file: join(folder, 'none/satchel.db') })).toBe(false)
  })

  it('rolls back a failed transaction', async () => {
    await using db = await openDatabase('memory', { clock })
    const attempt = db.transaction().execute(async (trx) => {
      await put(trx, 'a', '1')
      throw new Error('no')
    })
    await expect(attempt).rejects.toThrow('no')
    expect(await valueOf(db, 'a')).toBeUndefined()
  })

  it('reports a unique violation', async () => {
    await using db = await openDatabase('memory', { clock })
    await put(db, 'a', '1')
    const error = await put(db, 'a', '2').catch((reason: unknown) => reason)
    expect(isUniqueViolation(error)).toBe(true)
    expect(isUniqueViolation(new Error('other'))).toBe(false)
  })

  it('refuses a file that is not a database, and leaves it unchanged', async () => {
    const file = await freshFile()
    await writeFile(file, 'a note that is not a database '.repeat(100))
    const before = await Bun.file(file).text()
    await expect(openDatabase({ file }, { clock })).rejects.toThrow('is not a database of this program')
    expect(await Bun.file(file).text()).toBe(before)
  })
})

describe('migrations', () => {
  it('run once each', async () => {
    await using db = await openDatabase('memory', { clock })
    let runs = 0
    const migrations = [...MIGRATIONS, { name: '0002-more', up: async () => void runs++ }]
    await migrate(db, { clock, migrations })
    await migrate(db, { clock, migrations })
    expect(runs).toBe(1)
  })

  it('are rolled back if one fails, and run again at the next start', async () => {
    await using db = await openDatabase('memory', { clock })
    const half = async (inner: Kysely<unknown>) => {
      await inner.schema.createTable('half').addColumn('a', 'text').execute()
      throw new Error('power cut')
    }
    await expect(migrate(db, { clock, migrations: [...MIGRATIONS, { name: '0002-half', up: half }] })).rejects.toThrow('power cut')
    expect((await db.introspection.getTables()).map(({ name }) => name)).not.toContain('half')
  })

  it('refuse a database that is newer than the program', async () => {
    const file = await freshFile()
    await using db = await openDatabase({ file }, { clock })
    await migrate(db, { clock, migrations: [...MIGRATIONS, { name: '0999-future', up: async () => {} }] })
    await db.destroy()
    await expect(openDatabase({ file }, { clock })).rejects.toThrow('the database is newer than this program: ')
  })

  it('create one set of tables when three processes start at the same time', async () => {
    const file = await freshFile()
    // Late ones open what is there already; of so many moments some are the same for all.
    const script = `import { openDatabase } from ${JSON.stringify(join(import.meta.dir, 'database.ts'))}
      for (let n = 0; n < 12; n++) {
        Bun.sleepSync(Math.max(0, ${Date.now() + 700} + n * 60 - Date.now()))
        const db = await openDatabase({ file: ${JSON.stringify(file)} + n }, { clock: () => new Date() })
        await db.destroy()
      }`
    const starts = [1, 2, 3].map(() => Bun.spawn([...RUNTIME_COMMAND, '-e', script], { stderr: 'pipe' }))
    for (const start of starts) expect([await start.exited, await new Response(start.stderr).text()]).toEqual([0, ''])
  })
})

const clock = () => new Date('2026-11-21T00:00:00Z')

async function freshFile(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), 'database-')), 'satchel.db')
}

async function put(db: Kysely<Schema>, key: string, value: string): Promise<void> {
  await db.insertInto('settings').values({ key, value }).execute()
}

async function valueOf(db: Kysely<Schema>, key: string): Promise<string | undefined> {
  return (await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst())?.value
}

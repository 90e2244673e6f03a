import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { sql } from 'kysely'
import { upgradesIn } from '../../src/server/backup/before-upgrade.ts'
import { readBackup } from '../../src/server/cli/backup/read-backup.ts'
import { connectDatabase, type DatabaseLocation, openDatabase, type Upgrades } from '../../src/server/db/database.ts'
import { migrate, type Migration, MIGRATIONS } from '../../src/server/db/migrate.ts'
import { tableNames } from '../../src/server/db/table-names.ts'
import { createTestInstall } from '../cli/satchel.ts'
import { type Content, contentOf, lostOf, makeOldDatabase } from './old-database.ts'

const clock = (): Date => new Date()
const LAST = MIGRATIONS.length

/** What an upgrade owes, whatever kind of database it is. `fresh` is the location of a new empty one. */
export function describeUpgrades(kind: string, fresh: (home: string) => Promise<Exclude<DatabaseLocation, 'memory'>>): void {
  describe(`an upgrade on ${kind}`, () => {
    let home = ''
    let folder = ''
    let place: Exclude<DatabaseLocation, 'memory'>
    beforeEach(async () => {
      home = mkdtempSync(join(tmpdir(), 'satchel-upgrades-'))
      folder = join(home, 'data/upgrades')
      place = await fresh(home)
    })
    afterEach(() => rmSync(home, { recursive: true, force: true }))

    const upgrades = (version = '1.1.0') => upgradesIn({ folder, version, log: () => {} })
    const open = (version?: string) => openDatabase(place, { clock, upgrades: upgrades(version) })
    const backups = (): string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : [])

    for (let steps = 1; steps < LAST; steps++) {
      it(`keeps every row from ${MIGRATIONS[steps - 1]?.name}, and saves them first`, async () => {
        const before = await makeOldDatabase(place, steps)
        await using db = await open()
        expect(lostOf(before, await contentOf(db, Object.keys(before)))).toEqual([])
        expect(backups()).toEqual([`satchel-${MIGRATIONS[steps - 1]?.name.slice(0, 4)}-before-1.1.0.tgz`])
        expect(statSync(join(folder, backups()[0] ?? '')).mode & 0o777).toBe(0o600)
        const saved = await contentInBackup(join(folder, backups()[0] ?? ''))
        expect(saved.content).toEqual(before)
        expect(saved.migrations).toEqual(MIGRATIONS.slice(0, steps).map(({ name }) => name))
      })
    }

    it('saves tables of any length, some rows at a time', async () => {
      await makeOldDatabase(place, 9)
      {
        await using db = await connectDatabase(place)
        const entry = { at: 1, kind: 'sign-in', user_id: null, who: '', address: '', subject: '', details: '[]' }
        for (let page = 0; page < 5; page++)
          await db
            .insertInto('audit')
            .values(Array.from({ length: 500 }, () => entry))
            .execute()
      }
      await using db = await open()
      expect((await contentOf(db, ['audit']))['audit']).toHaveLength(2501)
      const { content } = await contentInBackup(join(folder, backups()[0] ?? ''))
      expect(content['audit']).toHaveLength(2501)
    })

    it('is not needed by a new database or one that is up to date: nothing is saved', async () => {
      for (let start = 0; start < 2; start++) await (await open()).destroy()
      expect(backups()).toEqual([])
    })

    it('changes nothing if a migration fails, and the next try writes over the backup', async () => {
      const before = await makeOldDatabase(place, 9)
      const broken: Migration = {
        name: '0099-broken',
        async up(db) {
          await db.schema.createTable('half').addColumn('a', 'text').execute()
          throw new Error('power cut')
        },
      }
      for (let time = 0; time < 2; time++) {
        await using db = await connectDatabase(place)
        const { save, version } = upgrades()
        const options = { clock, version, migrations: [...MIGRATIONS, broken] }
        const attempt = migrate(db, { ...options, save: (trx, applied) => save(trx, { place, applied }) })
        await expect(attempt).rejects.toThrow('power cut')
        expect(await contentOf(db, Object.keys(before))).toEqual(before)
        expect(await tableNames(db)).not.toContain('half')
        expect(await migrationsOf(db)).toEqual(MIGRATIONS.slice(0, 9).map(({ name }) => name))
      }
      expect(backups()).toEqual(['satchel-0009-before-1.1.0.tgz'])
    })

    it('keeps the last three backups, and removes what a killed one left behind', async () => {
      mkdirSync(join(folder, '.satchel-backup-x'), { recursive: true })
      writeFileSync(join(folder, 'satchel-0009-before-1.1.0.tgz.17.part'), 'half')
      writeFileSync(join(folder, 'note.txt'), 'of the operator')
      await makeOldDatabase(place, 8)
      for (let steps = 9; steps <= LAST; steps++) {
        await using db = await connectDatabase(place)
        const { save, version } = upgrades(`1.${steps}.0`)
        await migrate(db, {
          clock,
          version,
          migrations: MIGRATIONS.slice(0, steps),
          save: (trx, applied) => save(trx, { place, applied }),
        })
        // The next is newer, on a disk with coarse times as well.
        for (const name of backups()) if (name.includes(`1.${steps}.`)) utimesSync(join(folder, name), steps, steps)
      }
      const newest = [LAST - 3, LAST - 2, LAST - 1].map((n) => `satchel-${String(n).padStart(4, '0')}-before-1.${n + 1}.0.tgz`)
      expect(backups()).toEqual(['note.txt', ...newest])
    })

    it('without room for the backup says so and changes nothing', async () => {
      const before = await makeOldDatabase(place, 9)
      mkdirSync(folder, { recursive: true })
      using _disk = mountTiny(folder)
      await expect(open()).rejects.toThrow(/there is no room in .*upgrades for a backup .* Nothing was changed/)
      expect(backups()).toEqual([])
      await using db = await connectDatabase(place)
      expect(await contentOf(db, Object.keys(before))).toEqual(before)
      expect(await migrationsOf(db)).toHaveLength(9)
    })

    it('into a folder that cannot be used says so and changes nothing', async () => {
      const before = await makeOldDatabase(place, 9)
      mkdirSync(join(home, 'data'), { recursive: true })
      writeFileSync(folder, 'no folder')
      await expect(open()).rejects.toThrow('cannot be saved in')
      await using db = await connectDatabase(place)
      expect(await contentOf(db, Object.keys(before))).toEqual(before)
    })

    it('is refused by an older program, which names the newer one, the backup and the command', async () => {
      await makeOldDatabase(place, LAST - 1)
      await (await open('1.1.0')).destroy()
      await using db = await connectDatabase(place)
      const older = migrate(db, { clock, version: '1.0.0', migrations: MIGRATIONS.slice(0, -1) })
      const file = join(folder, `satchel-${String(LAST - 1).padStart(4, '0')}-before-1.1.0.tgz`)
      await expect(older).rejects.toThrow('newer than this program (1.0.0): Satchel 1.1.0 has used it')
      await expect(older).rejects.toThrow(`satchel restore --force ${file}`)
      expect(await migrationsOf(db)).toHaveLength(LAST)
    })

    it('is undone by the command that the older program names: the tables are as before, and what they replace is kept', async () => {
      const before = await makeOldDatabase(place, LAST)
      const install = await createTestInstall()
      const satchel = (...args: string[]) => install.satchel([...args, '--database', 'url' in place ? place.url : place.file])
      for (let time = 0; time < 2; time++) {
        await upgradeToNext(place, upgrades('1.1.0'))
        const { code, complaints } = await satchel('users', 'ls')
        expect([code, complaints]).toEqual([1, expect.stringContaining('Satchel 1.1.0 has used it')])
        const [, words = ''] = /"satchel (restore --force \S+)"/.exec(complaints) ?? []
        const undone = await satchel(...words.split(' '))
        expect([undone.code, undone.complaints]).toEqual([0, expect.stringContaining('before')])
        expect(undone.complaints).toContain('kept')
        await using db = await connectDatabase(place)
        expect(await tableNames(db)).not.toContain('news')
        expect(await migrationsOf(db)).toHaveLength(LAST)
        // Everybody signs in again.
        const { sessions: _, share_tickets: __, sign_in_tickets: ___, trusted_devices: ____, ...rest } = before
        expect(lostOf(rest, await contentOf(db, Object.keys(rest)))).toEqual([])
        await using kept = await connectDatabase(keptOf(place, undone.complaints))
        expect(await tableNames(kept)).toContain('news')
        expect(lostOf(rest, await contentOf(kept, Object.keys(rest)))).toEqual([])
      }
      expect(JSON.parse((await satchel('users', 'ls', '--json')).out)).toMatchObject([{ username: 'Åse “x”' }])
    }, 60_000)
  })
}

/** What a next version might do. */
async function upgradeToNext(place: Exclude<DatabaseLocation, 'memory'>, { save, version }: Upgrades): Promise<void> {
  const next: Migration = {
    name: '0999-next',
    async up(db) {
      await db.schema
        .createTable('news')
        .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
        .execute()
      await db.schema.alterTable('users').addColumn('mail', 'text').execute()
    },
  }
  await using db = await connectDatabase(place)
  await migrate(db, { clock, version, migrations: [...MIGRATIONS, next], save: (trx, applied) => save(trx, { place, applied }) })
}

/** Where `restore` says that it has put what it replaced. */
function keptOf(place: Exclude<DatabaseLocation, 'memory'>, said: string): Exclude<DatabaseLocation, 'memory'> {
  if ('file' in place) return { file: /kept as (\S+)/.exec(said)?.[1] ?? '' }
  const url = new URL(place.url)
  url.searchParams.set('options', `-c search_path=${/its schema "(\w+)"/.exec(said)?.[1]}`)
  return { url: url.href }
}

async function migrationsOf(db: Awaited<ReturnType<typeof connectDatabase>>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}

async function contentInBackup(file: string): Promise<{ content: Content; migrations: string[] }> {
  const unpacked = mkdtempSync(join(tmpdir(), 'satchel-backup-content-'))
  try {
    await readBackup(file, unpacked)
    await using db = await connectDatabase({ file: join(unpacked, 'satchel.db') })
    const tables = (await tableNames(db)).filter((name) => name !== 'migrations')
    return { content: await contentOf(db, tables), migrations: await migrationsOf(db) }
  } finally {
    rmSync(unpacked, { recursive: true })
  }
}

/** A disk with room for almost nothing. Needs root. */
function mountTiny(folder: string): Disposable {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', folder])
  if (status !== 0) throw new Error(`mount: ${String(stderr)}`)
  return { [Symbol.dispose]: () => void spawnSync('umount', ['-l', folder]) }
}

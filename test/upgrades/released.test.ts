import { Database } from 'bun:sqlite'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { version } from '../../package.json'
import { tablesIn } from '../../src/server/db/copy-rows.ts'
import { connectDatabase, openDatabase } from '../../src/server/db/database.ts'
import { migrate, MIGRATIONS } from '../../src/server/db/migrate.ts'
import { createTestInstall, type TestInstall } from '../cli/satchel.ts'
import { contentOf, lostOf, makeOldDatabase } from './old-database.ts'
import { SAMPLE_PASSWORD, SAMPLE_ROWS } from './sample-rows.ts'

setDefaultTimeout(60_000)

const FOLDER = join(import.meta.dir, 'released')
const RELEASES = readdirSync(FOLDER)
  .map((name) => name.replace(/\.sql$/, ''))
  .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))

describe('the schemas of all releases', () => {
  it('include that of this version, once it is released (scripts/write-released-schema.ts)', () => {
    if (!version.startsWith('0.')) expect(RELEASES).toContain(version)
    using db = released(RELEASES.at(-1) ?? '')
    const names = db.query<{ name: string }, []>('select name from migrations order by name').all()
    // What is added for the next release comes after them.
    expect(names.map(({ name }) => name)).toEqual(MIGRATIONS.slice(0, names.length).map(({ name }) => name))
  })

  for (const release of RELEASES) {
    it(`${release} is what its migrations make today: a released migration is never changed`, async () => {
      using then = released(release)
      const install = await createTestInstall()
      const file = join(install.home, 'now.db')
      await using db = await connectDatabase({ file })
      const count = then.query<{ count: number }, []>('select count(*) as count from migrations').get()?.count ?? 0
      await migrate(db, { clock: () => new Date(0), migrations: MIGRATIONS.slice(0, count) })
      using now = new Database(file)
      expect(schemaOf(now)).toEqual(schemaOf(then))
    })

    it(`${release} opens with every row as it was`, async () => {
      const install = await createTestInstall()
      const file = write(install, release)
      await using then = await connectDatabase({ file })
      const before = await contentOf(then, await tablesIn(then))
      expect(before['users']).toHaveLength(1)
      await using now = await openDatabase({ file }, { clock: () => new Date() })
      expect(lostOf(before, await contentOf(now, Object.keys(before)))).toEqual([])
    })
  }
})

describe('the program', () => {
  it('serves a database of an older schema: the same account, password and settings, and a backup beside it', async () => {
    const install = await createTestInstall()
    mkdirSync(join(install.home, 'data'))
    const place = { file: join(install.home, 'data/satchel.db') }
    // From before second factors, which the password alone would not pass.
    await makeOldDatabase(
      place,
      MIGRATIONS.findIndex(({ name }) => name.endsWith('-factors')),
    )
    {
      await using server = await install.serve()
      await expectSameAs(server.url)
      expect(readdirSync(join(install.home, 'data/upgrades'))).toHaveLength(1)
      expect((await install.run(['restore', join(install.home, 'data/upgrades', backupOf(install)), '--force'])).complaints).toContain(
        'stop the server first',
      )
    }
    expect((await install.run(['restore', join(install.home, 'data/upgrades', backupOf(install)), '--force'])).code).toBe(0)
    await using server = await install.serve()
    await expectSameAs(server.url)
  })

  it('does not upgrade under a server of an older version', async () => {
    const install = await createTestInstall()
    const place = { file: join(install.home, 'satchel.db') }
    await makeOldDatabase(place, MIGRATIONS.length - 1)
    // The lock that a server keeps.
    using lock = new Database(`${place.file}-server`)
    lock.run('BEGIN EXCLUSIVE')
    const { code, complaints } = await install.satchel(['users', 'ls', '--database', place.file])
    expect([code, complaints]).toEqual([1, expect.stringContaining('a server of an older version is using the database')])
  })
})

async function expectSameAs(url: string): Promise<void> {
  const [{ username } = { username: '' }] = SAMPLE_ROWS.users
  const answer = await fetch(`${url}api/login`, { method: 'POST', body: JSON.stringify({ username, password: SAMPLE_PASSWORD }) })
  expect(answer.status).toBe(200)
  const headers = { 'x-auth': await answer.text() }
  expect(await (await fetch(`${url}api/settings`, { headers })).json()).toMatchObject({ signup: true, branding: { name: 'Łódź' } })
  expect(await (await fetch(`${url}api/shares`, { headers })).json()).toMatchObject([{ hash: 'AbCd_-12' }])
}

function backupOf({ home }: TestInstall): string {
  return readdirSync(join(home, 'data/upgrades'))[0] ?? 'none'
}

/** The database of a release, in memory. */
function released(release: string): Database {
  const db = new Database(':memory:')
  db.run(readFileSync(join(FOLDER, `${release}.sql`), 'utf8'))
  return db
}

function write({ home }: TestInstall, release: string): string {
  const file = join(home, `${release}.db`)
  using db = new Database(file)
  db.run(readFileSync(join(FOLDER, `${release}.sql`), 'utf8'))
  return file
}

function schemaOf(db: Database): unknown[] {
  return db.query("select type, name, sql from sqlite_schema where sql is not null and name not like 'sqlite%' order by type, name").all()
}

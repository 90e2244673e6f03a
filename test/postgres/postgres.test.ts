import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { type Kysely, sql } from 'kysely'
import { startPostgres } from '../../scripts/lib/postgres.mjs'
import { ALL_RIGHTS, NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { upgradesIn } from '../../src/server/backup/before-upgrade.ts'
import { describeBus } from '../../src/server/bus/bus.suite.ts'
import { createMemoryBus } from '../../src/server/bus/memory.ts'
import { createPostgresBus } from '../../src/server/bus/postgres.ts'
import { connectDatabase, isUniqueViolation, openDatabase, peersOf, externalWrites } from '../../src/server/db/database.ts'
import { noPeers } from '../../src/server/db/peers.ts'
import type { Schema } from '../../src/server/db/schema.ts'
import { newSchema } from '../../src/server/db/test-database.ts'
import { createOutbox } from '../../src/server/jobs/outbox.ts'
import { createNdjsonClients } from '../../src/server/sessions/ndjson-clients.ts'
import { insertSession } from '../../src/server/sessions/store.ts'
import { createSettings } from '../../src/server/settings/store.ts'
import { createQuota } from '../../src/server/shares/quota.ts'
import { createShareStore, type Share } from '../../src/server/shares/store.ts'
import { createUploadStore } from '../../src/server/uploads/store.ts'
import { importAccounts } from '../../src/server/users/import-accounts.ts'
import { createPasswords } from '../../src/server/users/password.ts'
import { createUsers } from '../../src/server/users/users.ts'
import { isAppError } from '../../src/shared/errors.ts'
import { parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import { describeInterruptedMoves } from '../cli/interrupted-move.suite.ts'
import { makeOldDatabase } from '../upgrades/old-database.ts'
import { describeUpgrades } from '../upgrades/upgrade.suite.ts'
import { describeClocks } from './clocks.suite.ts'
import { describeFactors } from './factors.suite.ts'
import { describeJobs } from './jobs.suite.ts'
import { describeJournal } from './journal.suite.ts'
import { describeKilled } from './killed.suite.ts'
import { describeNotices } from './notices.suite.ts'
import { describeNodes } from './nodes.suite.ts'
import { describeOutage } from './outage.suite.ts'
import { describePaused } from './paused.suite.ts'
import { describeQuotas } from './quotas.suite.ts'
import { describeRevoked } from './revoked.suite.ts'
import { describeRolling } from './rolling.suite.ts'
import { describeServers } from './servers.suite.ts'
import { describeGuesses } from './guesses.suite.ts'

let server: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => {
  server = await startPostgres()
}, 300_000)
afterAll(() => server.stop(), 300_000)

const clock = (): Date => new Date()
const MANY = Array.from({ length: 100 }, (_, n) => n)

describe('a PostgreSQL database', () => {
  it('gets its tables once when three processes start at once', async () => {
    const url = await newSchema(server.url)
    const opened = await Promise.all([1, 2, 3].map(() => openDatabase({ url }, { clock })))
    const [db] = opened
    expect((await db?.selectFrom('users').selectAll().execute())?.length).toBe(0)
    for (const one of opened) await one.destroy()
  })

  it('is saved once when three servers of a newer version start at once', async () => {
    const home = mkdtempSync(join(tmpdir(), 'satchel-upgrades-'))
    const url = await newSchema(server.url)
    await makeOldDatabase({ url }, 9)
    const folders = ['a', 'b', 'c'].map((name) => join(home, name))
    const start = (folder: string) =>
      openDatabase({ url }, { clock, server: { log: () => {} }, upgrades: upgradesIn({ folder, version: '1.1.0', log: () => {} }) })
    for (const db of await Promise.all(folders.map(start))) await db.destroy()
    expect(folders.flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []))).toEqual(['satchel-0009-before-1.1.0.tgz'])
    rmSync(home, { recursive: true })
  })

  it('is not upgraded by a command while a server of an older version uses it', async () => {
    const url = await newSchema(server.url)
    await makeOldDatabase({ url }, 9)
    await using older = await connectDatabase({ url })
    await peersOf(older).start()
    const upgrades = upgradesIn({ folder: join(tmpdir(), 'satchel-never'), version: '1.1.0', log: () => {} })
    await expect(openDatabase({ url }, { clock, upgrades })).rejects.toThrow('a server of an older version is using the database')
    await (
      await openDatabase({ url }, { clock, server: { log: () => {} }, upgrades: { ...upgrades, save: async () => 'saved' } })
    ).destroy()
  })

  it('lets one write at a time, whoever reads before they write, in however many processes', async () => {
    await using all = await processes(2)
    const put = (db: Kysely<Schema>, value: string) => db.insertInto('settings').values({ key: 'n', value }).execute()
    await put(all.first, '0')
    const raise = (db: Kysely<Schema>) =>
      db.transaction().execute(async (trx) => {
        const { value } = await trx.selectFrom('settings').select('value').where('key', '=', 'n').executeTakeFirstOrThrow()
        await trx
          .updateTable('settings')
          .set({ value: String(Number(value) + 1) })
          .where('key', '=', 'n')
          .execute()
      })
    await Promise.all(MANY.map((n) => raise(all.either(n))))
    expect((await all.first.selectFrom('settings').select('value').where('key', '=', 'n').executeTakeFirst())?.value).toBe('100')
    expect(isUniqueViolation(await put(all.first, '1').catch((error: unknown) => error))).toBe(true)
  })

  it('undoes a transaction that fails, and goes on', async () => {
    await using all = await processes(1)
    const attempt = all.first.transaction().execute(async (trx) => {
      await trx.insertInto('settings').values({ key: 'a', value: '1' }).execute()
      throw new Error('no')
    })
    await expect(attempt).rejects.toThrow('no')
    expect(await all.first.selectFrom('settings').selectAll().where('key', '=', 'a').execute()).toEqual([])
  })

  it('is asked for more than its columns have room for: that is bad input, and no failure of ours', async () => {
    await using all = await processes(1)
    const asked = all.first.selectFrom('users').select('id').where('id', '=', 99_999_999_999).execute()
    await expect(asked).rejects.toMatchObject({ code: 'invalid-input' })
    expect(await all.first.selectFrom('users').select('id').execute()).toEqual([])
  })

  it('compares text by its bytes, whatever language it was made for', async () => {
    await using all = await processes(1)
    const store = createShareStore(all.first)
    for (const [n, place] of ['/a', '/a/b', '/a-b', '/a b', '/ab', '/A/b', '/a/ö'].entries())
      await store.create({ ...SHARE, hash: `hash-${n}`, place: at(place), createdAt: clock() })
    expect((await store.below(at('/a'))).map(({ place }) => String(place)).toSorted()).toEqual(['/a', '/a/b', '/a/ö'])
    const ledger = createQuota(all.first)
    await ledger.begin({ ...SHARE, hash: 'hash-0' }, 'abc-def', clock())
    expect(await ledger.hasTaken({ ...SHARE, hash: 'hash-0' }, ['abc'], clock())).toBe(true)
    expect(await ledger.hasTaken({ ...SHARE, hash: 'hash-0' }, ['abd'], clock())).toBe(false)
  })

  it('refuses text that it cannot hold as bad input', async () => {
    await using all = await processes(1)
    const error = await createShareStore(all.first)
      .create({ ...SHARE, title: 'a\0b', createdAt: clock() })
      .catch((reason: unknown) => reason)
    expect(isAppError(error, 'invalid-input')).toBe(true)
  })

  it('is the same after PostgreSQL was started anew, and what was written meanwhile elsewhere is felt', async () => {
    await using all = await processes(2)
    await all.first.insertInto('settings').values({ key: 'a', value: '1' }).execute()
    server.restart()
    await until(() => peersOf(all.first).writes() === peersOf(all.first).writes())
    const before = externalWrites(all.first)
    await all.second.insertInto('settings').values({ key: 'b', value: '1' }).execute()
    await until(() => externalWrites(all.first) !== before)
    expect((await all.first.selectFrom('settings').selectAll().where('key', 'in', ['a', 'b']).execute()).length).toBe(2)
  }, 300_000)

  it('that is not there, or does not let us in, is told in one line without its password', async () => {
    const nowhere = new URL(server.url)
    nowhere.pathname = '/nowhere'
    nowhere.password = 'secret-word'
    await expect(openDatabase({ url: nowhere.href }, { clock })).rejects.toThrow('database "nowhere" does not exist; make it with createdb')
    await expect(openDatabase({ url: 'postgres://a:secret-word@127.0.0.1:1/x' }, { clock })).rejects.toThrow(
      /^(?!.*secret).*cannot be used/,
    )
  })
})

describe('with two servers on one PostgreSQL', () => {
  it('a link for so many downloads gives exactly so many (SFTPGo ac4fc342)', async () => {
    await using all = await processes(2)
    await createShareStore(all.first).create({ ...SHARE, maxDownloads: 7, createdAt: clock() })
    const ledgers = [createQuota(all.first), createQuota(all.second)]
    const taken = await Promise.all(MANY.map((n) => ledgers[n % 2]?.begin(SHARE, `visitor-${n}`, clock())))
    expect(taken.filter(Boolean).length).toBe(7)
  })

  it('a drop box takes exactly what fits', async () => {
    await using all = await processes(2)
    const drop = { maxFile: 0, maxFiles: 100, maxBytes: 55, types: [] }
    await createShareStore(all.first).create({ ...SHARE, rights: 'drop', drop, createdAt: clock() })
    const ledgers = [createQuota(all.first), createQuota(all.second)]
    const taken = await Promise.all(MANY.map((n) => ledgers[n % 2]?.receive(SHARE, 10)))
    expect(taken.filter(Boolean).length).toBe(5)
  })

  it('administrators who are taken back are never the last, not even all at once', async () => {
    await using all = await processes(2)
    const [here, there] = [usersOf(all.first), usersOf(all.second)]
    const people = []
    for (const name of ['root', 'ops', 'sue']) people.push(await add(all.first, name))
    const [root, ops, sue] = people
    if (root === undefined || ops === undefined || sue === undefined) throw new Error('nobody')
    const demoted = { fields: { perm: NO_RIGHTS }, password: null, keep: null }
    const ends = await Promise.allSettled([here.change(root, demoted), there.remove(ops.id), there.change(sue, demoted)])
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect((await here.all()).filter(({ perm }) => perm.admin).length).toBe(1)
  })

  it('an account of one name is made once, and numbers go on after accounts that were brought in', async () => {
    await using all = await processes(2)
    const made = await Promise.allSettled(MANY.slice(0, 10).map((n) => add(all.either(n), 'ann')))
    expect(made.filter(({ status }) => status === 'fulfilled').length).toBe(1)
    const [ann] = await usersOf(all.first).all()
    if (ann === undefined) throw new Error('nobody')
    await importAccounts(all.first, [{ ...ann, id: 41, username: 'ben' }], { overwrite: false, replace: true, now: clock() })
    expect((await add(all.second, 'cyn')).id).toBeGreaterThan(41)
  })

  it('S5: a front end recognised by one server is known to the others', async () => {
    await using all = await processes(2)
    const { id } = await add(all.first, 'ann')
    const session = { id: 's', key_hash: 'k', cookie_hash: null, family: 'f', user_id: id, auth_epoch: 0, user_version: 1, created_at: 0 }
    const times = { last_seen_at: 0, idle_ms: 1, expires_at: 1, proven_at: 0, ip: '', user_agent: '', revoked_at: null, replaced_at: null }
    await insertSession(all.first, { ...session, ...times })
    const [here, there] = [createNdjsonClients(all.first), createNdjsonClients(all.second)]
    expect(await there.has({ sessionId: 's' })).toBe(false)
    await here.add({ sessionId: 's' })
    expect(await there.has({ sessionId: 's' })).toBe(true)
  })

  it('an upload is one’s at a time, and a job is claimed once', async () => {
    await using all = await processes(2)
    const uploads = [createUploadStore(all.first), createUploadStore(all.second)]
    const upload = { userId: 1, path: ROOT, key: 'k', session: 's', length: 3, stamp: '', replace: false, share: '', touchedAt: Date.now() }
    const begun = await Promise.all(MANY.slice(0, 20).map((n) => uploads[n % 2]?.create({ ...upload, id: `u-${n}` })))
    expect(begun.filter(Boolean).length).toBe(1)
    const id = `u-${begun.indexOf(true)}`
    const standing = (await uploads[0]?.leaseState(id)) ?? missing()
    const term = { now: Date.now(), until: Date.now() + 60_000, generation: 0 }
    const leases = await Promise.all(MANY.slice(0, 20).map((n) => uploads[n % 2]?.lease(standing, { ...term, holder: `holder-${n}` })))
    expect(leases.filter(Boolean).length).toBe(1)

    const jobs = [createOutbox({ db: all.first, clock }), createOutbox({ db: all.second, clock })]
    for (let n = 0; n < 5; n++) await jobs[0]?.add('hook', String(n), { dueInMs: 0 })
    const claimed = await Promise.all(MANY.slice(0, 20).map((n) => jobs[n % 2]?.claim(['hook'])))
    expect(claimed.flatMap((job) => job?.task ?? []).toSorted()).toEqual(['0', '1', '2', '3', '4'])
  })

  it('what one changes the other knows a moment later, in settings as in everything', async () => {
    await using all = await processes(2)
    const here = createSettings({ db: all.first, bus: createMemoryBus(), clock: () => new Date(0) })
    const there = createSettings({ db: all.second, bus: createMemoryBus(), clock: () => new Date(0) })
    expect((await there.read()).signup).toBe(false)
    await here.change((before) => ({ ...before, signup: true }))
    await until(async () => (await there.read()).signup)
  })

  it('what one changes while the other hears nothing is read when that listens again', async () => {
    await using all = await processes(2)
    const bus = createPostgresBus(peersOf(all.second))
    const here = createSettings({ db: all.first, bus: createMemoryBus(), clock: () => new Date(0) })
    const there = createSettings({ db: all.second, bus, clock: () => new Date(0) })
    const told: string[] = []
    bus.on('group.changed', ({ userId }) => void told.push(`groups of ${userId}`))
    expect((await there.read()).signup).toBe(false)
    const before = externalWrites(all.second)
    // The connections that listen.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where query like '%listen %' and pid <> pg_backend_pid()`.execute(
      all.first,
    )
    await here.change((now) => ({ ...now, signup: true }))
    await until(() => told.length > 0)
    expect(told).toEqual(['groups of null'])
    expect(externalWrites(all.second)).not.toBe(before)
    expect((await there.read()).signup).toBe(true)
    await until(() => peersOf(all.first).writes() === peersOf(all.first).writes())
  })

  it('facts reach the other, but what is noted is noted once', async () => {
    await using all = await processes(2)
    const [here, there] = [createPostgresBus(peersOf(all.first)), createPostgresBus(peersOf(all.second))]
    const heard: string[] = []
    there.on('noted', ({ kind }) => void heard.push(kind))
    there.on('group.changed', ({ userId }) => void heard.push(`groups of ${userId}`))
    there.on('user.changed', ({ userId }) => void heard.push(`user ${userId}`))
    there.on('files.changed', ({ storagePaths }) => void heard.push(...storagePaths))
    here.announce('noted', { kind: 'sign-in', by: null, address: null })
    here.announce('files.changed', { storagePaths: [at(`/${'x'.repeat(250)}`.repeat(40))] })
    for (const n of MANY) here.announce('files.changed', { storagePaths: [at(`/${'ö'.repeat(100)} "${n}"`)] })
    here.announce('group.changed', { userId: null })
    here.announce('user.changed', { userId: 7 })
    await until(() => heard.includes('user 7'))
    expect(heard).toEqual([...MANY.map((n) => `/${'ö'.repeat(100)} "${n}"`), 'groups of null', 'user 7'])
  })
})

describeBus(
  'PostgreSQL',
  () => createPostgresBus(noPeers(() => 0)),
  async () => {
    await new Promise((resolve) => setTimeout(resolve, 0))
  },
)

describeServers(() => server.url)
describeJobs(() => server.url)
describeJournal(() => server.url)
describeClocks(() => server.url)
describeGuesses(() => server.url)
describePaused(() => server.url)
describeFactors(() => server.url)
describeQuotas(() => server.url)
describeNotices(() => server.url)
describeRevoked(() => server.url)
describeOutage()
describeNodes()
describeRolling(() => server.url)
describeKilled(() => server.url)
describeInterruptedMoves('PostgreSQL', () => newSchema(server.url))
describeUpgrades('PostgreSQL', async () => ({ url: await newSchema(server.url) }))

const SHARE: Share = {
  hash: 'sharesha',
  userId: 1,
  place: at('/a'),
  identity: 'x',
  folder: true,
  expire: 0,
  starts: 0,
  passwordHash: null,
  passwordVersion: 1,
  version: 1,
  ticketKey: 'a key of tickets',
  recipient: '',
  role: '',
  trashed: '',
  slug: '',
  title: '',
  message: '',
  rights: 'download',
  maxDownloads: 0,
  downloads: 0,
  logVisits: true,
  drop: { maxFile: 0, maxFiles: 0, maxBytes: 0, types: [] },
  received: { files: 0, bytes: 0 },
}

/** The same database, opened as so many processes would. */
async function processes(count: number) {
  const url = await newSchema(server.url)
  const opened: Kysely<Schema>[] = []
  for (let n = 0; n < count; n++) opened.push(await openDatabase({ url }, { clock }))
  for (const db of opened) await peersOf(db).start()
  const either = (n: number): Kysely<Schema> => opened[n % count] ?? missing()
  return {
    first: either(0),
    second: either(1),
    either,
    async [Symbol.asyncDispose]() {
      for (const db of opened) await db.destroy()
    },
  }
}

function usersOf(db: Kysely<Schema>) {
  return createUsers({ db, bus: createMemoryBus(), clock, passwords: createPasswords({ cost: { memoryKiB: 8, passes: 1 } }) })
}

async function add(db: Kysely<Schema>, username: string) {
  const { defaults } = await createSettings({ db, bus: createMemoryBus(), clock }).read()
  return usersOf(db).create({ ...defaults, username, password: 'long enough', perm: ALL_RIGHTS, lockPassword: false, rules: [] })
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('it never came')
    await Bun.sleep(5)
  }
}

function missing(): never {
  throw new Error('no such process')
}

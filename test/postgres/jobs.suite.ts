import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'bun:test'
import type { Kysely } from 'kysely'
import { connectDatabase, openDatabase } from '../../src/server/db/database.ts'
import type { Schema } from '../../src/server/db/schema.ts'
import { newSchema } from '../../src/server/db/test-database.ts'
import { createUserJobStore, LEASE_MS } from '../../src/server/jobs/user-job-store.ts'
import type { Job } from '../../src/shared/contract/jobs.ts'
import { ask, PASSWORD, type Server, signIn, start, until } from './program.ts'

/** Of zeros, which take no room and some seconds to compress. */
const LARGE_BYTES = 2 * 1024 ** 3
const MANY = 3000
const OPEN_EACH = 20
const AT_ONCE_EACH = 2

/** Jobs of people where several servers use one database. */
export function describeJobs(postgres: () => string): void {
  describe('jobs on two servers', () => {
    let home: string
    let env: Record<string, string>
    let db: Kysely<Schema>
    let one: Server
    let other: Server
    let headers: Record<string, string>

    beforeAll(async () => {
      home = mkdtempSync(join(tmpdir(), 'satchel-jobs-'))
      mkdirSync(join(home, 'root/many'), { recursive: true })
      await Bun.write(join(home, 'password'), PASSWORD)
      writeFileSync(join(home, 'root/large'), '')
      truncateSync(join(home, 'root/large'), LARGE_BYTES)
      for (let n = 0; n < MANY; n++) writeFileSync(join(home, 'root/many', `${n}`), 'x')
      const url = await newSchema(postgres())
      env = { PATH: process.env['PATH'] ?? '', HOME: home, SATCHEL_DATABASE: url, SATCHEL_ROOT: join(home, 'root') }
      other = await start(home, env, 'b')
      db = await connectDatabase({ url })
      headers = { 'x-auth': await signIn(other) }
    }, 300_000)

    afterAll(async () => {
      await db.destroy()
      other.process.kill('SIGTERM')
      await other.process.exited
      rmSync(home, { recursive: true })
    }, 300_000)

    beforeEach(async () => {
      await db.deleteFrom('jobs').execute()
      one = await start(home, env, 'a')
    }, 60_000)
    afterEach(async () => {
      for (const signal of ['SIGCONT', 'SIGKILL'] as const) one.process.kill(signal)
      await one.process.exited
    })

    const order = async (server: Server, body: object): Promise<string> =>
      (JSON.parse(await ask(server, '/api/jobs', { method: 'POST', headers, body: JSON.stringify(body) })) as Job).id
    const pack = (server: Server, name: string) =>
      order(server, { kind: 'pack', paths: ['/large'], destination: `/${name}`, format: 'tar.gz', taken: 'refuse' })
    const jobsAt = async (server: Server) => JSON.parse(await ask(server, '/api/jobs', { headers })) as Job[]
    const stateAt = async (server: Server, id: string) => (await jobsAt(server)).find((job) => job.id === id)?.state
    const runs = (server: Server, id: string) => until(async () => (await stateAt(server, id)) === 'running')
    /** As if its server had been silent for the time of the lease. */
    const expire = (id: string) => db.updateTable('jobs').set({ lease_until: 0 }).where('id', '=', id).execute()
    const archives = () => readdirSync(join(home, 'root')).filter((name) => name.endsWith('.tgz'))

    it('are cancelled by any of them', async () => {
      const id = await pack(one, 'cancelled.tgz')
      await runs(other, id)
      const begun = performance.now()
      await ask(other, `/api/jobs/${id}`, { method: 'DELETE', headers })
      expect(performance.now() - begun).toBeLessThan(3000)
      expect(await Promise.all([stateAt(one, id), stateAt(other, id)])).toEqual(['cancelled', 'cancelled'])
      expect(archives()).toEqual([])
    }, 60_000)

    it('that have changed nothing yet go on at another when their server is killed, and are done once', async () => {
      const id = await pack(one, 'killed.tgz')
      await runs(other, id)
      one.process.kill('SIGKILL')
      await one.process.exited
      // Nobody takes it before the lease has ended.
      await Bun.sleep(6000)
      expect((await holder(db, id)).attempts).toBe(1)
      await expire(id)
      await until(async () => (await holder(db, id)).attempts === 2)
      await patient(async () => (await stateAt(other, id)) === 'done')
      expect(archives()).toEqual(['killed.tgz'])
      rmSync(join(home, 'root/killed.tgz'))
    }, 120_000)

    it('of a server that wakes up after its lease do nothing that the next one did', async () => {
      const id = await pack(one, 'paused.tgz')
      await runs(other, id)
      one.process.kill('SIGSTOP')
      await expire(id)
      await patient(async () => (await stateAt(other, id)) === 'done')
      const made = Bun.file(join(home, 'root/paused.tgz')).lastModified
      one.process.kill('SIGCONT')
      await Bun.sleep(8000)
      expect(await stateAt(one, id)).toBe('done')
      expect(archives()).toEqual(['paused.tgz'])
      expect(Bun.file(join(home, 'root/paused.tgz')).lastModified).toBe(made)
      rmSync(join(home, 'root/paused.tgz'))
    }, 120_000)

    it('are handed over by a server that stops', async () => {
      const id = await pack(one, 'stopped.tgz')
      await runs(other, id)
      one.process.kill('SIGTERM')
      await one.process.exited
      await patient(async () => (await stateAt(other, id)) === 'done')
      expect(archives()).toEqual(['stopped.tgz'])
      rmSync(join(home, 'root/stopped.tgz'))
    }, 120_000)

    it('that had begun to change something are told to be interrupted, and are not started anew', async () => {
      const items = Array.from({ length: MANY }, (_, n) => ({ from: `/many/${n}`, to: `/copies/${n}`, replace: false, rename: false }))
      const id = await order(one, { kind: 'copy', items })
      await until(async () => existsSync(join(home, 'root/copies')) && readdirSync(join(home, 'root/copies')).length > 20)
      one.process.kill('SIGKILL')
      await one.process.exited
      const copied = readdirSync(join(home, 'root/copies')).length
      expect(copied).toBeLessThan(MANY)
      await expire(id)
      await until(async () => (await stateAt(other, id)) === 'interrupted')
      await Bun.sleep(6000)
      expect(readdirSync(join(home, 'root/copies')).length).toBe(copied)
      rmSync(join(home, 'root/copies'), { recursive: true })
    }, 120_000)

    it('count together against what one person may have: two run, and twenty are open', async () => {
      const started = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          fetch(`${(n % 2 === 0 ? one : other).url}/api/jobs`, {
            method: 'POST',
            headers,
            body: JSON.stringify({ kind: 'pack', paths: ['/large'], destination: `/${n}.tgz`, format: 'tar.gz', taken: 'refuse' }),
          }).then(({ status }) => status),
        ),
      )
      expect(started.filter((status) => status === 201 || status === 200).length).toBe(OPEN_EACH)
      expect(started.filter((status) => status === 429).length).toBe(30 - OPEN_EACH)
      for (let n = 0; n < 15; n++) {
        const running = await db.selectFrom('jobs').select('id').where('state', '=', 'running').execute()
        expect(running.length).toBeLessThanOrEqual(AT_ONCE_EACH)
        await Bun.sleep(100)
      }
      for (const { id } of await jobsAt(other)) await ask(other, `/api/jobs/${id}`, { method: 'DELETE', headers })
      const left = await db.selectFrom('jobs').select('id').where('state', 'in', ['waiting', 'running']).execute()
      expect(left).toEqual([])
      expect(archives()).toEqual([])
    }, 120_000)

    it('are claimed by one of many servers, and cancelled by the row where no message arrives', async () => {
      const url = await newSchema(postgres())
      let now = Date.parse('2026-11-21T00:00:00Z')
      const clock = () => new Date(now)
      const opened = await Promise.all([1, 2, 3, 4].map(() => openDatabase({ url }, { clock })))
      const stores = opened.map((each, n) => createUserJobStore({ db: each, clock, server: `server ${n}` }))
      const [first, second] = stores as [(typeof stores)[0], (typeof stores)[0]]
      for (let n = 0; n < 5; n++) await first.add({ id: `job ${n}`, userId: n, kind: 'pack', task: '{}', request: '{}' }, { most: 9 })
      expect(await second.claim()).toBe(null)
      expect(await second.cancel(0, 'job 0')).toBe(true)
      expect(await first.renew('job 0', '')).toBe('cancelled')
      expect(await first.settle('job 0')).toBe(false)
      now += LEASE_MS + 1
      const claimed = await Promise.all(Array.from({ length: 12 }, (_, n) => stores[n % 4]?.claim()))
      expect(claimed.flatMap((job) => job?.id ?? []).toSorted()).toEqual(['job 1', 'job 2', 'job 3', 'job 4'])
      // The first has lost them: what it says counts no more.
      const states = await Promise.all([1, 2, 3, 4].map((n) => first.renew(`job ${n}`, '')))
      expect(states.filter((state) => state === 'held').length).toBe(
        claimed.filter((job, n) => (job ?? null) !== null && n % 4 === 0).length,
      )
      await second.bury()
      expect((await second.of(0, 9)).map(({ state }) => state)).toEqual(['cancelled'])
      for (const each of opened) await each.destroy()
    })
  })
}

async function holder(db: Kysely<Schema>, id: string) {
  return db.selectFrom('jobs').select(['holder', 'attempts']).where('id', '=', id).executeTakeFirstOrThrow()
}

/** For what takes a busy machine long. */
async function patient(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 90_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('it never came')
    await Bun.sleep(50)
  }
}

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import type { Kysely } from 'kysely'
import { openDatabase, peersOf } from '../../src/server/db/database.ts'
import type { Schema } from '../../src/server/db/schema.ts'
import { RUNTIME_COMMAND } from '../../src/server/entries/runtime.ts'
import { newSchema } from '../../src/server/db/test-database.ts'
import { createLimiter, type Limiter } from '../../src/server/sessions/limiter.ts'
import { describeLimiter } from '../../src/server/sessions/limiter.suite.ts'
import { createLimiters } from '../../src/server/sessions/limiters.ts'
import { PASSWORD, signIn, start } from './program.ts'

const START = Date.parse('2026-11-21T00:00:00Z')
const HOUR_MS = 3600_000
const MANY = Array.from({ length: 300 }, (_, n) => n)

/** Guesses that several servers count together. */
export function describeGuesses(server: () => string): void {
  describe('guesses on several servers', () => {
    let url: string
    let one: Kysely<Schema>
    let other: Kysely<Schema>
    beforeAll(async () => {
      url = await newSchema(server())
      const open = () => openDatabase({ url }, { clock: () => new Date() })
      ;[one, other] = [await open(), await open()]
      for (const db of [one, other]) await peersOf(db).start()
    }, 300_000)
    afterAll(async () => {
      await one.destroy()
      await other.destroy()
    })

    describeLimiter('on PostgreSQL', async (clock) => createLimiters({ db: one, clock }).limiters(crypto.randomUUID()), { many: 1500 })

    it('A5: in parallel on two servers are limited as on one', async () => {
      for (const guessOf of [
        // At one account, from one address, and from many networks at many accounts.
        (n: number) => ({ address: `203.${n % 200}.${n}.7`, account: 'ann' }),
        (n: number) => ({ address: '198.51.100.1', account: `user${n}` }),
        (n: number) => ({ address: `198.51.100.${n % 250}`, account: `user${n}` }),
      ]) {
        const clock = (): Date => new Date(START)
        const name = crypto.randomUUID()
        const shared = [one, other].map((db) => createLimiters({ db, clock }).limiters(name))
        const alone = createLimiter({ clock })
        const through = await Promise.all(MANY.map((n) => passes(shared[n % 2] ?? alone, guessOf(n))))
        const expected: boolean[] = []
        for (const n of MANY) expected.push(await passes(alone, guessOf(n)))
        expect(count(through)).toBe(count(expected))
        expect(count(through)).toBeGreaterThan(3)
      }
    }, 60_000)

    it('A5: of one client do not keep others waiting until all of them are counted', async () => {
      const limiter = createLimiters({ db: one, clock: () => new Date(START) }).limiters(crypto.randomUUID())
      let counted = 0
      const flood = MANY.map((n) => passes(limiter, { address: '198.51.100.1', account: `user${n}` }).then(() => (counted += 1)))
      expect(await passes(limiter, { address: '203.0.113.7', account: 'ann' })).toBe(true)
      expect(counted).toBeLessThan(10)
      await Promise.all(flood)
    })

    it('are counted again within seconds when a server is stopped in the middle of counting', async () => {
      const child = Bun.spawn([...RUNTIME_COMMAND, join(import.meta.dir, 'stops-in-lock.ts'), url, 'some lock'], { stdout: 'inherit' })
      while (!(await Bun.file(`/proc/${child.pid}/stat`).text()).includes(') T ')) await Bun.sleep(20)
      const begun = performance.now()
      expect(await peersOf(other).briefly('some lock', { read: 'select 1' }, () => ({ result: 'counted', write: null }))).toBe('counted')
      expect(performance.now() - begun).toBeLessThan(6000)
      child.kill('SIGCONT')
      expect(await child.exited).toBe(0)
      expect(await one.selectFrom('settings').selectAll().where('key', '=', 'late').execute()).toEqual([])
    }, 60_000)

    it('are forgotten after an hour, and known clients after a week', async () => {
      let now = START
      const { limiters, sweep } = createLimiters({ db: one, clock: () => new Date(now) })
      const limiter = limiters(crypto.randomUUID())
      await (await limiter.begin({ address: '203.0.113.7', account: 'ann' })).succeeded()
      await passes(limiter, { address: '198.51.100.1', account: 'ben' })
      const kinds = async () => new Set((await other.selectFrom('guess_counts').select('kind').execute()).map(({ kind }) => kind))
      await sweep()
      expect(await kinds()).toContain('account')
      now += 2 * HOUR_MS
      await sweep()
      expect([...(await kinds())]).toEqual(['device'])
      now += 8 * 24 * HOUR_MS
      await sweep()
      expect(await kinds()).toEqual(new Set())
    })

    it('with the wrong password, spread over two servers, are refused by both, and the table names nobody', async () => {
      const home = mkdtempSync(join(tmpdir(), 'satchel-guesses-'))
      mkdirSync(join(home, 'root'))
      await Bun.write(join(home, 'password'), PASSWORD)
      const own = await newSchema(server())
      const env = { PATH: process.env['PATH'] ?? '', HOME: home, SATCHEL_DATABASE: own, SATCHEL_ROOT: join(home, 'root') }
      const servers = [await start(home, env, 'a'), await start(home, env, 'b')] as const
      try {
        const guess = async (n: number) => {
          const body = JSON.stringify({ username: 'somebody', password: `wrong ${n}` })
          return (await fetch(`${servers[n % 2 === 0 ? 0 : 1].url}/api/login`, { method: 'POST', body })).status
        }
        const statuses = await Promise.all(MANY.slice(0, 60).map(guess))
        // Ten are free; by then the next has to wait for a second.
        const hashed = statuses.filter((status) => status === 403).length
        expect(hashed).toBeGreaterThanOrEqual(5)
        expect(hashed).toBeLessThanOrEqual(13)
        expect(statuses.filter((status) => status === 429).length).toBe(60 - hashed)
        await using db = await openDatabase({ url: own }, { clock: () => new Date() })
        const rows = await db.selectFrom('guess_counts').selectAll().execute()
        expect(rows.length).toBeGreaterThan(3)
        expect(JSON.stringify(rows)).not.toContain('somebody')
        expect(JSON.stringify(rows)).not.toContain('127.0.0.1')
        expect(await signIn(servers[0])).not.toBe('')
      } finally {
        for (const { process: child } of servers) {
          child.kill('SIGTERM')
          await child.exited
        }
        rmSync(home, { recursive: true })
      }
    }, 300_000)
  })
}

const passes = (limiter: Limiter, guess: { address: string; account: string }): Promise<boolean> =>
  limiter.begin(guess).then(
    () => true,
    () => false,
  )

const count = (through: readonly boolean[]): number => through.filter(Boolean).length

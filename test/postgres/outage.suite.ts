import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { startPostgres } from '../../scripts/lib/postgres.mjs'
import { newSchema } from '../../src/server/db/test-database.ts'
import { ask, PASSWORD, type Server, signIn, start, until } from './program.ts'

const REQUESTS = 200
/** Nothing hangs for longer, whatever PostgreSQL does. */
const LONGEST_MS = 15_000

/** A PostgreSQL of its own, which is stopped, paused and started. */
export function describeOutage(): void {
  describe('while PostgreSQL cannot be reached', () => {
    let home: string
    let postgres: Awaited<ReturnType<typeof startPostgres>>
    let one: Server
    let other: Server
    let headers: Record<string, string>
    let said: string[]

    beforeEach(async () => {
      said = []
      home = mkdtempSync(join(tmpdir(), 'satchel-outage-'))
      mkdirSync(join(home, 'root'))
      await Bun.write(join(home, 'password'), PASSWORD)
      postgres = await startPostgres({ isDurable: true })
      const url = await newSchema(postgres.url)
      const env = { PATH: process.env['PATH'] ?? '', HOME: home, SATCHEL_ROOT: join(home, 'root'), SATCHEL_DATABASE: url }
      one = await start(home, env, 'a', said)
      other = await start(home, env, 'b', said)
      headers = { 'x-auth': await signIn(one) }
    }, 300_000)

    afterEach(async () => {
      for (const { process: child } of [one, other]) child.kill('SIGKILL')
      await Promise.all([one, other].map(({ process: child }) => child.exited))
      postgres.stop()
      rmSync(home, { recursive: true })
    })

    /** Reading, writing, saving, signing in and uploading. */
    const calls = (server: Server): Promise<Response>[] => {
      const of = (address: string, init: RequestInit = {}) => fetch(server.url + address, { headers, ...init })
      return [
        of('/api/shares'),
        of('/ready'),
        of('/api/share/a.txt', { method: 'POST', body: '{}' }),
        of('/api/resources/a.txt', { method: 'PUT', body: 'saved' }),
        of('/api/resources/new/', { method: 'POST' }),
        of('/api/login', { method: 'POST', body: JSON.stringify({ username: 'admin', password: 'wrong' }) }),
        of('/api/tus/film?upload=mine', { method: 'POST', headers: { ...headers, 'tus-resumable': '1.0.0', 'upload-length': '4' } }),
        of('/api/jobs'),
      ]
    }

    it('R15: requests get 503 at once, with the time to try again, the health says so, and the log tells it in one line', async () => {
      const status = async (address: string) => (await fetch(one.url + address, { headers })).status
      expect([await status('/health'), await status('/api/shares')]).toEqual([200, 200])
      await ask(one, '/api/resources/a.txt', { method: 'POST', headers, body: 'a' })
      postgres.halt()
      expect([await status('/health'), await status('/ready')]).toEqual([503, 503])
      const begun = performance.now()
      const statuses = new Set<number>()
      for (let n = 0; n < REQUESTS; n++) statuses.add(await status('/api/shares'))
      const answers = await Promise.all(calls(one))
      expect(performance.now() - begun).toBeLessThan(LONGEST_MS)
      expect([...statuses]).toEqual([503])
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 503))
      expect(answers[0]?.headers.get('retry-after')).toBe('5')
      const log = said.join('')
      expect(log.split('PostgreSQL cannot be reached').length - 1).toBeLessThanOrEqual(2)
      expect(log).not.toContain('incident')
      postgres.start()
    }, 300_000)

    it('R15: it may be gone for a while: then everything goes on, and what one server changes the other knows', async () => {
      await ask(one, '/api/resources/a.txt', { method: 'POST', headers, body: 'a' })
      postgres.halt()
      await Bun.sleep(3000)
      expect((await fetch(`${one.url}/api/shares`, { headers })).status).toBe(503)
      postgres.start()
      await until(async () => (await Promise.all(calls(one))).every(({ status }) => status < 500))
      const settings = JSON.parse(await ask(other, '/api/settings', { headers })) as { branding: object }
      const body = JSON.stringify({ ...settings, branding: { ...settings.branding, name: 'After' } })
      await ask(other, '/api/settings', { method: 'PUT', headers, body })
      await until(async () => (await ask(one, '/api/settings', { headers })).includes('"After"'))
      expect(said.join('')).not.toContain('incident')
    }, 300_000)

    it('R15: and takes connections without an answer, nothing waits for longer than fifteen seconds', async () => {
      await ask(one, '/api/resources/a.txt', { method: 'POST', headers, body: 'a' })
      postgres.pause()
      try {
        const longest = async (waiting: Promise<Response>[]): Promise<number> => {
          const begun = performance.now()
          for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(503)
          return performance.now() - begun
        }
        // Those that come before it is known, more than there are connections, and those after.
        const first = await longest(Array.from({ length: 5 }, () => [...calls(one), ...calls(other)]).flat())
        expect(first).toBeLessThan(LONGEST_MS)
        expect(await longest([...calls(one), ...calls(other)])).toBeLessThan(6000)
      } finally {
        postgres.resume()
      }
      await until(async () => (await Promise.all(calls(one))).every(({ status }) => status < 500))
      expect(said.join('')).not.toContain('incident')
    }, 300_000)
  })
}

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'bun:test'
import { startPostgres } from '../../scripts/lib/postgres.mjs'
import { newSchema } from '../../src/server/db/test-database.ts'
import { PASSWORD, signIn, start } from './program.ts'

const REQUESTS = 200

/** A PostgreSQL of its own, which is stopped. */
export function describeOutage(): void {
  it('R15: while PostgreSQL is stopped, requests get 503, the health says so, and the log tells it in one line', async () => {
    const home = mkdtempSync(join(tmpdir(), 'satchel-outage-'))
    mkdirSync(join(home, 'root'))
    await Bun.write(join(home, 'password'), PASSWORD)
    const postgres = await startPostgres()
    let stop = () => postgres.stop()
    const said: string[] = []
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, SATCHEL_ROOT: join(home, 'root') }
    const server = await start(home, { ...env, SATCHEL_DATABASE: await newSchema(postgres.url) }, 'a', said)
    try {
      const headers = { 'x-auth': await signIn(server) }
      const status = async (address: string) => (await fetch(server.url + address, { headers })).status
      expect([await status('/health'), await status('/api/shares')]).toEqual([200, 200])
      stop()
      stop = () => undefined
      expect(await status('/health')).toBe(503)
      const statuses = new Set<number>()
      for (let n = 0; n < REQUESTS; n++) statuses.add(await status('/api/shares'))
      expect([...statuses]).toEqual([503])
      const log = said.join('')
      expect(log.split('PostgreSQL cannot be reached').length - 1).toBe(1)
      expect(log).not.toContain('incident')
    } finally {
      server.process.kill('SIGTERM')
      await server.process.exited
      stop()
      rmSync(home, { recursive: true })
    }
  }, 300_000)
}

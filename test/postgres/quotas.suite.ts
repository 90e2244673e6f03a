import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { connectDatabase } from '../../src/server/db/database.ts'
import { newSchema } from '../../src/server/db/test-database.ts'
import { until } from '../contract/until.ts'
import { ask, command, PASSWORD, type Server, signIn, start } from './program.ts'

/** The real program twice, on one PostgreSQL and one folder. */
export function describeQuotas(server: () => string): void {
  describe('a quota on two servers', () => {
    it('lets exactly so much in, whichever server is asked, is changed by one for both, and right when both replace and move the same files', async () => {
      const home = mkdtempSync(join(tmpdir(), 'satchel-quotas-'))
      const env = {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        SATCHEL_DATABASE: await newSchema(server()),
        SATCHEL_ROOT: join(home, 'root'),
      }
      await Bun.$`mkdir -p ${join(home, 'root', 'ann')} && printf ${PASSWORD} > ${join(home, 'password')}`
      const servers = await Promise.all(['a', 'b'].map((name) => start(home, env, name)))
      try {
        const [one, other] = servers as [Server, Server]
        await command(env, ['users', 'add', 'ann', '--scope', '/ann'], PASSWORD)
        const admin = { 'x-auth': await signIn(one) }
        const users = JSON.parse(await ask(one, '/api/users', { headers: admin })) as { id: number; username: string }[]
        const who = { kind: 'user', id: users.find(({ username }) => username === 'ann')?.id }
        const set = (at: Server, bytes: number) =>
          ask(at, '/api/quotas', { method: 'PUT', headers: admin, body: JSON.stringify({ who, bytes, files: null }) })
        const used = async (at: Server): Promise<unknown> => {
          const [quota] = JSON.parse(await ask(at, '/api/quotas', { headers: admin })) as { bytes: { used: number } }[]
          return quota?.bytes.used
        }
        const tokens = await Promise.all([signIn(one, 'ann'), signIn(other, 'ann')])
        const send = (n: number): Promise<Response> =>
          fetch(`${servers[n % 2]?.url}/api/resources/f${n}`, {
            method: 'POST',
            headers: { 'x-auth': tokens[n % 2] ?? '' },
            body: '1234567890',
          })
        await set(one, 500)
        const statuses = (await Promise.all(Array.from({ length: 100 }, (_, n) => send(n)))).map(({ status }) => status)
        expect(statuses.filter((status) => status === 200).length).toBe(50)
        expect(statuses.filter((status) => status === 507).length).toBe(50)
        expect(await used(other)).toBe(500)
        await set(other, 510)
        expect([(await send(100)).status, (await send(101)).status]).toEqual([200, 507])
        const counted = await ask(one, '/api/quotas/count', { method: 'POST', headers: admin, body: JSON.stringify({ who }) })
        expect(JSON.parse(counted)).toMatchObject({ bytes: { limit: 510, used: 510 } })

        // Twenty at a time on each server, each of which needs the lock of the file and that of what is counted.
        await set(one, 100_000)
        const at = async (n: number, address: string, method: string, body?: string): Promise<void> => {
          const init = { method, headers: { 'x-auth': tokens[n % 2] ?? '' }, ...(body !== undefined && { body }) }
          const answer = await fetch(`${servers[n % 2]?.url}/api/resources/${address}`, init)
          await answer.text()
          expect(answer.status).toBeLessThan(500)
        }
        await Promise.all(Array.from({ length: 100 }, (_, n) => at(n, `f${n}`, 'PUT', 'y'.repeat(n))))
        await Promise.all(
          Array.from({ length: 40 }, async (_, n) => {
            const [from, to] = n % 4 < 2 ? ['f0', 'f1'] : ['f1', 'f0']
            await at(n, from, 'PUT', 'x'.repeat(n))
            await at(n, `${from}?action=rename&destination=/${to}&override=true`, 'PATCH')
            await at(n, `${from}?override=true`, 'POST', 'x'.repeat(2 * n))
            if (n % 8 === 0) await at(n, to, 'DELETE')
          }),
        )
        // Each server settles what it counted a moment later.
        const settled = async (): Promise<unknown> => {
          const before = await used(one)
          await Bun.sleep(1000)
          return before === (await used(one)) ? before : settled()
        }
        // Each server takes what the other changed for that of another program, and then counts again.
        await using db = await connectDatabase({ url: env.SATCHEL_DATABASE })
        await until(async () => (await db.selectFrom('quotas').select('stale').execute()).every(({ stale }) => stale === 0))
        const known = await settled()
        const recounted = await ask(one, '/api/quotas/count', { method: 'POST', headers: admin, body: JSON.stringify({ who }) })
        expect(JSON.parse(recounted)).toMatchObject({ bytes: { used: known } })
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

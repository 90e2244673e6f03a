import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { openDatabase } from '../../src/server/db/database.ts'
import { newSchema } from '../../src/server/db/test-database.ts'
import { createOutbox } from '../../src/server/jobs/outbox.ts'
import { MAIL_JOB } from '../../src/server/mail/mailer.ts'
import { createArrivals, GATHER_MS } from '../../src/server/notices/arrivals.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { startMailServer } from '../mail-server.ts'
import { ask, command, PASSWORD, type Server, signIn, start, until } from './program.ts'

/** Those that the settings accept. */
const PORTS = [2525, 2587, 1025, 2465]
const MANY = Array.from({ length: 40 }, (_, n) => n)

/** Notices of two servers on one database. */
export function describeNotices(server: () => string): void {
  describe('notices of two servers', () => {
    it('what arrives at both at once is in one mail, which one of them sends', async () => {
      const url = await newSchema(server())
      let now = Date.parse('2026-11-27T00:00:00Z')
      const clock = () => new Date(now)
      const dbs = [await openDatabase({ url }, { clock }), await openDatabase({ url }, { clock })] as const
      const dbOf = (n: number) => (n % 2 === 0 ? dbs[0] : dbs[1])
      try {
        const planned = await Promise.all(
          MANY.map((n) => createArrivals({ db: dbOf(n), clock }).add({ userId: 7, kind: 'arrived', share: 'link', place: at(`/${n}`) })),
        )
        expect(planned.filter(Boolean).length).toBe(1)
        now += GATHER_MS
        const claimed = await Promise.all(MANY.map((n) => createOutbox({ db: dbOf(n), clock }).claim([MAIL_JOB])))
        const [job, ...others] = claimed.filter((one) => one !== null)
        expect(others).toEqual([])
        expect((await createArrivals({ db: dbs[1], clock }).claim(7, job?.id ?? '')).length).toBe(MANY.length)
      } finally {
        for (const db of dbs) await db.destroy()
      }
    })

    it('a quota that is filled through both is told once', async () => {
      await using mail = await startMailServer({ ports: PORTS })
      const home = mkdtempSync(join(tmpdir(), 'satchel-notices-'))
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
        const headers = { 'x-auth': await signIn(one) }
        const put = (address: string, body: object) => ask(one, address, { method: 'PUT', headers, body: JSON.stringify(body) })
        const settings = { security: 'none', username: '', from: 'files@example.org', site: 'https://files.example.org', reset: true }
        await put('/api/mail', { ...settings, host: '127.0.0.1', port: mail.port, quotas: true })
        const users = JSON.parse(await ask(one, '/api/users', { headers })) as { id: number; username: string }[]
        for (const { id, username } of users) await put(`/api/users/${id}/mail`, { address: `${username}@example.org` })
        const who = { kind: 'user', id: users.find(({ username }) => username === 'ann')?.id }
        await put('/api/quotas', { who, bytes: 1000, files: null })
        await ask(other, '/api/quotas/count', { method: 'POST', headers, body: JSON.stringify({ who }) })
        const tokens = await Promise.all([signIn(one, 'ann'), signIn(other, 'ann')])
        await Promise.all(
          MANY.map((n) =>
            ask(servers[n % 2] ?? one, `/api/resources/f${n}`, {
              method: 'POST',
              headers: { 'x-auth': tokens[n % 2] ?? '' },
              body: 'x'.repeat(22),
            }),
          ),
        )
        const about = () =>
          mail.arrived.filter(({ subject }) => subject.includes('early')).map(({ to, subject }) => `${to.join()} ${subject}`)
        await until(async () => about().length >= 2)
        // Both have looked at it when both have taken another change into account.
        for (const n of [0, 1])
          await ask(servers[n] ?? one, `/api/resources/g${n}`, { method: 'POST', headers: { 'x-auth': tokens[n] ?? '' }, body: 'x' })
        await Bun.sleep(3000)
        expect(about().toSorted()).toEqual([
          'admin@example.org Nearly used up on Satchel: ann',
          'ann@example.org Your space on Satchel is nearly full',
        ])
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

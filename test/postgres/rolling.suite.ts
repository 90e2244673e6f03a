import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'bun:test'
import { connectDatabase } from '../../src/server/db/database.ts'
import { migrate, MIGRATIONS } from '../../src/server/db/migrate.ts'
import { newSchema } from '../../src/server/db/test-database.ts'
import { ask, PASSWORD, signIn, start } from './program.ts'

/** What a later version may do: new tables, and new columns with a default. */
const NEWER = {
  name: '9999-newer',
  up: async (db: Parameters<(typeof MIGRATIONS)[0]['up']>[0]): Promise<void> => {
    await db.schema.createTable('newer').addColumn('id', 'text').execute()
    for (const table of ['users', 'sessions', 'shares', 'uploads', 'jobs'])
      await db.schema
        .alterTable(table)
        .addColumn('newer', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
  },
}

/** Two versions beside each other, while the servers of a database are replaced one after the other. */
export function describeRolling(postgres: () => string): void {
  it('a server goes on when one of a newer version has upgraded the database, and is refused when it starts again', async () => {
    const home = mkdtempSync(join(tmpdir(), 'satchel-rolling-'))
    mkdirSync(join(home, 'root'))
    await Bun.write(join(home, 'password'), PASSWORD)
    const url = await newSchema(postgres())
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, SATCHEL_DATABASE: url, SATCHEL_ROOT: join(home, 'root') }
    const older = await start(home, env, 'a')
    try {
      const headers = { 'x-auth': await signIn(older) }
      {
        await using db = await connectDatabase({ url })
        await migrate(db, { clock: () => new Date(), migrations: [...MIGRATIONS, NEWER] })
      }
      expect((await fetch(`${older.url}/ready`)).status).toBe(200)
      const again = { 'x-auth': await signIn(older) }
      await ask(older, '/api/resources/a.txt', { method: 'POST', headers, body: 'a' })
      const { hash } = JSON.parse(await ask(older, '/api/share/a.txt', { method: 'POST', headers: again, body: '{}' })) as { hash: string }
      expect(await ask(older, `/api/public/dl/${hash}`)).toBe('a')
      const tus = { ...headers, 'tus-resumable': '1.0.0', 'upload-length': '0' }
      await ask(older, '/api/tus/empty?upload=mine', { method: 'POST', headers: tus })
      const items = [{ from: '/a.txt', to: '/b.txt', replace: false, rename: false }]
      await ask(older, '/api/jobs', { method: 'POST', headers, body: JSON.stringify({ kind: 'copy', items }) })
      while (!(await ask(older, '/api/jobs', { headers })).includes('"done"')) await Bun.sleep(20)
      await expect(start(home, env, 'b')).rejects.toThrow('newer')
    } finally {
      older.process.kill('SIGTERM')
      await older.process.exited
      rmSync(home, { recursive: true })
    }
  }, 300_000)
}

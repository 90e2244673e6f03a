import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import type { Kysely } from 'kysely'
import { connectDatabase } from '../../src/server/db/database.ts'
import type { Schema } from '../../src/server/db/schema.ts'
import { newSchema } from '../../src/server/db/test-database.ts'
import type { JournalEntry } from '../../src/server/journal/operation-row.ts'
import { createOpenEntries, type OpenEntries } from '../../src/server/journal/open-entries.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { ask, PASSWORD, type Server, signIn, start, until } from './program.ts'

/** After so long nobody runs any more who has not settled a change. */
const LEASE_MS = 10 * 60_000
const COUNT = 60

/** The journal of two real programs on one PostgreSQL and one folder. */
export function describeJournal(server: () => string): void {
  describe('the journal of two servers on one PostgreSQL and one folder', () => {
    let home: string
    let env: Record<string, string>
    let db: Kysely<Schema>
    let one: Server
    let other: Server
    let headers: Record<string, string>

    beforeAll(async () => {
      home = mkdtempSync(join(tmpdir(), 'satchel-journals-'))
      mkdirSync(join(home, 'root'))
      await Bun.write(join(home, 'password'), PASSWORD)
      const url = await newSchema(server())
      env = { PATH: process.env['PATH'] ?? '', HOME: home, SATCHEL_DATABASE: url, SATCHEL_ROOT: join(home, 'root') }
      one = await start(home, env, 'a')
      other = await start(home, env, 'b')
      db = await connectDatabase({ url })
      headers = { 'x-auth': await signIn(one) }
    }, 300_000)

    afterAll(async () => {
      for (const { process: child } of [one, other]) {
        child.kill('SIGTERM')
        await child.exited
      }
      await db.destroy()
      rmSync(home, { recursive: true })
    })

    const upload = (where: Server, path: string, more: Record<string, string> = {}) =>
      ask(where, `/api/resources/${path}`, { method: 'POST', headers: { ...headers, ...more }, body: path })

    it('lists and takes back on one what was done on the other, and links follow', async () => {
      await upload(one, 'docs/a.txt')
      const { hash } = JSON.parse(await ask(one, '/api/share/docs/a.txt', { method: 'POST', headers, body: '{}' }))
      const operation = { 'x-satchel-operation': crypto.randomUUID() }
      await ask(one, '/api/resources/docs/?action=rename&destination=/moved', { method: 'PATCH', headers: { ...headers, ...operation } })
      await upload(one, 'moved/b.txt', operation)
      const listed = async (where: Server) =>
        (
          JSON.parse(await ask(where, '/api/operations?path=/&below=true', { headers })) as {
            gestures: { group: string; total: number }[]
          }
        ).gestures.find(({ group }) => group === operation['x-satchel-operation'])?.total
      // What is settled is written a moment later.
      await until(async () => (await listed(other)) === 2)
      expect(await ask(other, `/api/public/dl/${hash}`)).toBe('docs/a.txt')
      const undone = await ask(other, `/api/operations/${operation['x-satchel-operation']}/undo`, { method: 'POST', headers })
      expect((JSON.parse(undone) as { items: { outcome: string }[] }).items.map(({ outcome }) => outcome)).toEqual(['done', 'done'])
      expect(existsSync(join(home, 'root/docs/a.txt'))).toBe(true)
      expect(existsSync(join(home, 'root/docs/b.txt'))).toBe(false)
      expect(await ask(one, `/api/public/dl/${hash}`)).toBe('docs/a.txt')
      const open = createOpenEntries({ db })
      await until(async () => (await open.all()).length === 0)
      await ask(one, `/api/operations/${operation['x-satchel-operation']}/redo`, { method: 'POST', headers })
      expect(await ask(other, `/api/public/dl/${hash}`)).toBe('docs/a.txt')
      expect(existsSync(join(home, 'root/moved/b.txt'))).toBe(true)
    }, 300_000)

    it('is settled by one when the other was killed, and not before that is certain', async () => {
      const third = await start(home, env, 'c')
      const open = createOpenEntries({ db })
      // What a server that runs has begun just now; there is nothing at its path yet.
      const [running = ''] = await begun(open, Date.now(), ['/never'])
      const uploads = Array.from({ length: COUNT }, (_, n) => upload(third, `killed/${n}`).catch(() => undefined))
      await uploads[3]
      third.process.kill('SIGKILL')
      await Promise.all(uploads)
      const left = (await open.all()).filter(({ id }) => id !== running)
      // Those that a server left long ago: one of what is there, and one of what is not.
      mkdirSync(join(home, 'root/there'))
      const [there, notThere] = await begun(open, Date.now() - LEASE_MS - 1000, ['/there', '/not-there'])
      const fourth = await start(home, env, 'c')
      const stateOf = async (id = ''): Promise<string | undefined> =>
        (await db.selectFrom('operations').select('state').where('id', '=', id).executeTakeFirst())?.state
      await until(async () => (await stateOf(there)) !== undefined && (await stateOf(notThere)) !== undefined)
      expect([await stateOf(there), await stateOf(notThere)]).toEqual(['done', 'failed'])
      expect((await open.all()).map(({ id }) => id).toSorted()).toEqual([...left.map(({ id }) => id), running].toSorted())
      fourth.process.kill('SIGTERM')
      await fourth.process.exited
      // Ten minutes later.
      await age(db)
      const fifth = await start(home, env, 'c')
      await until(async () => (await open.all()).length === 0)
      fifth.process.kill('SIGTERM')
      await fifth.process.exited
      expect(await stateOf(running)).toBe('failed')
      const rows = await db.selectFrom('operations').select(['path', 'state']).where('path', 'like', '/killed/%').execute()
      for (const { path, state } of rows) expect([path, state]).toEqual([path, existsSync(join(home, 'root', path)) ? 'done' : 'failed'])
      for (let n = 0; n < COUNT; n++)
        if (existsSync(join(home, `root/killed/${n}`))) expect(rows.filter(({ path }) => path === `/killed/${n}`)).toHaveLength(1)
    }, 300_000)
  })
}

/** Rows of folders that are being made. @param began in milliseconds since 1970 @returns their ids */
async function begun(open: OpenEntries, began: number, paths: readonly string[]): Promise<string[]> {
  const entries = paths.map((path): JournalEntry => ({
    id: Bun.randomUUIDv7(),
    group: Bun.randomUUIDv7(),
    at: began,
    by: { id: 1, name: 'admin', via: 'web' },
    kind: 'create',
    path: at(path),
    origin: null,
    identity: '',
    folder: true,
    size: null,
    modified: null,
    version: null,
    restored: null,
    reverts: null,
    state: 'intended',
    kept: null,
  }))
  await open.begin(entries)
  return entries.map(({ id }) => id)
}

/** As if ten minutes had passed since everything that is open began. */
async function age(db: Kysely<Schema>): Promise<void> {
  for (const { id, entry } of await db.selectFrom('operations_open').selectAll().execute()) {
    const older = { ...(JSON.parse(entry) as JournalEntry), at: Date.now() - LEASE_MS - 1000 }
    await db
      .updateTable('operations_open')
      .set({ entry: JSON.stringify(older) })
      .where('id', '=', id)
      .execute()
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { newSchema } from '../../src/server/db/test-database.ts'
import { ask, command, PASSWORD, type Server, signIn, start, until } from './program.ts'

/** In the address; the server of the tests trusts everybody. */
const DATABASE_PASSWORD = 'never-to-be-seen'

/** The real program twice, on one PostgreSQL and one folder. */
export function describeServers(server: () => string): void {
  describe('two servers on one PostgreSQL and one folder', () => {
    let home: string
    let env: Record<string, string>
    let one: Server
    let other: Server
    const said: string[] = []

    beforeAll(async () => {
      home = mkdtempSync(join(tmpdir(), 'satchel-servers-'))
      const url = new URL(await newSchema(server()))
      url.password = DATABASE_PASSWORD
      env = { PATH: process.env['PATH'] ?? '', HOME: home, SATCHEL_DATABASE: url.href, SATCHEL_ROOT: join(home, 'root') }
      await Bun.$`mkdir ${join(home, 'root')} && printf ${PASSWORD} > ${join(home, 'password')}`
      // At once, as the machines of a cluster start: one of them makes the tables and the administrator.
      const started = await Promise.all(['a', 'b'].map((name) => start(home, env, name, said)))
      ;[one, other] = started as [Server, Server]
    }, 300_000)

    afterAll(async () => {
      for (const { process: child } of [one, other]) {
        child.kill('SIGTERM')
        await child.exited
      }
      rmSync(home, { recursive: true })
    })

    it('know each other’s sessions, files, shares and settings', async () => {
      const token = await signIn(one)
      const headers = { 'x-auth': token }
      expect(JSON.parse(await ask(other, '/api/users', { headers })).length).toBe(1)
      await ask(one, '/api/resources/a.txt', { method: 'POST', headers, body: 'from one to the other' })
      expect(await ask(other, '/api/raw/a.txt', { headers })).toBe('from one to the other')
      const { hash } = JSON.parse(await ask(one, '/api/share/a.txt', { method: 'POST', headers, body: '{}' }))
      expect(await ask(other, `/api/public/dl/${hash}`)).toBe('from one to the other')
      const settings = JSON.parse(await ask(other, '/api/settings', { headers }))
      await ask(other, '/api/settings', {
        method: 'PUT',
        headers,
        body: JSON.stringify({ ...settings, branding: { ...settings.branding, name: 'Ours' } }),
      })
      await until(async () => JSON.parse(await ask(one, '/api/settings', { headers })).branding.name === 'Ours')
    }, 300_000)

    it('feel at once what the other, or a command, does to somebody', async () => {
      expect(await command(env, ['users', 'add', 'ann', '--perm.admin'], PASSWORD)).toContain('ann')
      const tokens = await Promise.all([signIn(one, 'ann'), signIn(other, 'ann')])
      const works = async (): Promise<boolean[]> =>
        Promise.all(
          [one, other].map(async ({ url }, n) => (await fetch(`${url}/api/resources/`, { headers: { 'x-auth': tokens[n] ?? '' } })).ok),
        )
      expect(await works()).toEqual([true, true])
      await command(env, ['users', 'disable', 'ann'])
      await until(async () => (await works()).every((ok) => !ok))
      await command(env, ['users', 'enable', 'ann'])
      const again = await signIn(one, 'ann')
      expect((await fetch(`${other.url}/api/resources/`, { headers: { 'x-auth': again } })).status).toBe(200)
      await ask(one, '/api/logout', { method: 'POST', headers: { 'x-auth': again } })
      await until(async () => (await fetch(`${other.url}/api/resources/`, { headers: { 'x-auth': again } })).status === 401)
    }, 300_000)

    it('open what is shared with a group, and end that within a second on both when the membership, the owner’s right or the group ends', async () => {
      const headers = { 'x-auth': await signIn(one) }
      const json = async <T>(at: Server, address: string, init: RequestInit = {}): Promise<T> =>
        JSON.parse(await ask(at, address, { headers, ...init })) as T
      await ask(one, '/api/resources/team/a.txt', { method: 'POST', headers, body: 'for the team' })
      await command(env, ['users', 'add', 'eve', '--scope', '/eve'], PASSWORD)
      await command(env, ['users', 'add', 'olga', '--perm.share', '--perm.download'], PASSWORD)
      const people = await json<{ id: number; username: string }[]>(one, '/api/users')
      const idOf = (name: string) => people.find(({ username }) => username === name)?.id ?? 0
      const group = await json<{ id: number }>(one, '/api/groups', { method: 'POST', body: '{"name":"team"}' })
      const setMember = (who: string, method: string) =>
        ask(one, `/api/groups/${group.id}/members/${idOf(who)}`, { method, headers, body: '{}' })
      for (const who of ['eve', 'olga']) await setMember(who, 'PUT')
      const owner = { 'x-auth': await signIn(other, 'olga') }
      const body = JSON.stringify({ who: { kind: 'group', id: group.id }, role: 'viewer' })
      const { id } = await json<{ id: string }>(other, '/api/people-share/team', { method: 'POST', headers: owner, body })
      const tokens = await Promise.all([signIn(one, 'eve'), signIn(other, 'eve')])
      const opens = (): Promise<boolean[]> =>
        Promise.all(
          [one, other].map(async ({ url }, n) => {
            const response = await fetch(`${url}/with-me/${id}/api/raw/a.txt`, { headers: { 'x-auth': tokens[n] ?? '' } })
            return (await response.text()) === 'for the team'
          }),
        )
      expect(await opens()).toEqual([true, true])
      const ends = async (work: () => Promise<unknown>): Promise<void> => {
        await work()
        await until(async () => (await opens()).every((open) => !open))
      }
      await ends(() => setMember('eve', 'DELETE'))
      await setMember('eve', 'PUT')
      await until(async () => (await opens()).every((open) => open))
      await ends(() => command(env, ['users', 'disable', 'olga']))
      await command(env, ['users', 'enable', 'olga'])
      await until(async () => (await opens()).every((open) => open))
      await ends(() => ask(one, `/api/groups/${group.id}`, { method: 'DELETE', headers, body: '{}' }))
    }, 300_000)

    it('share one trash: what one deletes, the other lists, restores and undoes, each once', async () => {
      const headers = { 'x-auth': await signIn(one) }
      const write = (path: string) => ask(one, `/api/resources/${path}`, { method: 'POST', headers, body: path })
      const listed = async (at: Server) =>
        (JSON.parse(await ask(at, '/api/trash', { headers })) as { entries: { id: string; path: string; group: string }[] }).entries
      await write('shared/a.txt')
      await ask(one, '/api/resources/shared', { method: 'DELETE', headers })
      const [entry] = await listed(other)
      expect(entry?.path).toBe('/shared')
      const restore = (at: Server) =>
        fetch(`${at.url}/api/trash/${entry?.id}/restore`, { method: 'POST', headers, body: '{"rename":true}' })
      const statuses = (await Promise.all([one, other, one, other].map(restore))).map(({ status }) => status)
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404])
      expect(await ask(other, '/api/raw/shared/a.txt', { headers })).toBe('shared/a.txt')
      // A gesture through both of them, undone by both at once.
      const operation = { ...headers, 'x-satchel-operation': crypto.randomUUID() }
      const names = Array.from({ length: 20 }, (_, n) => `many-${n}.txt`)
      await Promise.all(names.map(write))
      await Promise.all(
        names.map((name, n) => ask(n % 2 === 0 ? one : other, `/api/resources/${name}`, { method: 'DELETE', headers: operation })),
      )
      expect((await listed(one)).length).toBe(20)
      const undo = (at: Server) => ask(at, `/api/operations/${operation['x-satchel-operation']}/undo`, { method: 'POST', headers })
      await Promise.all([one, other].map(undo))
      const { items } = JSON.parse(await undo(one)) as { items: { outcome: string }[] }
      expect(items.map(({ outcome }) => outcome)).toEqual(names.map(() => 'done'))
      for (const name of names) expect(await ask(other, `/api/raw/${name}`, { headers })).toBe(name)
      expect(await listed(other)).toEqual([])
    }, 300_000)

    it('settle what one left in the middle when it was killed', async () => {
      const headers = { 'x-auth': await signIn(one) }
      for (let n = 0; n < 40; n++) await ask(one, `/api/resources/killed/${n}/x.txt`, { method: 'POST', headers, body: 'x' })
      const third = await start(home, env, 'c', said)
      const deleting = Array.from({ length: 40 }, (_, n) =>
        fetch(`${third.url}/api/resources/killed/${n}`, { method: 'DELETE', headers }).then(
          () => undefined,
          () => undefined,
        ),
      )
      await deleting[3]
      third.process.kill('SIGKILL')
      await Promise.all(deleting)
      const fourth = await start(home, env, 'c', said)
      const placesOf = async (n: number): Promise<number> => {
        const { status } = await fetch(`${one.url}/api/resources/killed/${n}/x.txt`, { headers })
        const { entries } = JSON.parse(await ask(one, '/api/trash?path=/killed&limit=500', { headers })) as { entries: { path: string }[] }
        return Number(status === 200) + entries.filter(({ path }) => path === `/killed/${n}`).length
      }
      for (let n = 0; n < 40; n++) await until(async () => (await placesOf(n)) === 1)
      fourth.process.kill('SIGTERM')
      await fourth.process.exited
    }, 300_000)

    it('never show the password of the database', async () => {
      const explained = await command(env, ['config', 'explain', 'database'])
      expect(explained).toContain('database = postgres://satchel@127.0.0.1')
      const marker = await Bun.file(join(home, 'root/.satchel/installed')).text()
      const examined = await command(env, ['doctor'])
      expect(examined).toContain('PostgreSQL')
      for (const text of [explained, marker, examined, ...said]) expect(text).not.toContain(DATABASE_PASSWORD)
    }, 300_000)

    it('are kept in a backup, which is put back only when none of them runs, and into a file of SQLite as well', async () => {
      const file = join(home, 'backup.tgz')
      expect(await command(env, ['backup', file])).toContain('it holds password hashes')
      expect(await command(env, ['restore', file, '--force'])).toContain('a server is at work on postgres://satchel@127.0.0.1')
      const apart = { ...env, SATCHEL_DATABASE: join(home, 'c/satchel.db') }
      expect(await command(apart, ['restore', file])).toContain('everybody signs in anew')
      const people = await command(apart, ['users', 'ls', '--json'])
      expect(people).toBe(await command(env, ['users', 'ls', '--json']))
      // And from a file into an empty PostgreSQL, with numbers that go on.
      expect(await command(apart, ['backup', file])).toContain('it holds password hashes')
      const empty = { ...env, SATCHEL_DATABASE: await newSchema(server()) }
      expect(await command(empty, ['restore', file])).toContain('everybody signs in anew')
      expect(await command(empty, ['users', 'ls', '--json'])).toBe(people)
      expect(await command(empty, ['users', 'add', 'ben'], PASSWORD)).toContain('ben')
      expect(await command(empty, ['restore', file])).toContain('--force puts the backup in its place')
      expect(await command(empty, ['restore', file, '--force'])).toContain('_before_restore')
      expect(await command(empty, ['users', 'ls', '--json'])).toBe(people)
    }, 300_000)

    it('are not two administrators', async () => {
      expect(said.filter((line) => line.includes('Sign in as')).length).toBe(0)
      expect(await command(env, ['users', 'ls', '--json'])).toContain('"admin"')
    }, 300_000)
  })
}

import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { ALL_RIGHTS, NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { newSchema } from '../../src/server/db/test-database.ts'
import { COMMAND_PROTOCOL, CommandMessage } from '../../src/shared/contract/command.ts'
import { Job } from '../../src/shared/contract/jobs.ts'
import { TERMINAL_PROTOCOL, TerminalMessage } from '../../src/shared/contract/terminal.ts'
import { ask, PASSWORD, type Server, signIn, start, until } from './program.ts'

const FILES = 3000
const LARGE_BYTES = 16 * 1024 * 1024
const RULE = { regex: false, allow: false, path: '/tree', regexp: null }
const DENIED = { regex: false, allow: false, path: '/secret.txt', regexp: null }

/** What runs on one server, while another server of the same database takes access away. */
export function describeRevoked(postgres: () => string): void {
  describe('what runs on one server when another takes access away', () => {
    let home: string
    let one: Server
    let other: Server
    let admin: Record<string, string>
    let made = 0

    beforeAll(async () => {
      home = mkdtempSync(join(tmpdir(), 'satchel-revoked-'))
      for (let n = 0; n < FILES; n++) write(`tree/d${n % 30}/f${n}.txt`, 'a')
      write('tree/large.bin', crypto.getRandomValues(new Uint8Array(65_536)), LARGE_BYTES / 65_536)
      write('secret.txt', 'old')
      await Bun.write(join(home, 'password'), PASSWORD)
      const env = {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        SATCHEL_DATABASE: await newSchema(postgres()),
        SATCHEL_ROOT: join(home, 'root'),
        SATCHEL_DISABLE_EXEC: 'false',
      }
      ;[one, other] = [await start(home, env, 'a'), await start(home, env, 'b')]
      admin = { 'x-auth': await signIn(one), accept: 'application/json' }
    }, 300_000)

    afterAll(async () => {
      for (const { process: child } of [one, other]) {
        child.kill('SIGTERM')
        await child.exited
      }
      rmSync(home, { recursive: true })
    }, 300_000)

    it('A3: a rule made at one server ends a terminal and a command at the other', async () => {
      const ann = await account()
      const terminal = await openSocket('terminal', ann.token)
      terminal.send({ start: { columns: 80, rows: 24 } })
      terminal.send({ type: "echo be''gun; sleep 600\r" })
      const command = await openSocket('command', ann.token)
      command.send({ run: 'sh -c "echo begun; sleep 600"' })
      await until(async () => terminal.said().includes('begun') && command.said().includes('begun'))
      await deny(ann.id)
      await until(async () => terminal.ended() === 'aborted' && command.ended() === 'aborted')
    }, 300_000)

    it('A3: a denied file saved at one server ends a command at the other', async () => {
      const ann = await account([DENIED])
      const command = await openSocket('command', ann.token)
      command.send({ run: 'sh -c "echo begun; while :; do sleep 1; done"' })
      await until(async () => command.said().includes('begun'))
      await ask(one, '/api/resources/secret.txt?override=true', { method: 'POST', headers: admin, body: 'new' })
      await until(async () => command.ended() === 'aborted')
    }, 300_000)

    it('A8: a rule made at one server stops a copy at the other', async () => {
      const ann = await account()
      const headers = { 'x-auth': ann.token }
      const items = [{ from: '/tree', to: `/${ann.name}` }]
      await ask(other, '/api/jobs', { method: 'POST', headers, body: JSON.stringify({ kind: 'copy', items }) })
      const copy = join(home, 'root', ann.name)
      const copied = () => (existsSync(copy) ? readdirSync(copy, { recursive: true }).length : 0)
      const job = async () => Job.parse(JSON.parse(await ask(other, '/api/jobs', { headers }))[0])
      await until(async () => copied() > 20)
      await deny(ann.id)
      await until(async () => !['waiting', 'running'].includes((await job()).state))
      const { state, error, failed } = await job()
      expect([state, error?.code ?? failed.first[0]?.error.code]).toEqual(['failed', 'access-changed'])
      // Most of it was still to come.
      expect(copied()).toBeLessThan(FILES)
    }, 300_000)

    it('A8: a rule made at one server breaks off an archive and ends the events of a folder at the other', async () => {
      const ann = await account()
      const headers = { 'x-auth': ann.token }
      const archive = await fetch(`${other.url}/api/raw/tree?algo=tar.gz`, { headers })
      const events = await fetch(`${other.url}/api/live/tree/`, { headers })
      const [bytes, told] = [archive.body?.getReader(), events.body?.getReader()]
      await Promise.all([bytes?.read(), told?.read()])
      await deny(ann.id)
      const ends = async (reader: typeof bytes): Promise<string> => {
        try {
          while ((await reader?.read())?.done === false);
          return 'whole'
        } catch {
          return 'broken off'
        }
      }
      expect(await ends(bytes)).toBe('broken off')
      // A stream of events has no whole: it ends.
      await ends(told)
      expect((await fetch(`${other.url}/api/live/tree/`, { headers })).status).toBe(404)
    }, 300_000)

    it('a member who is removed at one server loses a terminal, a copy and an upload at the other', async () => {
      const ann = await account([], { ...NO_RIGHTS, download: true })
      const headers = { 'x-auth': ann.token }
      const json = (body: object) => JSON.stringify({ ...body, current_password: PASSWORD })
      const perm = { ...ALL_RIGHTS, admin: false }
      const group = JSON.parse(await ask(one, '/api/groups', { method: 'POST', headers: admin, body: json({ name: ann.name, perm }) })) as {
        id: number
      }
      const membership = `/api/groups/${group.id}/members/${ann.id}`
      await ask(one, membership, { method: 'PUT', headers: admin, body: json({}) })
      await until(async () => (await fetch(`${other.url}/api/uploads`, { headers })).ok)
      const terminal = await openSocket('terminal', ann.token)
      terminal.send({ start: { columns: 80, rows: 24 } })
      terminal.send({ type: "echo be''gun; sleep 600\r" })
      await until(async () => terminal.said().includes('begun'))
      const items = [{ from: '/tree', to: `/${ann.name}` }]
      await ask(other, '/api/jobs', { method: 'POST', headers, body: JSON.stringify({ kind: 'copy', items }) })
      const tus = { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
      await ask(other, `/api/tus/up-${ann.name}.bin`, { method: 'POST', headers: { ...headers, 'upload-length': '8' } })
      await ask(other, `/api/tus/up-${ann.name}.bin`, { method: 'PATCH', headers: tus, body: 'four' })
      const copy = join(home, 'root', ann.name)
      await until(async () => existsSync(copy) && readdirSync(copy, { recursive: true }).length > 20)
      const began = performance.now()
      await ask(one, membership, { method: 'DELETE', headers: admin, body: json({}) })
      await until(async () => terminal.ended() === 'aborted')
      expect(performance.now() - began).toBeLessThan(5000)
      const job = async () => Job.parse(JSON.parse(await ask(other, '/api/jobs', { headers }))[0])
      await until(async () => !['waiting', 'running'].includes((await job()).state))
      const { state, error, failed } = await job()
      expect([state, error?.code ?? failed.first[0]?.error.code]).toEqual(['failed', 'forbidden'])
      const last = await fetch(`${other.url}/api/tus/up-${ann.name}.bin`, {
        method: 'PATCH',
        headers: { ...tus, 'upload-offset': '4' },
        body: 'more',
      })
      expect(last.status).toBe(403)
      expect(existsSync(join(home, 'root', `up-${ann.name}.bin`))).toBe(false)
    }, 300_000)

    function write(path: string, content: string | Uint8Array, times = 1): void {
      const place = join(home, 'root', path)
      mkdirSync(join(place, '..'), { recursive: true })
      writeFileSync(`${place}.new`, '')
      for (let n = 0; n < times; n++) writeFileSync(`${place}.new`, content, { flag: 'a' })
      renameSync(`${place}.new`, place)
    }

    /** A new account, signed in at the other server. */
    async function account(
      rules: object[] = [],
      perm = { ...ALL_RIGHTS, admin: false },
    ): Promise<{ id: number; name: string; token: string }> {
      const name = `ann${made++}`
      const data = { username: name, password: PASSWORD, scope: '/', rules, commands: ['sh'], perm }
      const body = JSON.stringify({ what: 'user', which: [], data, current_password: PASSWORD })
      await ask(one, '/api/users', { method: 'POST', headers: admin, body })
      const users = JSON.parse(await ask(one, '/api/users', { headers: admin })) as { id: number; username: string }[]
      const id = users.find(({ username }) => username === name)?.id ?? 0
      return { id, name, token: await signIn(other, name) }
    }

    /** At the one server. */
    async function deny(id: number): Promise<void> {
      const body = JSON.stringify({ what: 'user', which: ['rules'], data: { id, rules: [RULE] }, current_password: PASSWORD })
      await ask(one, `/api/users/${id}`, { method: 'PUT', headers: admin, body })
    }

    /** At the other server. */
    async function openSocket(kind: 'terminal' | 'command', token: string) {
      const protocols = [kind === 'terminal' ? TERMINAL_PROTOCOL : COMMAND_PROTOCOL]
      const socket = new WebSocket(`${other.url.replace('http', 'ws')}/api/${kind}/`, { headers: { 'x-auth': token }, protocols })
      socket.binaryType = 'arraybuffer'
      let said = ''
      let ended = ''
      socket.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string') return void (said += Buffer.from(data).toString())
        const message: unknown = JSON.parse(data)
        const last = kind === 'terminal' ? TerminalMessage.parse(message) : CommandMessage.parse(message)
        if ('ended' in last) ended = last.ended
        else said += last.text
      })
      await new Promise((resolve, reject) => {
        socket.addEventListener('open', resolve)
        socket.addEventListener('error', () => reject(new Error(`the ${kind} did not open`)))
      })
      return { send: (request: object) => socket.send(JSON.stringify(request)), said: () => said, ended: () => ended }
    }
  })
}

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { ALL_RIGHTS } from '../../src/server/access/permissions.ts'
import { newSchema } from '../../src/server/db/test-database.ts'
import { totpCode } from '../../src/server/factors/totp.ts'
import { ask, command, PASSWORD, type Server, signIn, start } from './program.ts'

/** Sessions and settings are kept for this long by another server. */
const KNOWN_MS = 1000
const STEP_MS = 30_000

interface Answer {
  readonly status: number
  readonly body: string
  readonly cookie: string
}

/** Second factors where several servers use one database. */
export function describeFactors(postgres: () => string): void {
  describe('second factors on two servers', () => {
    let home: string
    let env: Record<string, string>
    let one: Server
    let other: Server
    let admin: Record<string, string>
    let made = 0

    beforeAll(async () => {
      home = mkdtempSync(join(tmpdir(), 'satchel-factors-'))
      mkdirSync(join(home, 'root'))
      await Bun.write(join(home, 'password'), PASSWORD)
      env = {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        SATCHEL_DATABASE: await newSchema(postgres()),
        SATCHEL_ROOT: join(home, 'root'),
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

    it('SF1: a ticket of one is completed at the other, once', async () => {
      const { name, codes } = await person()
      const ticket = ticketIn(await login(one, name))
      const answers = await Promise.all([second(one, { ticket, recovery: codes[0] }), second(other, { ticket, recovery: codes[1] })])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    })

    it('SF3: a code counts at one of them', async () => {
      const { name, secret } = await person()
      const tickets = [ticketIn(await login(one, name)), ticketIn(await login(other, name))] as const
      const code = totpCode(secret, Date.now() + STEP_MS)
      const answers = await Promise.all([second(one, { ticket: tickets[0], code }), second(other, { ticket: tickets[1], code })])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403])
    })

    it('SF3: five wrong codes end a ticket, wherever they are sent', async () => {
      const { name, codes } = await person()
      const ticket = ticketIn(await login(one, name))
      for (const server of [one, other, one, other, one]) expect((await second(server, { ticket, code: '000000' })).status).toBe(403)
      expect((await second(other, { ticket, recovery: codes[0] })).status).toBe(401)
    })

    it('a factor that is set up at one is asked for at the other at once, and a session there has ended within a second', async () => {
      const { name } = await account()
      const before = await signIn(other, name)
      await setUp(await signIn(one, name))
      expect((await login(other, name)).status).toBe(403)
      await Bun.sleep(KNOWN_MS)
      expect((await fetch(`${other.url}/api/resources/`, { headers: { 'x-auth': before } })).status).toBe(401)
    })

    it('a device that is forgotten at one is asked again at the other at once', async () => {
      const { name, codes, token } = await person()
      const trusted = await second(one, { ticket: ticketIn(await login(one, name)), recovery: codes[0], trust: true })
      expect((await login(other, name, trusted.cookie)).status).toBe(200)
      const { devices } = JSON.parse(await ask(one, '/api/factors', { headers: { 'x-auth': token } })) as { devices: { id: string }[] }
      await ask(one, `/api/factors/devices/${devices[0]?.id}`, { method: 'DELETE', headers: { 'x-auth': token } })
      expect((await login(other, name, trusted.cookie)).status).toBe(403)
    })

    it('factors that an administrator or the command line removes are not asked for any more, at either', async () => {
      for (const remove of [
        ({ id }: { id: number }) => ask(one, `/api/users/${id}/factors`, { method: 'DELETE', headers: admin }),
        ({ name }: { name: string }) => command(env, ['users', 'factors', 'rm', name]),
      ]) {
        const who = await person()
        expect((await login(other, who.name)).status).toBe(403)
        await remove(who)
        expect((await login(other, who.name)).status).toBe(200)
      }
    }, 60_000)

    it('a factor that is required at one holds sessions back at the other within a second', async () => {
      const { name } = await account()
      const token = await signIn(other, name)
      const isHeldBack = async () => (await fetch(`${other.url}/api/resources/`, { headers: { 'x-auth': token } })).status === 403
      expect(await isHeldBack()).toBe(false)
      await command(env, ['config', 'set', '--secondFactorFor', 'everybody'])
      await Bun.sleep(KNOWN_MS)
      expect(await isHeldBack()).toBe(true)
      await command(env, ['config', 'set', '--secondFactorFor', 'nobody'])
      await Bun.sleep(KNOWN_MS)
      expect(await isHeldBack()).toBe(false)
    }, 60_000)

    async function account(): Promise<{ name: string; id: number }> {
      const name = `person${(made += 1)}`
      const data = { username: name, password: PASSWORD, scope: '/', perm: { ...ALL_RIGHTS, admin: false } }
      const body = JSON.stringify({ what: 'user', which: [], data })
      const answer = await fetch(`${one.url}/api/users`, { method: 'POST', headers: admin, body })
      expect(answer.status).toBe(201)
      return { name, id: Number(answer.headers.get('location')?.split('/').at(-1)) }
    }

    async function setUp(token: string): Promise<{ secret: string; codes: string[] }> {
      const headers = { 'x-auth': token }
      const { secret } = JSON.parse(await ask(one, '/api/factors/totp', { method: 'POST', headers })) as { secret: string }
      const body = JSON.stringify({ code: totpCode(secret, Date.now()) })
      const done = JSON.parse(await ask(one, '/api/factors/totp/confirm', { method: 'POST', headers, body })) as { recoveryCodes: string[] }
      return { secret, codes: done.recoveryCodes }
    }

    async function person() {
      const who = await account()
      const token = await signIn(one, who.name)
      return { ...who, token, ...(await setUp(token)) }
    }
  })
}

async function post(server: Server, address: string, body: object, headers: Record<string, string>): Promise<Answer> {
  const init = { method: 'POST', headers: { accept: 'application/json', 'x-satchel-web': '1', ...headers }, body: JSON.stringify(body) }
  const answer = await fetch(server.url + address, init)
  const line = answer.headers.getSetCookie().find((one) => one.startsWith('satchel-device-'))
  return { status: answer.status, body: await answer.text(), cookie: line?.split(';', 1)[0] ?? '' }
}

const login = (server: Server, username: string, cookie = ''): Promise<Answer> =>
  post(server, '/api/login', { username, password: PASSWORD }, cookie === '' ? {} : { cookie })

const second = (server: Server, body: object): Promise<Answer> => post(server, '/api/login/second', body, {})

function ticketIn({ body }: Answer): string {
  return (JSON.parse(body) as { detail: { ticket: string } }).detail.ticket
}

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { serverCommand } from '../../scripts/lib/server.mjs'

const SERVER = serverCommand()
const PASSWORD = 'correct horse battery'
/** Commands in a row while the server is asked without a pause. */
const ROUNDS = 5
const CLIENTS = 4

let home = ''
let server: Bun.Subprocess<'ignore', 'pipe', 'inherit'> | null = null
let url = ''
let logged = ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'satchel-running-'))
  await mkdir(join(home, 'files'))
  await command('config', 'init')
  await command('users', 'add', 'root', PASSWORD, '--perm.admin')
  await command('users', 'add', 'ann', PASSWORD)
  const child = Bun.spawn([...SERVER, '--port', '0', '--logAll'], {
    ...surroundings(),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  server = child
  const { promise, resolve } = Promise.withResolvers<string>()
  void listen(child.stdout, (line) => {
    logged += `${line}\n`
    const found = / at (http:\S+)\/$/.exec(line)?.[1]
    if (found !== undefined) resolve(found)
  })
  url = await promise
}, 300_000)

afterAll(async () => {
  server?.kill('SIGKILL')
  await rm(home, { recursive: true, force: true })
})

describe('a command while the server runs', () => {
  it('takes effect at the next request: permissions, rules, settings', async () => {
    const token = await signIn('ann')
    const settings = await signIn('root')
    expect(await put(token, 'a.txt')).toBe(200)
    await command('users', 'update', 'ann', '--perm.create=false')
    expect(await put(token, 'b.txt')).toBe(403)
    await command('rules', 'add', '/a.txt')
    expect(await status(token, '/api/resources/a.txt')).toBe(404)
    await command('rules', 'rm', '0')
    expect(await status(token, '/api/resources/a.txt')).toBe(200)
    expect(await nameOf(settings)).toBe('')
    await command('config', 'set', '--branding.name', 'The attic')
    expect(await nameOf(settings)).toBe('The attic')
  }, 300_000)

  it('ends sessions: a new password, a disabled account, a deleted account', async () => {
    await command('users', 'add', 'eve', PASSWORD)
    const first = await signIn('eve')
    await command('users', 'update', 'eve', '--password', 'another horse battery')
    expect(await status(first, '/api/resources/')).toBe(401)
    const second = await signIn('eve', 'another horse battery')
    await command('users', 'disable', 'eve')
    expect(await status(second, '/api/resources/')).toBe(401)
    await command('users', 'enable', 'eve')
    expect(await status(second, '/api/resources/')).toBe(401)
    const third = await signIn('eve', 'another horse battery')
    await command('users', 'rm', 'eve')
    expect(await status(third, '/api/resources/')).toBe(401)
  }, 300_000)

  it('is not blocked and does not block while the server writes', async () => {
    const before = logged.length
    const loading = new AbortController()
    let requests = 0
    const load = Array.from({ length: CLIENTS }, async () => {
      while (!loading.signal.aborted) {
        const token = await signIn('root')
        expect(await status(token, '/api/renew', 'POST')).toBe(200)
        requests += 2
      }
    })
    for (let round = 0; round < ROUNDS; round += 1)
      await Promise.all([
        command('users', 'update', 'ann', `--perm.share=${round % 2 === 0}`),
        command('config', 'set', '--branding.name', `Round ${round}`),
      ])
    loading.abort()
    await Promise.all(load)
    expect(requests).toBeGreaterThan(CLIENTS)
    expect(logged.slice(before)).not.toMatch(/SQLITE|locked|: 5\d\d /)
    expect(await nameOf(await signIn('root'))).toBe(`Round ${ROUNDS - 1}`)
  }, 300_000)
})

function surroundings() {
  return { cwd: home, env: { PATH: process.env.PATH ?? '', HOME: home } }
}

/** The program in a process of its own; it must succeed. */
async function command(...args: string[]): Promise<void> {
  const child = Bun.spawn([...SERVER, ...args], { ...surroundings(), stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  const [complaints, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  expect([args, code, code === 0 ? '' : complaints]).toEqual([args, 0, ''])
}

async function signIn(username: string, password = PASSWORD): Promise<string> {
  const response = await fetch(`${url}/api/login`, { method: 'POST', body: JSON.stringify({ username, password }) })
  expect([username, response.status]).toEqual([username, 200])
  return response.text()
}

async function status(token: string, address: string, method = 'GET'): Promise<number> {
  const response = await fetch(url + address, { method, headers: { 'x-auth': token } })
  await response.arrayBuffer()
  return response.status
}

async function put(token: string, name: string): Promise<number> {
  return (await fetch(`${url}/api/resources/${name}`, { method: 'POST', headers: { 'x-auth': token }, body: 'x' })).status
}

async function nameOf(token: string): Promise<string> {
  const response = await fetch(`${url}/api/settings`, { headers: { 'x-auth': token } })
  return ((await response.json()) as { branding: { name: string } }).branding.name
}

async function listen(stream: ReadableStream<Uint8Array>, hear: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) hear(line)
  }
}

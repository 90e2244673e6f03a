import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { ALL_RIGHTS } from '../../src/server/access/permissions.ts'
import { listen } from '../../src/server/listen.ts'
import { runHook as run } from '../../src/server/sessions/run-hook.ts'
import type { Settings } from '../../src/server/settings/settings.ts'
import { serveCaptcha } from './captcha.ts'
import { EVERYTHING, HOUR_MS, PASSWORD, type Product, type Sender, startProduct, withToken } from './world.ts'
import { until } from './until.ts'

const ANN = { username: 'ann', password: PASSWORD }
const EMPTY = { username: '', password: '' }
const PROXY: Sender = { peer: '10.0.0.1', trusted: true }

describe('authMethod proxy', () => {
  const byProxy = { authMethod: 'proxy', auth: { header: 'X-User', command: '' } } as const
  const enter = (product: Product, name: string | null, from: Sender = PROXY, more: Record<string, string> = {}) =>
    login(product, EMPTY, { headers: name === null ? more : { 'x-user': name, ...more }, from })

  it('signs in the user that the trusted proxy names', async () => {
    await using product = await startProduct()
    await set(product, byProxy)
    const response = await enter(product, 'ann')
    expect([response.status, claims(await response.text()).username]).toEqual([200, 'ann'])
  })

  it('ignores and logs the header of any other client (GHSA-xqp3-jq6g-x3qm)', async () => {
    await using product = await startProduct()
    await set(product, byProxy)
    for (const trusted of [false, undefined]) expect((await enter(product, 'root', { trusted })).status).toBe(403)
    expect((await enter(product, 'stranger', { trusted: false })).status).toBe(403)
    expect(await product.world.users.findByName('stranger')).toBeNull()
    expect(product.logged.join('\n')).toContain('X-User ignored')
  })

  it('trusts the address of the connection, not one in a header (GHSA-xqp3-jq6g-x3qm)', async () => {
    await using product = await startProduct({ storage: 'local' })
    await set(product, byProxy)
    const place = { address: '127.0.0.1', port: 0, socket: null, socketPerm: 0o600, cert: null, key: null, baseURL: '' }
    for (const [network, status] of [
      ['127.0.0.1/32', 200],
      ['10.0.0.0/8', 403],
    ] as const) {
      const listener = await listen({ ...place, trustedProxies: [network] }, product.app, { log: () => {} })
      const headers = { 'x-user': 'root', 'x-forwarded-for': '10.0.0.1' }
      const response = await fetch(`${listener.url}api/login`, { method: 'POST', headers, body: JSON.stringify(EMPTY) })
      expect([network, response.status]).toEqual([network, status])
      await listener.stop(0)
    }
  })

  it('refuses requests without a name, with two names, or with one in another header', async () => {
    await using product = await startProduct()
    await set(product, byProxy)
    for (const [name, status] of [
      [null, 403],
      ['', 403],
      ['  ', 403],
      ['root, ann', 400],
      ['root,', 400],
    ] as const)
      expect([name, (await enter(product, name)).status]).toEqual([name, status])
    expect((await enter(product, null, PROXY, { x_user: 'root' })).status).toBe(403)
    expect((await login(product, { username: 'root', password: PASSWORD }, { from: PROXY })).status).toBe(403)
  })

  it('treats another spelling of a name as another user (GHSA-576v-w77m-gr84)', async () => {
    await using product = await startProduct()
    await set(product, byProxy)
    for (const name of ['Root', 'ROOT']) expect([name, (await enter(product, name)).status]).toEqual([name, 403])
    expect(await product.world.users.all()).toHaveLength(2)
  })

  it('creates an account at the first visit, without a password and with its own home', async () => {
    await using product = await startProduct()
    await set(product, byProxy)
    expect((await enter(product, 'ben')).status).toBe(200)
    expect(await product.account('ben')).toMatchObject({ scope: '/users/ben', lockPassword: true })
    await set(product, { authMethod: 'json' })
    for (const password of ['', '!', PASSWORD]) expect((await login(product, { username: 'ben', password })).status).toBe(403)
  })

  it('grants new accounts no administration and no commands, whatever the defaults (GHSA-5gg9-5g7w-hm73, GHSA-7526-j432-6ppp)', async () => {
    await using product = await startProduct()
    await set(product, { ...byProxy, ...(await greatestDefaults(product)) })
    expect((await enter(product, 'ben')).status).toBe(200)
    expect(await product.account('ben')).toMatchObject({ ...POOR, scope: '/users/ben' })
  })

  it('creates two accounts and two homes for fifty parallel first visits each (GHSA-j7jh-37pf-mf8h, GHSA-j2fc-28fx-hc8q)', async () => {
    await using product = await startProduct({ storage: 'local' })
    await set(product, byProxy)
    const visits = Array.from({ length: 100 }, (_, i) =>
      product.app.request(
        '/api/login',
        { method: 'POST', body: JSON.stringify(EMPTY), headers: { 'x-user': i % 2 === 0 ? 'ben' : 'cleo' } },
        { peer: '192.0.2.1', trusted: true },
      ),
    )
    expect(new Set((await Promise.all(visits)).map(({ status }) => status))).toEqual(new Set([200]))
    const people = (await product.world.users.all()).map(({ username, scope }) => `${username} ${scope}`)
    expect(people.toSorted()).toEqual(['ann /', 'ben /users/ben', 'cleo /users/cleo', 'root /'])
  })

  it('refuses a user whose home would belong to another', async () => {
    await using product = await startProduct()
    await set(product, byProxy)
    expect((await enter(product, 'team-x')).status).toBe(200)
    expect((await enter(product, 'team/x')).status).toBe(409)
    expect(await product.world.users.findByName('team/x')).toBeNull()
  })

  it('reads names as UTF-8', async () => {
    await using product = await startProduct()
    await set(product, byProxy)
    const bytes = Buffer.from('Jürgen').toString('latin1')
    expect(claims(await (await enter(product, bytes)).text()).username).toBe('Jürgen')
  })

  it('treats no name specially', async () => {
    await using product = await startProduct()
    await set(product, byProxy)
    expect((await enter(product, '__proto__')).status).toBe(200)
    expect(await product.account('__proto__')).toMatchObject({ scope: '/users/__proto__', perm: { admin: false } })
  })

  it('refuses disabled users', async () => {
    await using product = await startProduct()
    await set(product, byProxy)
    await product.world.users.setDisabled((await product.account('ann')).id, { disabled: true })
    expect((await enter(product, 'ann')).status).toBe(403)
  })

  it('refuses an expired token, whatever header comes with it (GHSA-v3jv-rmh2-635j)', async () => {
    await using product = await startProduct()
    await set(product, { ...byProxy, logoutPage: 'https://sso.test/logout' })
    const token = await (await enter(product, 'ann')).text()
    product.pass(2 * HOUR_MS)
    for (const headers of [new Headers(), new Headers({ 'x-user': 'ann' })])
      for (const from of [PROXY, {}])
        for (const address of ['/api/resources/', '/api/renew'])
          expect(
            (await product.ask(address, { ...withToken({ headers, method: address.endsWith('w') ? 'POST' : 'GET' }, token), from })).status,
          ).toBe(401)
  })
})

describe('authMethod noauth', () => {
  it('signs everyone in as the first account, with empty credentials', async () => {
    await using product = await startProduct()
    await set(product, { authMethod: 'noauth' })
    const response = await login(product, EMPTY)
    expect([response.status, claims(await response.text()).username]).toEqual([200, 'root'])
  })

  it('refuses pages of foreign host names (DNS rebinding, I16)', async () => {
    await using product = await startProduct()
    await set(product, { authMethod: 'noauth' })
    const from = async (host: string): Promise<number> =>
      (await login(product, EMPTY, { headers: { host, origin: `http://${host}` } })).status
    for (const host of ['evil.example', 'localhost.evil.example:8080', '127.0.0.1.evil.example']) expect(await from(host)).toBe(403)
    expect(product.logged.filter((line) => line.includes('--trustedProxies'))).toEqual([expect.stringContaining('evil.example')])
    for (const host of ['127.0.0.1:8080', '[::1]:8080', 'localhost:8080', 'nas', 'nas.local', 'files.home.arpa:81'])
      expect(await from(host)).toBe(200)
  })

  it('reports an error if there is no first account, and refuses a disabled one', async () => {
    await using product = await startProduct()
    await set(product, { authMethod: 'noauth' })
    const { id } = await product.add('second', { may: { ...EVERYTHING, admin: true } })
    await product.world.users.setDisabled(1, { disabled: true })
    expect((await login(product, EMPTY)).status).toBe(403)
    await product.world.users.remove(1)
    expect((await login(product, EMPTY)).status).toBe(500)
    expect(product.logged.join('\n')).toContain('there is no account with the id 1')
    expect(id).not.toBe(1)
  })
})

describe('authMethod hook', () => {
  it('passes name and password on standard input, not in arguments or the environment (GHSA-m93h-4hw7-5qcm)', async () => {
    await using hook = await program('cat > "$0.in"; env > "$0.env"; echo "$@" > "$0.args"; echo hook.action=block')
    await using product = await startProduct()
    await set(product, byHook(`${hook.file} first second`))
    const odd = { username: 'x;$(touch /tmp/p)`id`\n|&"\'', password: '$PASSWORD\n; reboot' }
    expect((await login(product, odd)).status).toBe(403)
    expect(await hook.read('in')).toBe(`${JSON.stringify(odd)}\n`)
    expect(await hook.read('args')).toBe('first second\n')
    const env = await hook.read('env')
    expect(env).not.toMatch(/reboot|USERNAME|PASSWORD=/)
    expect(env.split('\n').filter((line) => !/^(PATH|PWD|OLDPWD|SHLVL|_)=|^$/.test(line))).toEqual([])
  })

  it('starts no shell: the command is only split at spaces', async () => {
    await using hook = await program('echo "$#:$1" > "$0.args"; echo hook.action=block')
    await using product = await startProduct()
    await set(product, byHook(`${hook.file} $HOME;id  'a b'`))
    await login(product, ANN)
    expect(await hook.read('args')).toBe('3:$HOME;id\n')
  })

  it('refuses on block, and checks our own passwords on pass', async () => {
    await using product = await startProduct({ runHook: says('hook.action=block') })
    await set(product, byHook())
    expect((await login(product, ANN)).status).toBe(403)
    await using passing = await startProduct({ runHook: says('hook.action = pass\r\nunknown\nuser.none=1') })
    await set(passing, byHook())
    expect((await login(passing, ANN)).status).toBe(200)
    expect((await login(passing, { ...ANN, password: 'wrong' })).status).toBe(403)
  })

  it('returns 500 and logs it if the program fails or its output is invalid, without details for the client', async () => {
    const failures = [
      async () => ({ code: 1, stdout: 'hook.action=auth' }),
      async () => ({ code: null, stdout: 'hook.action=auth' }),
      says(''),
      says('hook.action=AUTH'),
      async () => {
        throw new Error('ENOENT')
      },
    ]
    for (const fails of failures) {
      await using product = await startProduct({ runHook: fails })
      await set(product, byHook())
      const response = await login(product, ANN, { headers: { accept: 'application/json' } })
      expect([response.status, await response.json()]).toEqual([500, { code: 'hook-failed', detail: { output: '' } }])
      expect(product.logged.join('\n')).toContain('sign-in hook: ')
    }
  })

  it('does not run without a name or password, since some directories accept an empty one (CVE-2026-62325)', async () => {
    let asked = 0
    const runHook = async () => ({ code: (asked += 1), stdout: '' })
    await using product = await startProduct({ runHook })
    await set(product, byHook())
    for (const body of [EMPTY, { ...ANN, password: '' }, { ...ANN, username: '' }]) expect((await login(product, body)).status).toBe(403)
    expect(asked).toBe(0)
  })

  it('creates an account at the first auth, with the given password, locked', async () => {
    await using product = await startProduct({ runHook: says('hook.action=auth') })
    await set(product, { ...byHook(), ...(await greatestDefaults(product)) })
    expect((await login(product, { username: 'ben', password: PASSWORD })).status).toBe(200)
    expect(await product.account('ben')).toMatchObject({ ...POOR, scope: '/users/ben', lockPassword: true })
    await set(product, { authMethod: 'json' })
    expect((await login(product, { username: 'ben', password: PASSWORD })).status).toBe(200)
  })

  it('grants what the program returns, and administration only if it says so (GHSA-7526-j432-6ppp)', async () => {
    const lines = [
      'user.scope=../../srv/../team',
      'user.locale=de',
      'user.viewMode=list',
      'user.singleClick=true',
      'user.sorting.by=size',
      'user.sorting.asc=true',
      'user.commands=git  svn',
      'user.perm.execute=true',
      'user.perm.share=false',
      'user.perm.download=yes',
      'user.rules=all',
      'user.__proto__=x',
    ]
    await using product = await startProduct({ runHook: says('hook.action=auth', ...lines) })
    await set(product, byHook())
    expect((await login(product, { username: 'ben', password: PASSWORD })).status).toBe(200)
    expect(await product.account('ben')).toMatchObject({
      scope: '/team',
      locale: 'de',
      viewMode: 'list',
      singleClick: true,
      sorting: { by: 'size', asc: true },
      commands: ['git', 'svn'],
      perm: { ...EVERYTHING, admin: false, execute: true, share: false, download: false },
      rules: [],
    })
    await using generous = await startProduct({ runHook: says('hook.action=auth', 'user.perm.admin=true') })
    await set(generous, byHook())
    expect((await login(generous, { username: 'ben', password: PASSWORD })).status).toBe(200)
    expect(await generous.account('ben')).toMatchObject({ perm: ALL_RIGHTS, lockPassword: false })
  })

  it('changes only the returned fields of an existing account, and keeps rules and preferences', async () => {
    const rules = [{ regex: false, allow: false, path: '/secret', regexp: null }]
    await using product = await startProduct({ runHook: says('hook.action=auth', 'user.perm.delete=false', 'user.locale=fr') })
    const { id } = await product.add('ben', { rules })
    await product.world.users.change(await product.account('ben'), { fields: { aceEditorTheme: 'twilight' }, password: null, keep: null })
    await set(product, byHook())
    expect((await login(product, { username: 'Ben', password: 'another good password' })).status).toBe(200)
    const ben = await product.account('ben')
    expect(ben).toMatchObject({ id, rules, aceEditorTheme: 'twilight', locale: 'fr', perm: { ...EVERYTHING, delete: false } })
    expect((await login(product, { username: 'ben', password: 'another good password' })).status).toBe(200)
    expect((await product.account('ben')).version).toBe(ben.version)
  })

  it('sets no password that violates the policy', async () => {
    await using product = await startProduct({ runHook: says('hook.action=auth') })
    await set(product, byHook())
    for (const username of ['ben', 'ann']) expect((await login(product, { username, password: 'short' })).status).toBe(400)
    expect(await product.world.users.findByName('ben')).toBeNull()
  })

  it('does not match another spelling of a known name (GHSA-576v-w77m-gr84)', async () => {
    await using product = await startProduct({ runHook: says('hook.action=auth') })
    await set(product, byHook())
    for (const username of ['ｒoot', 'r\u200boot']) expect((await login(product, { username, password: PASSWORD })).status).toBe(403)
  })

  it('treats no name specially', async () => {
    await using product = await startProduct({ runHook: says('hook.action=auth', '__proto__=x', 'constructor=y') })
    await set(product, byHook())
    expect((await login(product, { username: '__proto__', password: PASSWORD })).status).toBe(200)
    expect(await product.account('__proto__')).toMatchObject({ perm: { admin: false } })
  })

  it('refuses disabled users', async () => {
    await using product = await startProduct({ runHook: says('hook.action=auth', 'user.locale=fr') })
    await set(product, byHook())
    await product.world.users.setDisabled((await product.account('ann')).id, { disabled: true })
    expect((await login(product, ANN)).status).toBe(403)
    expect((await product.account('ann')).locale).toBe('')
  })

  it('is rate-limited for clients that guess (GHSA-cm2r-rg7r-p7gg)', async () => {
    let asked = 0
    const runHook = async () => {
      asked += 1
      return { code: 0, stdout: 'hook.action=block' }
    }
    await using product = await startProduct({ runHook })
    product.stopClock()
    await set(product, byHook())
    for (let i = 0; i < 200; i++) await login(product, { username: 'ann', password: `guess ${i}` })
    expect(asked).toBeLessThan(20)
  })
})

describe('the program of a hook', () => {
  it('is killed with its child processes if it exceeds its time or output limit', async () => {
    await using slow = await program('sleep 300 & echo $! > "$0.pid"; echo early; wait')
    const limits = { stdin: '', timeoutMs: 1000, maxOutputBytes: 1000 }
    expect((await run([slow.file], limits)).code).toBeNull()
    const pid = (await slow.read('pid')).trim()
    await until(
      async () => !(await Bun.file(`/proc/${pid}/stat`).exists()) || (await Bun.file(`/proc/${pid}/stat`).text()).includes(') Z '),
    )
    await using loud = await program('yes')
    expect((await run([loud.file], { ...limits, timeoutMs: 10_000 })).code).toBeNull()
  })

  it('may ignore its input', async () => {
    await using deaf = await program('exec 0<&-; echo hook.action=block')
    const reply = await run([deaf.file], { stdin: 'x'.repeat(1_000_000), timeoutMs: 10_000, maxOutputBytes: 1000 })
    expect(reply).toEqual({ code: 0, stdout: 'hook.action=block\n' })
  })

  it('is reported as failed if it is missing', async () => {
    const missing = async () => run(['/none/at/all'], { stdin: '', timeoutMs: 1000, maxOutputBytes: 10 })
    expect(missing()).rejects.toThrow()
  })
})

describe('a captcha', () => {
  it('is checked before the password, and its secret is not exposed', async () => {
    await using service = serveCaptcha({ right: 'solved' })
    await using product = await startProduct({ captchaHosts: [service.host] })
    await set(product, { recaptcha: { host: `${service.host}/`, key: 'site', secret: 'canary' } })
    expect((await login(product, ANN)).status).toBe(403)
    expect((await login(product, { ...ANN, recaptcha: 'wrong' })).status).toBe(403)
    expect((await login(product, { ...ANN, recaptcha: 'solved' })).status).toBe(200)
    expect((await login(product, { ...ANN, recaptcha: 'solved' })).status).toBe(403)
    expect(product.logged.join('\n')).not.toMatch(/canary|solved/)
  })

  it('refuses sign-in if it cannot be verified', async () => {
    await using service = serveCaptcha({ right: 'solved' })
    await using product = await startProduct({ captchaHosts: [service.host] })
    await set(product, { recaptcha: { host: service.host, key: 'site', secret: 's' } })
    for (const [failing, status] of [
      [() => new Response('', { status: 503 }), 403],
      [() => new Response('no JSON'), 500],
      [() => Response.json({}), 500],
      [() => Response.redirect('http://127.0.0.1:9/', 307), 500],
    ] as const) {
      service.failing = failing
      expect((await login(product, { ...ANN, recaptcha: 'solved' })).status).toBe(status)
    }
    await set(product, { recaptcha: { host: 'https://evil.test', key: 'site', secret: 's' } })
    expect((await login(product, { ...ANN, recaptcha: 'solved' })).status).toBe(500)
    expect(product.logged.join('\n')).toContain('recaptcha.host https://evil.test is none of')
  })

  it('is not required without a key or a secret', async () => {
    await using product = await startProduct()
    for (const recaptcha of [
      { host: '', key: '', secret: 's' },
      { host: '', key: 'k', secret: '' },
    ]) {
      await set(product, { recaptcha })
      expect((await login(product, ANN)).status).toBe(200)
    }
  })
})

const POOR = { perm: { ...ALL_RIGHTS, admin: false, execute: false }, commands: [], rules: [] }

function byHook(command = 'hook'): Partial<Settings> {
  return { authMethod: 'hook', auth: { header: '', command } }
}

function says(...lines: string[]) {
  return async () => ({ code: 0, stdout: lines.join('\n') })
}

async function greatestDefaults({ world }: Product): Promise<Partial<Settings>> {
  const { defaults } = await world.settings.read()
  return { defaults: { ...defaults, scope: '/', perm: ALL_RIGHTS, commands: ['sh', 'git'] }, createUserDir: true }
}

async function set({ world }: Product, given: Partial<Settings>): Promise<void> {
  await world.settings.change((before) => ({ ...before, ...given }))
}

function login(product: Product, body: unknown, init: { headers?: Record<string, string>; from?: Sender } = {}): Promise<Response> {
  return product.ask('/api/login', { method: 'POST', body: JSON.stringify(body), ...init })
}

function claims(token: string): { username: string } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).user
}

/** A shell script of an operator. */
async function program(script: string) {
  const folder = await mkdtemp(join(tmpdir(), 'satchel-hook-'))
  const file = join(folder, 'hook')
  await writeFile(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return {
    file,
    read: (what: string) => Bun.file(`${file}.${what}`).text(),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

import { describe, expect, it } from 'bun:test'
import { ROOT } from '../../src/shared/file-path.ts'
import { ALL_RIGHTS } from '../../src/server/access/permissions.ts'
import type { Settings } from '../../src/server/settings/settings.ts'
import { serveCaptcha } from './captcha.ts'
import { onEachStorage, PASSWORD, type Product, startProduct } from './world.ts'

const BEN = { username: 'ben', password: PASSWORD }

onEachStorage((product) => {
  const open = (given: Partial<Settings> = {}) => set(product(), { signup: true, ...given })
  const signUp = (body: unknown, headers: Record<string, string> = {}) => post(product(), '/api/signup', body, headers)
  const people = async () => (await product().world.users.all()).map(({ username }) => username)

  describe('signing up', () => {
    it('returns 200 without a session', async () => {
      await open()
      const response = await signUp(BEN)
      expect([response.status, await response.text(), response.headers.get('set-cookie')]).toEqual([200, '200 OK\n', null])
      expect(
        await product()
          .as('ben')
          .resources.get({ params: { path: ROOT } }),
      ).toMatchObject({ items: [] })
    })

    it('returns 405 without lookups if sign-up is disabled', async () => {
      for (const username of ['ben', 'ann']) expect((await signUp({ ...BEN, username })).status).toBe(405)
      expect(await people()).toEqual(['root', 'ann'])
    })

    it('returns 405 with another sign-in method, since it could claim a name before its owner', async () => {
      for (const authMethod of ['proxy', 'hook', 'noauth'] as const) {
        await open({ authMethod })
        expect([authMethod, (await signUp(BEN)).status]).toEqual([authMethod, 405])
      }
    })

    it('returns 409 for a taken name in any spelling (GHSA-576v-w77m-gr84)', async () => {
      await open()
      for (const username of ['ann', 'ANN', 'ａnn'])
        expect([username, (await signUp({ ...BEN, username })).status]).toEqual([username, 409])
    })

    it('returns 409 for a name whose home belongs to another user (GHSA-7rc3-g7h6-22m7)', async () => {
      await open()
      expect((await signUp({ ...BEN, username: 'team-x' })).status).toBe(200)
      for (const username of ['team/x', 'team x', 'Team-X', 'team--x']) {
        product().pass(60_000)
        expect([username, (await signUp({ ...BEN, username })).status]).toEqual([username, 409])
      }
    })

    it('gives no access to the files of an earlier user (GHSA-6759-996p-gpj6)', async () => {
      await open()
      await product().seed({ '/users/ben/old.txt': 'not yours' })
      const before = await product().snapshot()
      expect((await signUp(BEN)).status).toBe(409)
      expect(await people()).toEqual(['root', 'ann'])
      expect(await product().snapshot()).toEqual(before)
    })

    it('creates a home folder, also if it is not the default for accounts (GHSA-6759-996p-gpj6)', async () => {
      for (const createUserDir of [false, true]) {
        await open({ createUserDir })
        expect((await signUp({ ...BEN, username: `ben ${createUserDir}` })).status).toBe(200)
        expect((await product().account(`ben ${createUserDir}`)).scope).toBe(`/users/ben-${createUserDir}`)
      }
    })

    it('creates no account if the home cannot be created', async () => {
      await open({ userHomeBasePath: '/' })
      await product().seed({ '/file': 'a file' })
      for (const username of ['.satchel', 'file']) expect([username, (await signUp({ ...BEN, username })).status]).toEqual([username, 409])
      expect(await people()).toEqual(['root', 'ann'])
    })

    it('grants no administration and no commands, whatever the defaults (GHSA-5gg9-5g7w-hm73, GHSA-x8jc-jvqm-pm3f)', async () => {
      await open(await greatestDefaults(product()))
      expect((await signUp(BEN)).status).toBe(200)
      expect(await product().account('ben')).toMatchObject({ ...POOR, scope: '/users/ben', lockPassword: false })
    })

    it('ignores all fields of the body except name and password', async () => {
      await open()
      const more = { perm: ALL_RIGHTS, admin: true, scope: '/', commands: ['sh'], id: 1, rules: [], __proto__: { admin: true } }
      const text = JSON.stringify({ ...more, ...BEN }).replace('{', '{"__proto__":{"admin":true,"perm":{"admin":true}},')
      expect((await signUp(text)).status).toBe(200)
      expect(await product().account('ben')).toMatchObject({ scope: '/users/ben', perm: { admin: false }, commands: [] })
      expect(({} as Record<string, unknown>).admin).toBeUndefined()
    })

    it('treats no name specially', async () => {
      await open()
      for (const username of ['__proto__', 'constructor', 'toString']) {
        expect([username, (await signUp({ ...BEN, username })).status]).toEqual([username, 200])
        expect(await product().account(username)).toMatchObject({ scope: `/users/${username}`, perm: { admin: false } })
      }
    })

    it('returns 400 for an invalid body, name or password, and creates nothing', async () => {
      await open()
      const before = await product().snapshot()
      const refused: [unknown, string][] = [
        ['{', 'body: not JSON'],
        [{ username: 'ben' }, 'password'],
        [{ ...BEN, username: '' }, 'username'],
        [{ ...BEN, username: ' ben ' }, 'username: white space around it'],
        [{ ...BEN, username: '..' }, 'username: makes no folder'],
        [{ ...BEN, username: 'b\u200ben' }, 'username: invisible characters'],
        [{ ...BEN, username: 'x'.repeat(256) }, 'username: too-long 255'],
        [{ ...BEN, password: '' }, 'password: empty'],
        [{ ...BEN, password: 'elevenchars' }, 'password: too-short 12'],
        [{ ...BEN, password: 'Qwerty123456' }, 'password: too-common'],
        [{ ...BEN, password: 'x'.repeat(1025) }, 'password: too-long 1024'],
      ]
      for (const [body, issue] of refused) {
        const response = await signUp(body, { accept: 'application/json' })
        expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(issue)])
      }
      expect([await people(), await product().snapshot()]).toEqual([['root', 'ann'], before])
    })

    it('uses all bytes of a long password, beyond the 72 of bcrypt', async () => {
      await open()
      const long = 'ä'.repeat(200)
      expect((await signUp({ ...BEN, password: long })).status).toBe(200)
      const login = (password: string) => post(product(), '/api/login', { username: 'ben', password })
      expect([(await login(`${long.slice(0, -1)}x`)).status, (await login(long)).status]).toEqual([403, 200])
    })

    it('is refused from a page of another origin', async () => {
      await open()
      for (const [name, value] of [
        ['sec-fetch-site', 'cross-site'],
        ['origin', 'https://evil.test'],
        ['origin', 'null'],
      ] as const)
        expect((await signUp(BEN, { [name]: value })).status).toBe(403)
      expect(await people()).toEqual(['root', 'ann'])
    })

    it('is rate-limited separately from sign-in', async () => {
      await open()
      product().stopClock()
      const statuses: number[] = []
      for (let i = 0; i < 30; i++) statuses.push((await signUp({ ...BEN, username: `user${i}` })).status)
      expect(statuses.filter((status) => status === 200).length).toBeLessThan(20)
      expect(statuses.at(-1)).toBe(429)
      expect((await post(product(), '/api/login', { username: 'ann', password: PASSWORD })).status).toBe(200)
    })

    it('refuses 2 GB once the body exceeds the limit (GHSA-w5fm-68j4-fpc4)', async () => {
      await open()
      expect((await signUp({ ...BEN, password: 'x'.repeat(65 * 1024) })).status).toBe(413)
    })

    it('creates one account and one home for fifty parallel calls (GHSA-j7jh-37pf-mf8h)', async () => {
      await open()
      const calls = Array.from({ length: 50 }, (_, i) => signUp({ ...BEN, username: i % 2 === 0 ? 'ben' : 'cleo' }))
      const statuses = (await Promise.all(calls)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(2)
      expect(statuses.filter((status) => ![200, 409, 429].includes(status))).toEqual([])
      expect(new Set([(await product().account('ben')).scope, (await product().account('cleo')).scope]).size).toBe(2)
    })
  })
})

describe('when the disk is full', () => {
  it('a sign-up leaves nothing behind', async () => {
    await using product = await startProduct()
    await set(product, { signup: true })
    product.storage.makeFolder = async () => {
      throw new Error('no space')
    }
    expect((await post(product, '/api/signup', BEN)).status).toBe(500)
    expect((await product.world.users.all()).map(({ username }) => username)).toEqual(['root', 'ann'])
  })
})

describe('with a captcha', () => {
  it('sign-in and sign-up require it to be solved, with one response for each', async () => {
    await using service = serveCaptcha({ right: 'solved' })
    await using product = await startProduct({ captchaHosts: [service.host] })
    await set(product, { signup: true, recaptcha: { host: service.host, key: 'site', secret: 'the secret' } })
    for (const recaptcha of [undefined, '', 'wrong', 'x'.repeat(9000)])
      expect([recaptcha, (await post(product, '/api/signup', { ...BEN, recaptcha })).status]).toEqual([recaptcha, 403])
    expect(await product.world.users.findByName('ben')).toBeNull()
    expect((await post(product, '/api/signup', { ...BEN, recaptcha: 'solved' })).status).toBe(200)
    expect((await post(product, '/api/login', { ...BEN, recaptcha: 'solved' })).status).toBe(200)
    // Once more it is used up.
    expect((await post(product, '/api/login', { ...BEN, recaptcha: 'solved' })).status).toBe(403)
    expect(service.asked).toEqual([
      { secret: 'the secret', response: 'wrong' },
      { secret: 'the secret', response: 'solved' },
      { secret: 'the secret', response: 'solved' },
    ])
  })
})

const POOR = { perm: { ...ALL_RIGHTS, admin: false, execute: false }, commands: [], rules: [] }

async function greatestDefaults({ world }: Product): Promise<Partial<Settings>> {
  const { defaults } = await world.settings.read()
  return { defaults: { ...defaults, scope: '/', perm: ALL_RIGHTS, commands: ['sh', 'git'] } }
}

async function set({ world }: Product, given: Partial<Settings>): Promise<void> {
  await world.settings.change((before) => ({ ...before, ...given }))
}

function post(product: Product, address: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return product.ask(address, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers })
}

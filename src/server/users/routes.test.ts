import { describe, expect, it } from 'bun:test'
import { createMemoryBus } from '../bus/memory.ts'
import { openTestDatabase } from '../db/test-database.ts'
import { errorResponse, incidentFrom } from '../http/errors.ts'
import { createRouter } from '../http/router.ts'
import { createSettings } from '../settings/store.ts'
import { cleanScope } from '../../shared/scope.ts'
import { accessOf, NOTHING_GRANTED } from './access-of.ts'
import { createManagement } from './manage.ts'
import { createPasswords } from './password.ts'
import { createPasswordPolicy } from './policy.ts'
import { mountUsers } from './routes.ts'
import { createUsers } from './users.ts'

describe('GET /api/users/:id', () => {
  it('returns the user’s own record without password and scope', async () => {
    const { as, ann } = await world()
    const response = await as('ann')('GET', `/api/users/${ann.id}`)
    expect(await response.json()).toMatchObject({ id: ann.id, username: 'ann', password: '', scope: '', viewMode: 'mosaic' })
  })

  it('returns every record with its scope to administrators', async () => {
    const { as, ann } = await world()
    expect(await (await as('root')('GET', `/api/users/${ann.id}`)).json()).toMatchObject({ username: 'ann', scope: './ann' })
  })

  it('hides other users, existing or not', async () => {
    const { as, root } = await world()
    expect((await as('ann')('GET', `/api/users/${root.id}`)).status).toBe(403)
    expect((await as('ann')('GET', '/api/users/999')).status).toBe(403)
    expect((await as(null)('GET', `/api/users/${root.id}`)).status).toBe(401)
  })

  it('returns 404 for an invalid id', async () => {
    const { as } = await world()
    for (const id of ['abc', '0', '-1', '1.5', '01', '1e3', '9'.repeat(30), '%00', '999']) {
      expect([id, (await as('root')('GET', `/api/users/${id}`)).status]).toEqual([id, 404])
    }
  })
})

describe('PUT /api/users/:id', () => {
  it('changes the named fields, whatever the case of their first letter', async () => {
    const { put, read, ann } = await world()
    expect(
      await put('ann', {
        which: ['Locale', 'hideDotfiles', 'locale'],
        data: { id: ann.id, locale: 'de', hideDotfiles: true, singleClick: true },
      }),
    ).toBe(200)
    expect(await read()).toMatchObject({ locale: 'de', hideDotfiles: true, singleClick: false })
    expect(await put('ann', { which: ['sorting', 'viewMode'], data: { sorting: { by: 'size', asc: true }, viewMode: 'list' } })).toBe(200)
    expect(await read()).toMatchObject({ sorting: { by: 'size', asc: true }, viewMode: 'list', locale: 'de' })
  })

  it('refuses fields for administrators from others, in every spelling (GHSA-hxw8-4h9j-hq2r, #1195)', async () => {
    const { put, read, ann } = await world()
    const before = await read()
    const data = {
      id: ann.id,
      username: 'root2',
      scope: '/',
      lockPassword: true,
      perm: { ...ann.perm, admin: true },
      commands: ['sh'],
      rules: [],
      disabled: true,
    }
    for (const field of ['username', 'scope', 'lockPassword', 'perm', 'commands', 'rules', 'disabled', 'all']) {
      for (const name of [field, field.slice(0, 1).toUpperCase() + field.slice(1)]) {
        expect([name, await put('ann', { which: [name], data })]).toEqual([name, 403])
        expect([name, await put('ann', { which: ['locale', name], data: { ...data, locale: 'xx' } })]).toEqual([name, 403])
      }
    }
    for (const which of [[], undefined, ['all']]) expect(await put('ann', { which, data })).toBe(403)
    expect(await read()).toEqual(before)
  })

  it('refuses unknown fields', async () => {
    const { put, read } = await world()
    const before = await read()
    for (const name of ['PERM', 'id', 'authEpoch', 'passwordHash', '__proto__', 'constructor', '']) {
      expect([name, await put('ann', { which: [name], data: { [name]: 1 } })]).toEqual([name, 400])
    }
    expect(await read()).toEqual(before)
  })

  it('refuses invalid values and changes nothing', async () => {
    const { put, read } = await world()
    const before = await read()
    const bad = [
      { locale: 1 },
      { locale: null },
      { hideDotfiles: 'true' },
      { sorting: { by: 'owner', asc: true } },
      { viewMode: 'mosaic gallery' },
      {},
    ]
    for (const data of bad) expect(await put('ann', { which: ['singleClick', ...Object.keys(data)], data: { ...data } })).toBe(400)
    expect(await read()).toEqual(before)
  })

  it('refuses another id in the body and another envelope', async () => {
    const { put, root, ann } = await world()
    for (const id of [root.id, String(ann.id), null]) expect(await put('ann', { which: ['locale'], data: { id, locale: 'de' } })).toBe(400)
    expect(await put('ann', { what: 'settings', which: ['locale'], data: { locale: 'de' } })).toBe(400)
    for (const body of ['', '{', 'null', '[]', '{}', '{"what":"user"}', '{"what":"user","which":"locale","data":{}}'])
      expect(await put('ann', body)).toBe(400)
  })

  it('lets only administrators change other records', async () => {
    const { as, root, put, read } = await world()
    const body = JSON.stringify({ what: 'user', which: ['locale'], data: { locale: 'de' } })
    expect((await as('ann')('PUT', `/api/users/${root.id}`, body)).status).toBe(403)
    expect(await put('root', { which: ['locale'], data: { locale: 'de' } })).toBe(200)
    expect((await read())?.locale).toBe('de')
  })
})

describe('a scope', () => {
  it('is always below the root', () => {
    const cleaned = ['', '.', './', '/', './users/bob', 'users/bob/', '/srv/x', '../../etc', 'a/../../b', 'a//b/./c', ' ./a '].map(
      cleanScope,
    )
    expect(cleaned.map(String)).toEqual(['/', '/', '/', '/', '/users/bob', '/users/bob', '/srv/x', '/etc', '/b', '/a/b/c', '/a'])
    expect(() => cleanScope('a\0b')).toThrow()
  })

  it('becomes an Access with the account’s permissions', async () => {
    const { ann, root, settings } = await world()
    expect(accessOf(ann, settings, NOTHING_GRANTED)).toMatchObject({ scope: '/ann', start: '/', may: { admin: false, execute: false } })
    expect(accessOf({ ...root, perm: { ...root.perm, create: false } }, settings, NOTHING_GRANTED).may).toMatchObject({
      admin: true,
      create: true,
    })
  })
})

type Envelope = { what?: string; which?: string[]; data?: unknown } | string

async function world() {
  const clock = () => new Date('2026-11-21T00:00:00Z')
  const db = await openTestDatabase({ clock })
  const bus = createMemoryBus()
  const store = createSettings({ db, bus, clock })
  const settings = await store.read()
  const users = createUsers({ db, bus, clock, passwords: createPasswords({ cost: { memoryKiB: 8, passes: 1 } }) })
  const fields = { ...settings.defaults, password: 'long enough', lockPassword: false, rules: [] }
  const root = await users.create({ ...fields, username: 'root', perm: { ...fields.perm, admin: true } })
  const ann = await users.create({ ...fields, username: 'ann', scope: './ann' })
  const accounts = { root, ann }

  const as = (name: keyof typeof accounts | null) => {
    const app = createRouter()
    app.use((c, next) => {
      const account = name === null ? null : accounts[name]
      const session = { sessionId: 's', provenAt: clock(), shouldRenew: false, isWeb: false }
      c.viewer = account && {
        ...session,
        sorting: account.sorting,
        userId: account.id,
        username: account.username,
        access: accessOf(account, settings, NOTHING_GRANTED),
      }
      return next()
    })
    app.onError((error, c) =>
      errorResponse(
        incidentFrom(error, () => {}),
        c.header('accept') ?? '',
      ),
    )
    const policy = createPasswordPolicy({ settings: store })
    const management = createManagement({ users, bus, settings: store, policy, requireProof: async () => {}, makeHome: async () => {} })
    mountUsers(app, { users, management, settings: store })
    return async (method: string, path: string, body?: string) => app.request(path, { method, body }, { peer: null })
  }

  /** Sends a change of Ann's record. @returns the status */
  async function put(name: keyof typeof accounts, envelope: Envelope): Promise<number> {
    const body = typeof envelope === 'string' ? envelope : JSON.stringify({ what: 'user', ...envelope })
    return (await as(name)('PUT', `/api/users/${ann.id}`, body)).status
  }

  return { as, put, read: () => users.find(ann.id), settings, ...accounts }
}

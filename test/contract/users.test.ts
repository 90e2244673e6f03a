import { describe, expect, it } from 'bun:test'
import { onEachStorage, PASSWORD } from './world.ts'

const ADMINISTERED = ['username', 'scope', 'lockPassword', 'perm', 'commands', 'rules', 'id', 'passwordHash', 'authEpoch', 'disabled']

onEachStorage((product) => {
  const put = (id: number | string, body: unknown, who = 'ann') =>
    product().ask(`/api/users/${id}`, { method: 'PUT', who, body: JSON.stringify(body), headers: { accept: 'application/json' } })
  const change = (which: string[], data: Record<string, unknown>) => ({ what: 'user', which, data })
  const annId = async () => (await product().account('ann')).id

  describe('one’s own record', () => {
    it('is returned without private fields', async () => {
      const id = await annId()
      const response = await product().ask(`/api/users/${id}`, { who: 'ann' })
      const text = await response.text()
      expect(JSON.parse(text)).toMatchObject({ id, username: 'ann', password: '', scope: '', lockPassword: false })
      for (const secret of ['argon2', 'hash', 'epoch', 'Epoch', PASSWORD]) expect(text).not.toContain(secret)
    })

    it('is changed field by field, and requests a token renewal', async () => {
      const id = await annId()
      const before = await product()
        .as('ann')
        .users.get({ params: { id: String(id) } })
      expect(
        (
          await put(
            id,
            change(['locale', 'hideDotfiles', 'singleClick'], { locale: 'de', hideDotfiles: true, singleClick: true, viewMode: 'mosaic' }),
          )
        ).status,
      ).toBe(200)
      expect((await put(id, change(['sorting', 'viewMode'], { sorting: { by: 'size', asc: true }, viewMode: 'list' }))).status).toBe(200)
      const after = await product()
        .as('ann')
        .users.get({ params: { id: String(id) } })
      expect(after).toEqual({
        ...before,
        locale: 'de',
        hideDotfiles: true,
        singleClick: true,
        sorting: { by: 'size', asc: true },
        viewMode: 'list',
      })
      expect((await product().ask('/api/resources/', { who: 'ann' })).headers.get('x-renew-token')).toBe('true')
    })

    it('applies sorting and dotfile preferences with the next call', async () => {
      await product().seed({ '/big.txt': 'xxxx', '/a.txt': '', '/.hidden': '' })
      await put(await annId(), change(['sorting', 'hideDotfiles'], { sorting: { by: 'size', asc: true }, hideDotfiles: true }))
      expect(await (await product().ask('/api/resources/', { who: 'ann' })).json()).toMatchObject({
        sorting: { by: 'size', asc: true },
        numFiles: 2,
        items: [{ name: 'a.txt' }, { name: 'big.txt' }],
      })
    })

    it('never changes fields reserved for administrators, in any spelling (GHSA-hxw8-4h9j-hq2r)', async () => {
      const id = await annId()
      const before = await product().db.selectFrom('users').selectAll().execute()
      for (const field of ADMINISTERED)
        for (const name of [field, field.slice(0, 1).toUpperCase() + field.slice(1)])
          for (const which of [[name], ['locale', name], []]) {
            const data = { locale: '', [name]: name.toLowerCase() === 'perm' ? { admin: true } : true }
            expect((await put(id, change(which, data))).status).toBeGreaterThanOrEqual(400)
          }
      expect((await put(id, change(['all'], { perm: { admin: true } }))).status).toBe(403)
      expect((await put(id, change(['locale', '__proto__', 'constructor'], { locale: 'de' }))).status).toBe(400)
      expect((await put(id, change(['locale'], { id: 1, locale: 'de' }))).status).toBe(400)
      expect(await product().db.selectFrom('users').selectAll().execute()).toEqual(before)
    })

    it('ignores fields that are not in the list', async () => {
      const id = await annId()
      expect((await put(id, change(['locale'], { locale: 'fr', hideDotfiles: true, perm: { admin: true } }))).status).toBe(200)
      expect(await product().account('ann')).toMatchObject({ locale: 'fr', hideDotfiles: false, perm: { admin: false } })
    })

    it('is not changed by invalid values', async () => {
      const id = await annId()
      for (const data of [{ locale: 1 }, { locale: 'x'.repeat(65) }, { locale: null }, {}])
        expect((await put(id, change(['locale'], data))).status).toBe(400)
      for (const data of [{ sorting: { by: 'owner', asc: true } }, { sorting: 'name' }, { sorting: [] }])
        expect((await put(id, change(['sorting'], data))).status).toBe(400)
      for (const body of [
        null,
        [],
        {},
        { what: 'settings', which: ['locale'], data: { locale: '' } },
        { what: 'user', which: 'locale', data: {} },
      ])
        expect((await put(id, body)).status).toBe(400)
      expect(await product().account('ann')).toMatchObject({ locale: '' })
    })
  })

  describe('another user’s record', () => {
    it('is accessible to administrators, and nobody else can detect it', async () => {
      const answers = await Promise.all(
        [1, 999_999].map(async (id) => {
          const get = await product().ask(`/api/users/${id}`, { who: 'ann' })
          const update = await put(id, change(['locale'], { locale: 'de' }))
          return [get.status, await get.text(), update.status, await update.text()]
        }),
      )
      expect(answers[0]?.[0]).toBe(403)
      expect(answers[0]).toEqual(answers[1] ?? [])
      expect((await product().account('root')).locale).toBe('')
    })

    it('is returned to administrators with its scope, or not found', async () => {
      expect(
        await product()
          .as('root')
          .users.get({ params: { id: String(await annId()) } }),
      ).toMatchObject({ username: 'ann', scope: '/' })
      for (const id of ['999999', '0', '-1', '1e3', '1.0', 'ann', '99999999999999999999', '2147483648', '%31%30%30', '+1'])
        expect([id, (await product().ask(`/api/users/${id}`, { who: 'root' })).status]).toEqual([id, 404])
    })
  })

  const MINUTES_MS = 60_000
  const GOOD = 'a new good password'
  const as = (who: string) => product().as(who)
  const create = (data: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    product().ask('/api/users', { method: 'POST', who: 'root', body: JSON.stringify({ what: 'user', which: [], data, ...more }) })
  const remove = (id: number | string, { who = 'root', body }: { who?: string; body?: string } = {}) =>
    product().ask(`/api/users/${id}`, { method: 'DELETE', who, body })
  const login = (username: string, password: string) =>
    product().ask('/api/login', { method: 'POST', body: JSON.stringify({ username, password }) })
  const people = () => product().db.selectFrom('users').selectAll().execute()
  const settings = async (more: Record<string, unknown>) => {
    const body = { ...(await as('root').settings.get({})), ...more }
    expect((await as('root').settings.update({ body })).status).toBe(200)
  }

  describe('administrators', () => {
    it('see all users in order, and never a password', async () => {
      const response = await product().ask('/api/users', { who: 'root' })
      const text = await response.text()
      expect(JSON.parse(text)).toMatchObject([
        { id: 1, username: 'root', password: '', scope: '/', disabled: false },
        { id: 2, username: 'ann', password: '' },
      ])
      expect(text).not.toMatch(/argon2|epoch/i)
    })

    it('create a user with the fields sent, and get the Location', async () => {
      const data = { id: 0, username: 'ben', password: GOOD, scope: 'teams/ben', perm: { create: true, publish: true } }
      const response = await create({ ...data, viewMode: '', sorting: { by: '', asc: true } })
      const { id } = await product().account('ben')
      expect([response.status, await response.text(), response.headers.get('location')]).toEqual([
        201,
        '201 Created\n',
        `/settings/users/${id}`,
      ])
      const rights = {
        admin: false,
        execute: false,
        create: true,
        rename: false,
        modify: false,
        delete: false,
        share: false,
        download: false,
      }
      expect(await as('root').users.get({ params: { id: String(id) } })).toMatchObject({
        scope: '/teams/ben',
        viewMode: 'list',
        sorting: { by: 'name', asc: true },
        perm: rights,
        commands: [],
        rules: [],
        redirectAfterCopyMove: false,
      })
      expect((await login('ben', GOOD)).status).toBe(200)
      expect(Object.keys(await product().snapshot())).toContain('/teams/ben')
    })

    it('cannot create a user from invalid fields', async () => {
      const before = [await people(), await product().snapshot()]
      const fine = { username: 'ben', password: GOOD, scope: '/' }
      const statuses: Record<string, number> = {}
      const bad: Record<string, Record<string, unknown>> = {
        'no name': { username: '' },
        'blank name': { username: '  ' },
        'no password': { password: '' },
        'short password': { password: 'x'.repeat(11) },
        'endless password': { password: 'x'.repeat(1025) },
        'number as name': { username: 1 },
        'NUL in scope': { scope: '/a\0b' },
        'private scope': { scope: '/.satchel/staging' },
        'rule that is no pattern': { rules: [{ regex: true, allow: false, path: '', regexp: { raw: '(' } }] },
        'right that is no switch': { perm: { admin: 'true' } },
        'share without download': { perm: { share: true } },
      }
      for (const [name, data] of Object.entries(bad)) statuses[name] = (await create({ ...fine, ...data })).status
      expect(statuses).toEqual(Object.fromEntries(Object.keys(bad).map((name) => [name, 400])))
      expect((await create(fine, { what: 'users' })).status).toBe(400)
      expect((await create(fine, { which: ['all'] })).status).toBe(400)
      expect((await create({ ...fine, username: 'ＡＮＮ' })).status).toBe(409)
      expect(await (await create({ ...fine, perm: { share: true } })).text()).toBe(
        '400 Bad Request (permission to share requires permission to download)\n',
      )
      expect([await people(), await product().snapshot()]).toEqual(before)
    })

    it('have password lengths counted in bytes, not characters', async () => {
      expect((await create({ username: 'ben', password: 'éééééé', scope: '/' })).status).toBe(201)
    })

    it('assign home folders by name if configured, and never the same twice (GHSA-7rc3-g7h6-22m7)', async () => {
      await settings({ createUserDir: true })
      const scopes: Record<string, string> = {}
      for (const [username, scope] of [
        ['Team x', '.'],
        ['zoë', ''],
        ['chosen', '/elsewhere'],
        ['whole', '/'],
      ] as const) {
        expect([username, (await create({ username, password: GOOD, scope })).status]).toEqual([username, 201])
        scopes[username] = (await product().account(username)).scope
      }
      expect(scopes).toEqual({ 'Team x': '/users/Team-x', zoë: '/users/zo-', chosen: '/elsewhere', whole: '/' })
      for (const username of ['team-X', 'Team/x', 'zo~', 'ZO-']) expect((await create({ username, password: GOOD })).status).toBe(409)
      for (const username of ['..', 'Ж', '...']) expect((await create({ username, password: GOOD })).status).toBe(400)
      expect(Object.keys(await product().snapshot()).filter((path) => path.startsWith('/users/'))).toEqual(['/users/Team-x', '/users/zo-'])
    })

    it('assign a home folder once to parallel new users', async () => {
      await settings({ createUserDir: true })
      const names = Array.from({ length: 8 }, (_, at) => `team${'/-+*~^%!'[at]}x`)
      const statuses = await Promise.all(names.map(async (username) => (await create({ username, password: GOOD })).status))
      expect(statuses.toSorted((a, b) => a - b)).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
    })

    it('move a user to a folder, which is created only if configured', async () => {
      const id = await annId()
      expect((await put(id, change(['scope'], { scope: '/not/made' }), 'root')).status).toBe(200)
      await settings({ createUserDir: true })
      expect((await put(id, change(['Scope'], { scope: 'teams/ann' }), 'root')).status).toBe(200)
      expect((await product().account('ann')).scope).toBe('/teams/ann')
      const before = await product().snapshot()
      expect(Object.keys(before)).toContain('/teams/ann')
      expect(Object.keys(before)).not.toContain('/not')
      for (const data of [
        { scope: '/.satchel/staging', username: 'ann' },
        { scope: '/fresh', username: 'ROOT' },
      ])
        expect((await put(id, change(['scope', 'username'], data), 'root')).status).toBeOneOf([400, 409])
      expect(await product().account('ann')).toMatchObject({ username: 'ann', scope: '/teams/ann' })
      expect(await product().snapshot()).toEqual(before)
    })

    it('replace a whole record; blanks keep password, scope and status', async () => {
      const id = await annId()
      const data = { id, username: 'anna', password: '', scope: '', perm: { download: true }, hideDotfiles: true, rules: null }
      for (const which of [[], ['all'], ['All']]) expect((await put(id, change(which, data), 'root')).status).toBe(200)
      expect(await as('root').users.get({ params: { id: String(id) } })).toMatchObject({
        username: 'anna',
        scope: '/',
        viewMode: 'list',
        sorting: { by: 'name', asc: false },
        hideDotfiles: true,
        perm: { download: true, create: false },
        rules: [],
      })
      expect((await login('anna', PASSWORD)).status).toBe(200)
      expect((await put(id, change([], { scope: '/' }), 'root')).status).toBe(400)
      expect((await put(id, change([], { username: '' }), 'root')).status).toBe(400)
      expect((await put(id, change(['username'], { username: 'ROOT' }), 'root')).status).toBe(409)
      expect((await put(999, change(['username'], { username: 'x' }), 'root')).status).toBe(404)
    })

    it('disable a user, which ends every session at once', async () => {
      const id = await annId()
      expect((await product().ask('/api/resources/', { who: 'ann' })).status).toBe(200)
      expect((await put(id, change(['disabled'], { disabled: true }), 'root')).status).toBe(200)
      expect((await product().ask('/api/resources/', { who: 'ann' })).status).toBe(401)
      expect((await login('ann', PASSWORD)).status).toBe(403)
      expect((await put(id, change([], { username: 'ann', perm: {} }), 'root')).status).toBe(200)
      expect((await product().account('ann')).disabled).toBe(true)
    })

    it('never have a locked password', async () => {
      const id = await annId()
      const admin = { perm: { admin: true }, lockPassword: true }
      expect((await put(id, change(['lockPassword'], { lockPassword: true }), 'root')).status).toBe(200)
      expect((await put(id, change(['perm'], admin), 'root')).status).toBe(200)
      expect(await product().account('ann')).toMatchObject({ lockPassword: false, perm: { admin: true } })
      expect((await put(id, change(['lockPassword'], admin), 'root')).status).toBe(200)
      expect((await product().account('ann')).lockPassword).toBe(false)
    })

    it('cannot delete, disable or demote the last one', async () => {
      const before = await people()
      expect((await remove(1)).status).toBe(403)
      expect((await put(1, change(['perm'], { perm: {} }), 'root')).status).toBe(403)
      expect((await put(1, change(['disabled'], { disabled: true }), 'root')).status).toBe(403)
      expect((await put(1, change([], { username: 'root' }), 'root')).status).toBe(403)
      expect(await people()).toEqual(before)
    })

    it('delete a user, whose sessions end and whose files are kept (R12)', async () => {
      await product().seed({ '/ann.txt': 'hers' })
      const id = await annId()
      await as('ann').users.get({ params: { id: String(id) } })
      expect((await remove(id, { body: '{"current_password":1}' })).status).toBe(400)
      expect((await remove(id, { body: '{' })).status).toBe(400)
      expect((await remove(id)).status).toBe(200)
      expect((await product().ask('/api/resources/', { who: 'ann' })).status).toBe(401)
      expect(await product().read('/ann.txt')).toBe('hers')
      expect((await remove(id)).status).toBe(404)
      expect((await remove('x')).status).toBe(404)
    })
  })

  describe('one’s own password', () => {
    it('ends all other sessions when it is changed', async () => {
      const [id, elsewhere] = [await annId(), await product().signIn('ann')]
      expect((await put(id, change(['Password'], { password: GOOD }))).status).toBe(200)
      const answer = await product().ask('/api/resources/', { who: 'ann' })
      expect([answer.status, answer.headers.get('x-renew-token')]).toEqual([200, 'true'])
      expect((await product().ask('/api/resources/', { headers: { 'x-auth': elsewhere } })).status).toBe(401)
      expect([(await login('ann', PASSWORD)).status, (await login('ann', GOOD)).status]).toEqual([403, 200])
      expect((await product().ask('/api/renew', { method: 'POST', who: 'ann' })).status).toBe(200)
    })

    it('cannot be changed to one that is too short, or if it is locked', async () => {
      const id = await annId()
      for (const password of ['', 'short', 7]) expect((await put(id, change(['password'], { password }))).status).toBe(400)
      await put(id, change(['lockPassword'], { lockPassword: true }), 'root')
      expect((await put(id, change(['password'], { password: GOOD }))).status).toBe(403)
      expect((await put(id, change(['password'], { password: GOOD }), 'root')).status).toBe(200)
      expect((await product().ask('/api/resources/', { who: 'ann' })).status).toBe(401)
    })
  })

  describe('reauthentication', () => {
    const NEW: Record<string, unknown> = {
      username: 'other',
      password: GOOD,
      scope: '/other',
      perm: { admin: true },
      commands: ['sh'],
      rules: [{ regex: false, allow: false, path: '/x', regexp: null }],
      lockPassword: true,
      disabled: true,
    }

    it('is required for each sensitive change, in any spelling (GHSA-hxw8-4h9j-hq2r, R1)', async () => {
      const id = await annId()
      await as('root').users.list({})
      product().pass(6 * MINUTES_MS)
      const whole = { ...(await as('root').users.get({ params: { id: String(id) } })) }
      const before = await people()
      const answers = new Set<string>()
      for (const [name, value] of Object.entries(NEW))
        for (const which of [
          [name],
          [name.slice(0, 1).toUpperCase() + name.slice(1)],
          ['locale', name, name],
          [],
          ['all'],
          ['All', 'locale'],
        ])
          for (const proof of [{}, { current_password: '' }]) {
            const response = await put(id, { ...change(which, { ...whole, [name]: value }), ...proof }, 'root')
            answers.add(`${response.status} ${await response.text()}`)
          }
      expect([...answers]).toEqual(['403 {"code":"proof-needed","detail":{}}'])
      expect((await create({ username: 'ben', password: GOOD, scope: '/ben' })).status).toBe(403)
      expect((await remove(id)).status).toBe(403)
      expect(await people()).toEqual(before)
    })

    it('needs the caller’s own password, and is valid once', async () => {
      const id = await annId()
      await as('root').users.list({})
      await put(id, change(['password'], { password: GOOD }), 'root')
      product().pass(6 * MINUTES_MS)
      const rename = (current_password: string) => put(id, { ...change(['username'], { username: 'anna' }), current_password }, 'root')
      expect([(await rename('wrong')).status, (await rename(GOOD)).status, (await rename(PASSWORD)).status]).toEqual([403, 403, 200])
      expect((await remove(id)).status).toBe(403)
      expect((await remove(id, { body: JSON.stringify({ current_password: PASSWORD }) })).status).toBe(200)
    })

    it('cannot be brute-forced (R8)', async () => {
      const id = await annId()
      await as('ann').users.get({ params: { id: String(id) } })
      product().pass(6 * MINUTES_MS)
      product().stopClock()
      const statuses = new Set<number>()
      for (let guess = 0; guess < 20; guess += 1)
        statuses.add((await put(id, { ...change(['password'], { password: GOOD }), current_password: `guess ${guess}` })).status)
      expect([...statuses]).toEqual([403, 429])
    })

    it('is not required for harmless changes or an unchanged record', async () => {
      const id = await annId()
      await Promise.all([as('ann').users.get({ params: { id: String(id) } }), as('root').users.list({})])
      product().pass(6 * MINUTES_MS)
      expect((await put(id, change(['locale', 'hideDotfiles'], { locale: 'de', hideDotfiles: true }))).status).toBe(200)
      const whole = await as('root').users.get({ params: { id: String(id) } })
      expect((await put(id, change([], { ...whole, singleClick: true }), 'root')).status).toBe(200)
    })
  })
})

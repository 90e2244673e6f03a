import { beforeEach, describe, expect, it } from 'bun:test'
import { isWellFormedToken } from '../../src/server/tokens/token-format.ts'
import { MAX_API_TOKENS } from '../../src/shared/contract/tokens.ts'
import { parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import { ALL_RIGHTS, NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { basic, bearer, clientWith, makeToken, type MadeToken, only } from './token-world.ts'
import { EVERYTHING, HOUR_MS, onEachStorage, PASSWORD, withToken } from './world.ts'

const LIST = '/api/resources/'
const FOREIGN = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }

onEachStorage((product) => {
  let made: MadeToken
  beforeEach(async () => {
    await product().seed({ '/a.txt': 'a', '/inbox/b.txt': 'b', '/inbox/deep/c.txt': 'c' })
    made = await makeToken(product(), 'ann')
  })
  const statusBy = async (headers: Record<string, string>, address = LIST) => (await product().ask(address, { headers })).status
  const statusOf = (token: string) => statusBy({ 'x-auth': token })

  describe('a token', () => {
    it('is shown once, and only its hash is kept', async () => {
      expect(made.token).toMatch(/^satchel_[0-9A-Za-z]{46}$/)
      expect(isWellFormedToken(made.token)).toBe(true)
      const listed = await product().as('ann').tokens.list({})
      expect(listed).toEqual([{ ...made, token: undefined } as never])
      const stored = JSON.stringify(await product().db.selectFrom('api_tokens').selectAll().execute())
      expect(stored).not.toContain(made.token.slice('satchel_'.length))
      expect(JSON.stringify(listed)).not.toContain('hash')
      await product().world.trail.settled()
      expect(JSON.stringify(await product().db.selectFrom('audit').selectAll().execute())).not.toContain(made.token)
      expect(product().logged.join('\n')).not.toContain(made.token)
    })

    it('counts in X-Auth, as Bearer, and as the password of Basic with the name of its user', async () => {
      expect(await statusOf(made.token)).toBe(200)
      expect(await statusBy(bearer(made.token))).toBe(200)
      expect(await statusBy({ authorization: `bearer  ${made.token}` })).toBe(200)
      expect(await statusBy(basic('ann', made.token))).toBe(200)
      expect(await statusBy(basic('ANN', made.token))).toBe(200)
      expect(await statusBy(basic('root', made.token))).toBe(401)
    })

    it('counts neither in an address nor in a cookie (GHSA-rmwh-g367-mj4x)', async () => {
      const cookies = ['satchel', 'auth'].map((name) => ({ cookie: `${name}=${made.token}` }))
      for (const headers of cookies) expect(await statusBy(headers)).toBe(401)
      for (const name of ['auth', 'token', 'access_token'])
        expect((await product().ask(`/api/raw/a.txt?${name}=${made.token}`)).status).toBe(401)
    })

    it('is no password for signing in, and an account’s password is none for Basic', async () => {
      const body = JSON.stringify({ username: 'ann', password: made.token })
      expect((await product().ask('/api/login', { method: 'POST', body })).status).toBe(403)
      expect(await statusBy(basic('ann', PASSWORD))).toBe(401)
    })

    it('leaves alone what a proxy in front sends: that is no token of ours', async () => {
      const session = await product().tokenOf('ann')
      expect(await statusBy({ 'x-auth': session, ...basic('proxy', 'secret') })).toBe(200)
      expect(await statusBy({ 'x-auth': session, ...bearer('eyJhbGciOi.x.y') })).toBe(200)
      const { token, cookie } = await product().signInWeb('ann')
      expect(await statusBy({ 'x-auth': token, cookie, ...basic('proxy', 'secret') })).toBe(200)
    })

    it('is refused with 401 and WWW-Authenticate where it is wrong, on links too (GHSA-4wmj-rq3c-m65v)', async () => {
      const { hash } = await product()
        .as('ann')
        .shares.create({ params: { path: at('/a.txt') }, body: '' })
      const wrong = `${made.token.slice(0, -1)}${made.token.endsWith('0') ? '1' : '0'}`
      await product()
        .as('ann')
        .tokens.remove({ params: { id: made.id } })
      for (const token of [wrong, made.token, 'satchel_']) {
        for (const address of [LIST, `/api/public/share/${hash}`]) {
          const response = await product().ask(address, { headers: { ...bearer(token), accept: 'application/json' } })
          expect([response.status, await response.json()]).toEqual([401, { code: 'invalid-token', detail: {} }])
          expect(response.headers.get('www-authenticate')).toBe('Bearer realm="Satchel", error="invalid_token"')
        }
      }
    })

    it('is sent by Basic for pages of another origin by no browser: such requests are refused (A2)', async () => {
      expect(await statusBy({ ...basic('ann', made.token), ...FOREIGN })).toBe(401)
      const init = { method: 'POST', headers: { ...basic('ann', made.token), ...FOREIGN }, body: 'x' }
      expect((await product().ask('/api/resources/new.txt', init)).status).toBe(403)
      expect((await product().ask(LIST)).headers.get('www-authenticate') ?? '').not.toContain('Basic')
      // A page that has the token itself may send it.
      expect(await statusBy({ ...bearer(made.token), ...FOREIGN })).toBe(200)
    })
  })

  describe('making a token', () => {
    it('needs a recent proof of identity', async () => {
      product().pass(0.5 * HOUR_MS)
      const create = (current_password?: string) =>
        product()
          .as('ann')
          .tokens.create({ body: { name: 'late', perm: only('download'), ...(current_password && { current_password }) } })
      await expect(create()).rejects.toMatchObject({ code: 'proof-needed' })
      await expect(create('wrong')).rejects.toMatchObject({ code: 'proof-needed' })
      expect((await create(PASSWORD)).name).toBe('late')
    })

    it('is impossible with a token, as is every proof of identity: a token cannot outlive itself (GHSA-7xwp-2cpp-p8r7)', async () => {
      await product().world.settings.change((before) => ({ ...before, compatibility: true }))
      const root = await makeToken(product(), 'root', { perm: ALL_RIGHTS })
      const client = clientWith(product(), root.token)
      const create = client.tokens.create({ body: { name: 'heir', perm: only('download'), current_password: PASSWORD } })
      await expect(create).rejects.toMatchObject({ code: 'forbidden', detail: { right: 'token' } })
      const settings = await client.settings.get({})
      const signUp = client.settings.update({ body: { ...settings, signup: true, current_password: PASSWORD } })
      await expect(signUp).rejects.toMatchObject({ code: 'forbidden', detail: { right: 'token' } })
      const looks = client.settings.update({ body: { ...settings, branding: { ...settings.branding, name: 'Ours' } } })
      expect((await looks).status).toBe(200)
    })

    it('gives no right that its user does not have', async () => {
      await product().setRights('ann', { ...NO_RIGHTS, download: true })
      for (const right of ['admin', 'execute', 'create'] as const)
        await expect(makeToken(product(), 'ann', { perm: only(right) })).rejects.toMatchObject({ code: 'forbidden' })
    })

    it('refuses a folder that is not there, and what is wrong with it', async () => {
      const making = (input: object) => makeToken(product(), 'ann', input)
      await expect(making({ folder: '/none' })).rejects.toMatchObject({ code: 'not-found' })
      await expect(making({ folder: '/a.txt' })).rejects.toMatchObject({ code: 'not-found' })
      for (const input of [
        { folder: '/inbox/../..' },
        { name: ' ' },
        { name: 'x'.repeat(101) },
        { expires: 1 },
        { expires: 9e15 },
        { perm: { create: true, execute: true }, folder: '/inbox' },
      ])
        await expect(making(input)).rejects.toMatchObject({ code: 'invalid-input' })
    })

    it('is possible a hundred times for one person, also at the same moment', async () => {
      const { id, username } = await product().account('ann')
      const maker = { by: { id, name: username }, address: null }
      const input = { name: 'many', perm: only('download'), folder: '/', expires: null }
      const all = Array.from({ length: MAX_API_TOKENS + 5 }, () =>
        product().world.tokens.create({ id, username, may: EVERYTHING }, input, maker),
      )
      const outcomes = await Promise.allSettled(all)
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(6)
      expect(await product().as('ann').tokens.list({})).toHaveLength(MAX_API_TOKENS)
    })
  })

  describe('a token reaches', () => {
    it('its folder only, under addresses that begin there', async () => {
      const { token } = await makeToken(product(), 'ann', { folder: '/inbox' })
      const client = clientWith(product(), token)
      const folder: unknown = await client.resources.get({ params: { path: ROOT } })
      expect(folder).toMatchObject({ items: [{ name: 'deep' }, { name: 'b.txt' }] })
      for (const path of ['/a.txt', '/inbox/b.txt'])
        await expect(client.resources.get({ params: { path: at(path) } })).rejects.toMatchObject({ code: 'not-found' })
      await client.resources.upload({ params: { path: at('/new.txt') }, body: 'new' })
      expect(await product().read('/inbox/new.txt')).toBe('new')
      const copy = { params: { path: at('/b.txt') }, query: { action: 'copy' as const, destination: '/../out.txt' } }
      await expect(client.resources.transfer(copy)).rejects.toMatchObject({ code: 'invalid-input' })
    })

    it('nothing through a link out of its folder', async () => {
      await product().link('inbox/out', '../a.txt')
      const { token } = await makeToken(product(), 'ann', { folder: '/inbox' })
      expect(await statusBy(bearer(token), '/api/raw/out')).not.toBe(200)
    })

    it('what its user may reach at that moment: rules and rights count at once', async () => {
      const before = await product().ask('/api/raw/a.txt', withToken({}, made.token))
      expect(before.status).toBe(200)
      await product().setRules('ann', [{ regex: false, allow: false, path: '/a.txt', regexp: null }])
      expect(await statusBy(bearer(made.token), '/api/raw/a.txt')).toBe(404)
      await product().setRights('ann', { ...EVERYTHING, download: false })
      expect(await statusBy(bearer(made.token), '/api/raw/inbox/b.txt')).toBe(202)
    })

    it('by a link no more than itself, also when a link is changed (NC-SA-2017-001)', async () => {
      const { token } = await makeToken(product(), 'ann', { perm: only('share', 'download') })
      const client = clientWith(product(), token)
      const path = at('/inbox')
      const link = await client.shares.create({ params: { path }, body: '' })
      await expect(client.shares.create({ params: { path }, body: '{"rights":"edit"}' })).rejects.toMatchObject({ code: 'forbidden' })
      const change = client.shares.change({ params: { hash: link.hash }, body: { rights: 'drop' } })
      await expect(change).rejects.toMatchObject({ code: 'forbidden', detail: { right: 'create' } })
    })

    it('an upload of its own, and none of another token or of its user', async () => {
      const one = await makeToken(product(), 'ann', { folder: '/inbox' })
      const other = await makeToken(product(), 'ann', { folder: '/inbox' })
      const params = { path: at('/film.bin') }
      const query = { upload: 'mine' }
      await clientWith(product(), one.token).tus.create({ params, query, headers: { 'upload-length': '4' } })
      for (const token of [other.token, await product().tokenOf('ann')])
        for (const address of ['/api/tus/film.bin?upload=mine', '/api/tus/film.bin'])
          expect((await product().ask(address, withToken({ method: 'HEAD' }, token))).status).toBe(404)
      expect(await product().as('ann').tus.unfinished({})).toEqual([])
      const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
      await clientWith(product(), one.token).tus.append({ params, query, headers, body: 'film' })
      expect(await product().read('/inbox/film.bin')).toBe('film')
    })
  })
})

describe('lists of tokens', () => {
  onEachStorage((product) => {
    it('are one’s own; administrators see and revoke everybody’s', async () => {
      const mine = await makeToken(product(), 'ann')
      const root = product().as('root')
      const theirs = await makeToken(product(), 'root', { name: 'root’s' })
      const ann = product().as('ann')
      expect((await ann.tokens.list({})).map(({ id }) => id)).toEqual([mine.id])
      const annId = String(mine.userID)
      expect((await ann.tokens.list({ query: { user: annId } })).map(({ id }) => id)).toEqual([mine.id])
      await expect(ann.tokens.list({ query: { all: 'true' } })).rejects.toMatchObject({ code: 'forbidden' })
      await expect(ann.tokens.list({ query: { user: String(theirs.userID) } })).rejects.toMatchObject({ code: 'forbidden' })
      await expect(ann.tokens.remove({ params: { id: theirs.id } })).rejects.toMatchObject({ code: 'not-found' })
      expect((await root.tokens.list({ query: { all: 'true' } })).map(({ username }) => username).toSorted()).toEqual(['ann', 'root'])
      expect((await root.tokens.list({ query: { user: annId } })).map(({ id }) => id)).toEqual([mine.id])
      await root.tokens.remove({ params: { id: mine.id } })
      expect(await ann.tokens.list({})).toEqual([])
      await expect(root.tokens.remove({ params: { id: mine.id } })).rejects.toMatchObject({ code: 'not-found' })
    })
  })
})

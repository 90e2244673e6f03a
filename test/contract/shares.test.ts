import { describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import * as z from 'zod/mini'
import { SharedFolder, SharedResource } from '../../src/shared/contract/public.ts'
import { ROWS_MEDIA_TYPE } from '../../src/shared/contract/resources.ts'
import { Share, type ShareInput } from '../../src/shared/contract/shares.ts'
import { deny, EVERYTHING, HOUR_MS, onEachStorage, PASSWORD, type Product } from './world.ts'

const TREE = {
  '/docs/a.txt': 'the text of a',
  '/docs/sub/b.txt': 'the text of b',
  '/docs/.hidden': 'hidden',
  '/docs/private/key.txt': 'the key',
  '/docs-old/x.txt': 'old',
  '/other.txt': 'other',
}

onEachStorage((product) => {
  describe('creating links', () => {
    it('returns eight characters, the owner and the shared path, but no secret (GHSA-833g-cqhp-h72j)', async () => {
      await product().seed(TREE)
      const share = await make(product(), '/docs', { password: ' open sesame ', expires: '2', unit: 'days' })
      const { id } = await product().account('ann')
      expect(share.hash).toMatch(/^[\w-]{8}$/)
      expect(share).toMatchObject({ hash: share.hash, path: '/docs/', userID: id, expire: expect.any(Number), hasPassword: true })
      expect(JSON.stringify(share)).not.toContain('sesame')
      const lists = await Promise.all(['/api/shares', '/api/share/docs', '/api/share/docs/'].map((path) => text(product(), path, 'ann')))
      const row = await product().db.selectFrom('shares').selectAll().executeTakeFirstOrThrow()
      for (const list of lists) {
        expect(JSON.parse(list)).toEqual([share])
        expect(list).not.toContain(row.password_hash ?? 'none')
        expect(list).not.toContain('token')
      }
      expect(product().logged.join()).not.toContain('sesame')
    })

    it('prefers the body to the query, and accepts numbers as text', async () => {
      await product().seed(TREE)
      const now = Math.floor(Date.now() / 1000)
      const expireOf = async (query: string, body: string) =>
        Share.parse(await (await product().ask(`/api/share/docs${query}`, { method: 'POST', body, who: 'ann' })).json()).expire
      expect(await expireOf('?expires=1&unit=days', '{"expires":30,"unit":"minutes"}')).toBeWithin(now + 1800, now + 1830)
      expect(await expireOf('?expires=1&unit=days', '')).toBeWithin(now + 86_400, now + 86_430)
      expect(await expireOf('?expires=10', '{}')).toBeWithin(now + 36_000, now + 36_030)
      expect(await expireOf('', '{"expires":"2147483647","unit":"days"}')).toBeGreaterThan(1e14)
      for (const body of ['', '{}', '{"expires":""}', '{"expires":"0"}', '{"expires":0,"password":""}', '{"expires":null}'])
        expect(await expireOf('', body)).toBe(0)
    })

    it('rejects invalid durations, and creates nothing (R12)', async () => {
      await product().seed(TREE)
      for (const expires of ['-1', '2147483648', 'abc', '1.5', '1e3', 'Infinity', '0x10']) {
        const response = await product().ask('/api/share/docs', { method: 'POST', body: JSON.stringify({ expires }), who: 'ann' })
        expect([expires, response.status]).toEqual([expires, 400])
      }
      for (const body of ['{', '[]', '"x"', '{"password":7}', '{"expires":{}}'])
        expect((await product().ask('/api/share/docs', { method: 'POST', body, who: 'ann' })).status).toBe(400)
      expect(await product().as('ann').shares.mine({})).toEqual([])
    })

    it('lists permanent links first, then by expiry; administrators see those of all users', async () => {
      await product().seed(TREE)
      await product().add('ben')
      await make(product(), '/docs', { expires: 5 })
      await make(product(), '/docs', { expires: 2 })
      await make(product(), '/docs', {})
      await make(product(), '/other.txt', { expires: 3 }, 'ben')
      const order = (shares: Share[]) =>
        shares.map(({ expire }) => Math.round((expire - Date.now() / 1000) / 3600)).map((hours) => Math.max(0, hours))
      expect(order(await product().as('ann').shares.mine({}))).toEqual([0, 2, 5])
      expect(order(await product().as('root').shares.mine({}))).toEqual([0, 2, 3, 5])
      expect(
        await product()
          .as('ben')
          .shares.ofPath({ params: { path: at('/docs') } }),
      ).toEqual([])
      expect(
        await product()
          .as('root')
          .shares.ofPath({ params: { path: at('/docs') } }),
      ).toHaveLength(3)
    })

    it('refuses nodes that are missing, hidden or outside the scope (GHSA-3q2p-72cj-682c)', async () => {
      await product().seed({ ...TREE, '/home/mine.txt': 'mine' })
      await product().add('ben', { scope: '/home', rules: [deny('/no')] })
      await product().seed({ '/home/no/x': 'x' })
      await product().link('/home/out', '../docs')
      await product().link('/home/dangling', 'nothing')
      for (const path of ['/future.pdf', '/no', '/no/x', '/out', '/out/a.txt', '/dangling', '/.satchel', '/mine.txt/x'])
        expect([path, (await product().ask(`/api/share${path}`, { method: 'POST', who: 'ben' })).status]).toEqual([path, 404])
    })
  })

  describe('opening a link', () => {
    it('shows the shared folder as a root, sorted by name, without content', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), '/docs')
      const folder = await open(product(), hash)
      expect(folder).toMatchObject({ name: 'docs', path: '/', isDir: true, sorting: { by: 'name', asc: false } })
      expect(names(folder)).toEqual(['private', 'sub', '.hidden', 'a.txt'])
      expect(SharedFolder.parse(folder).items.map(({ path }) => path)).toContain('/a.txt')
      expect(await open(product(), `${hash}/sub/`)).toMatchObject({ name: 'sub', path: '/sub/' })
      expect(await open(product(), `${hash}/a.txt`)).toMatchObject({ name: 'a.txt', size: 13, isDir: false })
      expect(JSON.stringify(await open(product(), `${hash}/a.txt`))).not.toContain('the text of a')
    })

    it('returns a shared file whatever follows the hash (GHSA-pxvw-4w88-6x95)', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), '/docs/a.txt')
      expect(await open(product(), hash)).toMatchObject({ name: 'a.txt', path: '', size: 13 })
      for (const pretty of ['', '/', '/a.txt', '/any%20name', '/x/y']) {
        const response = await product().ask(`/api/public/dl/${hash}${pretty}`)
        expect([pretty, response.status, await response.text()]).toEqual([pretty, 200, 'the text of a'])
        expect(response.headers.get('content-disposition')).toContain("attachment; filename*=utf-8''a.txt")
      }
    })

    it('never shows the parent or a sibling, in any spelling (GHSA-mr74-928f-rw69)', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), '/docs')
      for (const path of [
        '../other.txt',
        '%2e%2e/other.txt',
        '..%2fother.txt',
        '%252e%252e/other.txt',
        '/docs-old/x.txt',
        '..',
        './../docs-old/x.txt',
      ]) {
        for (const call of ['share', 'dl', 'subtitle']) {
          const response = await product().ask(`/api/public/${call}/${hash}/${path}`)
          const body = await response.text()
          expect([path, call, response.ok && /other|old/.test(body)]).toEqual([path, call, false])
        }
      }
    })

    it('applies the owner’s rules and hidden files below the shared folder (GHSA-j9jx-hp4c-ghhh)', async () => {
      await product().seed(TREE)
      await product().add('ben', {
        rules: [deny('/docs/private'), { regex: true, allow: false, path: '', regexp: { raw: 'b\\.txt$' } }],
        hideDotfiles: true,
      })
      const { hash } = await make(product(), '/docs', {}, 'ben')
      expect(names(await open(product(), hash))).toEqual(['sub', 'a.txt'])
      for (const path of ['private', 'private/key.txt', 'sub/b.txt', '.hidden'])
        for (const call of ['share', 'dl']) expect((await product().ask(`/api/public/${call}/${hash}/${path}`)).status).toBe(404)
      await product().setRules('ben', [deny('/docs')])
      expect((await product().ask(`/api/public/share/${hash}`)).status).toBe(404)
    })

    it('does not follow links out of the shared folder (GHSA-239w-m3h6-ch8v)', async () => {
      await product().seed(TREE)
      await product().link('/docs/out', '../other.txt')
      await product().link('/docs/up', '..')
      const { hash } = await make(product(), '/docs')
      for (const path of ['out', 'up/other.txt', 'up/docs-old/x.txt'])
        for (const call of ['share', 'dl']) {
          const response = await product().ask(`/api/public/${call}/${hash}/${path}`)
          expect([path, call, (await response.text()).includes('other') && response.ok && call === 'dl']).toEqual([path, call, false])
        }
      expect((await product().ask(`/api/public/dl/${hash}/up/other.txt`)).status).toBe(404)
    })

    it('accepts only GET and HEAD', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), '/docs')
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        for (const call of ['share', 'dl', 'subtitle'])
          expect((await product().ask(`/api/public/${call}/${hash}/a.txt`, { method })).status).toBe(405)
      expect(await product().read('/docs/a.txt')).toBe('the text of a')
    })
  })

  describe('a password', () => {
    it('is requested with 401 if missing or wrong, and may use any script', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), '/docs', { password: 'пароль 日本' })
      const ask = (password?: string) =>
        product().ask(`/api/public/share/${hash}`, password === undefined ? {} : { headers: { 'x-share-password': password } })
      expect((await ask()).status).toBe(401)
      for (const wrong of ['', 'x', '%', '%ff', encodeURIComponent('пароль')]) expect((await ask(wrong)).status).toBe(401)
      const opened = await ask(encodeURIComponent('пароль 日本'))
      expect(opened.status).toBe(200)
      expect(await tokenIn(opened)).toMatch(/^[\w-]{43}$/)
      for (const call of ['dl', 'subtitle']) expect((await product().ask(`/api/public/${call}/${hash}/a.txt`)).status).toBe(401)
    })

    it('returns a ticket that expires, is stored as a hash, and is in no URL (GHSA-3v48-283x-f2w4)', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), '/docs', { password: 'pass' })
      const opened = await product().ask(`/api/public/share/${hash}`, { headers: { 'x-share-password': 'pass' } })
      const token = await tokenIn(opened)
      const cookie = opened.headers.get('set-cookie') ?? ''
      expect(cookie).toContain('HttpOnly; SameSite=Lax')
      expect(cookie).toContain('Path=/api/public;')
      const row = await product().db.selectFrom('share_tickets').selectAll().executeTakeFirstOrThrow()
      expect(JSON.stringify(row)).not.toContain(token)
      const byToken = () => product().ask(`/api/public/dl/${hash}/a.txt?token=${token}`)
      const byCookie = () => product().ask(`/api/public/dl/${hash}/a.txt`, { headers: { cookie: cookie.split(';')[0] ?? '' } })
      expect(await (await byToken()).text()).toBe('the text of a')
      expect(await (await byCookie()).text()).toBe('the text of a')
      product().pass(9 * 60_000)
      expect((await byToken()).status).toBe(200)
      product().pass(9 * 60_000)
      expect((await byCookie()).status).toBe(200)
      product().pass(11 * 60_000)
      expect((await byToken()).status).toBe(401)
      expect((await byCookie()).status).toBe(401)
      expect(product().logged.join()).not.toContain(token)
    })

    it('returns the ticket with a folder in both forms, so that a page can keep it', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), '/docs', { password: 'pass' })
      for (const accept of ['application/json', ROWS_MEDIA_TYPE]) {
        const opened = await product().ask(`/api/public/share/${hash}`, { headers: { accept, 'x-share-password': 'pass' } })
        expect(await tokenIn(opened)).toMatch(/^[\w-]{43}$/)
      }
    })

    it('of one link opens no other link', async () => {
      await product().seed(TREE)
      const first = await make(product(), '/docs', { password: 'pass' })
      const second = await make(product(), '/other.txt', { password: 'pass' })
      const token = await tokenIn(await product().ask(`/api/public/share/${first.hash}`, { headers: { 'x-share-password': 'pass' } }))
      expect((await product().ask(`/api/public/dl/${second.hash}?token=${token}`)).status).toBe(401)
    })

    it('redirects browsers to the password page if it is missing', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), '/docs', { password: 'pass' })
      const response = await product().ask(`/api/public/dl/${hash}`, { headers: { 'sec-fetch-mode': 'navigate' }, redirect: 'manual' })
      expect([response.status, response.headers.get('location')]).toEqual([302, `/share/${hash}/`])
    })

    it('cannot be guessed at speed, and guesses do not lock out its owner elsewhere (R8)', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), '/docs', { password: 'pass' })
      const other = await make(product(), '/other.txt', { password: 'pass' })
      product().stopClock()
      const statuses = await Promise.all(
        Array.from(
          { length: 100 },
          async (_, n) => (await product().ask(`/api/public/share/${hash}`, { headers: { 'x-share-password': `no${n}` } })).status,
        ),
      )
      expect(statuses.filter((status) => status === 401).length).toBeLessThan(20)
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(80)
      expect((await product().ask(`/api/public/share/${other.hash}`)).status).toBe(401)
      expect(await product().signIn('ann')).toContain('.')
    })
  })

  describe('a link ends', () => {
    it('when it expires, and is then not found', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), '/docs', { expires: 1 })
      expect((await product().ask(`/api/public/share/${hash}`)).status).toBe(200)
      product().pass(HOUR_MS)
      const [ended, never] = await Promise.all([hash, 'neverwas'].map((one) => text(product(), `/api/public/share/${one}`)))
      expect((await product().ask(`/api/public/share/${hash}`)).status).toBe(404)
      expect(ended).toBe(never ?? '')
      expect(await product().as('ann').shares.mine({})).toEqual([])
      await product().world.tidy()
      expect(await product().db.selectFrom('shares').selectAll().execute()).toEqual([])
    })

    it('when its owner is disabled, deleted, or loses the share or download permission (GHSA-v9w4-gm2x-6rvf, GHSA-68j5-4m99-w9w9, R12)', async () => {
      await product().seed(TREE)
      const { id } = await product().add('ben')
      const { hash } = await make(product(), '/docs', {}, 'ben')
      const status = async (call: string) => (await product().ask(`/api/public/${call}/${hash}/a.txt`)).status
      await product().setRights('ben', { ...EVERYTHING, share: false })
      expect([await status('share'), await status('dl')]).toEqual([404, 404])
      await product().setRights('ben', { ...EVERYTHING, download: false })
      expect(await status('dl')).toBe(404)
      await product().setRights('ben', EVERYTHING)
      expect([await status('share'), await status('dl')]).toEqual([200, 200])
      await product().world.users.setDisabled(id, { disabled: true })
      expect([await status('share'), await status('dl')]).toEqual([404, 404])
      await product().world.users.setDisabled(id, { disabled: false })
      expect(await status('dl')).toBe(200)
      await product().world.users.remove(id)
      expect([await status('share'), await status('dl')]).toEqual([404, 404])
    })

    it('when its target is deleted, with and without a trailing slash (GHSA-r6pg-pg54-rcr5, GHSA-pp88-jhwj-5qh5)', async () => {
      await product().add('ben')
      for (const slash of ['', '/']) {
        await product().seed(TREE)
        const inside = await make(product(), '/docs/sub')
        const { hash } = await make(product(), '/docs')
        expect((await product().ask(`/api/resources/docs${slash}`, { method: 'DELETE', who: 'ben' })).status).toBe(200)
        await product().seed(TREE)
        for (const one of [hash, inside.hash]) expect((await product().ask(`/api/public/share/${one}`)).status).toBe(404)
        expect((await product().as('ann').shares.mine({})).filter(({ inTrash }) => !inTrash)).toEqual([])
      }
    })

    it('but not when a node with a similar name is deleted (GHSA-5ww9-jg6q-38r7)', async () => {
      await product().seed({ ...TREE, '/doc': 'x', '/ben/docs/a.txt': 'his' })
      await product().add('ben', { scope: '/ben' })
      const { hash } = await make(product(), '/docs/sub')
      for (const [who, path] of [
        ['ann', 'doc'],
        ['ann', 'docs-old'],
        ['ben', 'docs'],
        ['ann', 'docs/a.txt'],
      ] as const)
        expect((await product().ask(`/api/resources/${path}`, { method: 'DELETE', who })).status).toBe(200)
      expect((await product().ask(`/api/public/share/${hash}`)).status).toBe(200)
    })

    it('when its target is replaced (GHSA-m8v4-4w34-rrvf)', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), '/docs/a.txt')
      await product().storage.remove(at('/docs/a.txt'))
      await product().seed({ '/docs/a.txt': 'a newcomer' })
      expect((await product().ask(`/api/public/dl/${hash}`)).status).toBe(404)
      // Nor does saving the newcomer bring it back.
      await product()
        .as('ann')
        .resources.save({ params: { path: at('/docs/a.txt') }, body: 'saved' })
      expect((await product().ask(`/api/public/dl/${hash}`)).status).toBe(404)
    })

    it('and is then listed as broken, not as a link to the replacement', async () => {
      await product().seed(TREE)
      const [lost, intact] = [await make(product(), '/docs/a.txt'), await make(product(), '/docs')]
      const ann = product().as('ann')
      const broken = async () => (await ann.shares.mine({})).filter((share) => share.broken).map(({ hash }) => hash)
      const ofFile = async () => (await ann.shares.ofPath({ params: { path: at('/docs/a.txt') } })).map(({ hash }) => hash)
      expect([await broken(), await ofFile(), lost.broken, intact.broken]).toEqual([[], [lost.hash], false, false])
      await product().storage.remove(at('/docs/a.txt'))
      expect(await broken()).toEqual([lost.hash])
      await product().seed({ '/docs/a.txt': 'a newcomer' })
      expect([await broken(), await ofFile()]).toEqual([[lost.hash], []])
      const own = await make(product(), '/docs/a.txt')
      expect([await broken(), await ofFile()]).toEqual([[lost.hash], [own.hash]])
      // Its owner can still end it.
      expect((await product().ask(`/api/share/${lost.hash}`, { method: 'DELETE', who: 'ann' })).status).toBe(200)
      expect(await broken()).toEqual([])
    })

    it('when its owner or an administrator deletes it, and nobody else can (GHSA-6cqf-cfhv-659g)', async () => {
      await product().seed(TREE)
      await product().add('ben')
      const remove = async (hash: string, who: string) => (await product().ask(`/api/share/${hash}`, { method: 'DELETE', who })).status
      const { hash } = await make(product(), '/docs')
      expect([await remove(hash, 'ben'), await remove('neverwas', 'ben')]).toEqual([404, 404])
      expect((await product().ask(`/api/public/share/${hash}`)).status).toBe(200)
      expect(await remove(hash, 'ann')).toBe(200)
      expect((await product().ask(`/api/public/share/${hash}`)).status).toBe(404)
      expect(await remove((await make(product(), '/docs')).hash, 'root')).toBe(200)
    })
  })

  describe('a link follows its target', () => {
    it('through saves and overwrites by the server', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), '/docs/a.txt')
      const content = async () => (await product().ask(`/api/public/dl/${hash}`)).text()
      const ann = product().as('ann')
      await ann.resources.save({ params: { path: at('/docs/a.txt') }, body: 'saved' })
      expect(await content()).toBe('saved')
      await ann.resources.upload({ params: { path: at('/docs/a.txt') }, query: { override: 'true' }, body: 'uploaded' })
      expect(await content()).toBe('uploaded')
      await ann.resources.transfer({
        params: { path: at('/other.txt') },
        query: { action: 'copy', destination: '/docs/a.txt', override: 'true' },
      })
      expect(await content()).toBe('other')
    })

    it('through renames and moves of it and its parents', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), '/docs/sub/b.txt')
      const folder = await make(product(), '/docs')
      const move = (from: string, destination: string) =>
        product()
          .as('ann')
          .resources.transfer({ params: { path: at(from) }, query: { action: 'rename', destination } })
      await move('/docs/sub', '/docs/moved')
      expect(await (await product().ask(`/api/public/dl/${hash}`)).text()).toBe('the text of b')
      await move('/docs', '/papers')
      expect(await (await product().ask(`/api/public/dl/${hash}`)).text()).toBe('the text of b')
      expect(await (await product().ask(`/api/public/dl/${folder.hash}/a.txt`)).text()).toBe('the text of a')
      // A new file with the old name is not the shared one.
      await product().seed({ '/docs/a.txt': 'a newcomer' })
      expect(names(await open(product(), folder.hash))).toContain('moved')
      expect((await product().as('ann').shares.mine({})).map(({ path }) => path).toSorted()).toEqual(['/papers/', '/papers/moved/b.txt'])
    })

    it('but not to a copy, and not out of its owner’s scope', async () => {
      await product().seed({ ...TREE, '/home/own.txt': 'own' })
      await product().add('ben', { scope: '/home' })
      const { hash } = await make(product(), '/own.txt', {}, 'ben')
      await product()
        .as('ann')
        .resources.transfer({ params: { path: at('/home/own.txt') }, query: { action: 'rename', destination: '/taken.txt' } })
      expect((await product().ask(`/api/public/dl/${hash}`)).status).toBe(404)
      expect(await product().as('ben').shares.mine({})).toMatchObject([{ hash, path: '/taken.txt', broken: true }])
    })

    it('across a restart', async () => {
      await product().seed(TREE)
      const { hash } = await make(product(), '/docs', { password: 'pass' })
      const token = await tokenIn(await product().ask(`/api/public/share/${hash}`, { headers: { 'x-share-password': 'pass' } }))
      product().restart()
      expect((await product().ask(`/api/public/dl/${hash}/a.txt?token=${token}`)).status).toBe(200)
    })
  })

  it('a link works without a session, and a session adds no access', async () => {
    await product().seed(TREE)
    const { hash } = await make(product(), '/docs', { password: 'pass' })
    expect((await product().ask(`/api/public/share/${hash}`, { who: 'root' })).status).toBe(401)
    expect(PASSWORD).not.toBe('pass')
  })
})

async function make(product: Product, path: string, wish: ShareInput = {}, who = 'ann'): Promise<Share> {
  return product.as(who).shares.create({ params: { path: at(path) }, body: JSON.stringify(wish) })
}

async function open(product: Product, address: string) {
  const response = await product.ask(`/api/public/share/${address}`)
  expect(response.status).toBe(200)
  return SharedResource.parse(await response.json())
}

async function tokenIn(response: Response): Promise<string> {
  return z.object({ token: z.string() }).parse(await response.json()).token
}

function names(resource: SharedResource): string[] {
  return SharedFolder.parse(resource).items.map(({ name }) => name)
}

async function text(product: Product, address: string, who?: string): Promise<string> {
  return (await product.ask(address, who === undefined ? {} : { who })).text()
}

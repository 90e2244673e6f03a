import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Rule } from '../../src/shared/contract/users.ts'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { createMemoryIndex, type MemoryIndex } from '../../src/server/index/test-memory-index.ts'
import { createLocalStorage } from '../../src/server/storage/local.ts'
import { basic, dav, type DavRequest, LOCK_BODY } from './dav-calls.ts'
import { deny, EVERYTHING, onEachStorage, PASSWORD, type Product, startProduct } from './world.ts'

setDefaultTimeout(60_000)

const ETAG = '<d:propfind xmlns:d="DAV:"><d:prop><d:getetag/></d:prop></d:propfind>'
const FAVOURITE =
  '<d:propertyupdate xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:set><d:prop><oc:favorite>1</oc:favorite></d:prop></d:set></d:propertyupdate>'

/** With the whole address, as the dialect has several. */
function ask(product: Product, call: string, options: DavRequest = {}): Promise<Response> {
  return dav(product, call, { at: '', ...options })
}

async function begin(product: Product, from?: { peer: string }): Promise<{ status: number; poll: string; id: string }> {
  const response = await product.ask('/index.php/login/v2', { method: 'POST', headers: { 'user-agent': 'client' }, ...(from && { from }) })
  if (!response.ok) return { status: response.status, poll: '', id: '' }
  const told = (await response.json()) as { poll: { token: string }; login: string }
  return { status: response.status, poll: told.poll.token, id: told.login.slice(told.login.lastIndexOf('/') + 1) }
}

async function poll(product: Product, token: string): Promise<number> {
  return (await product.ask('/index.php/login/v2/poll', { method: 'POST', body: new URLSearchParams({ token }) })).status
}

async function allow(product: Product, id: string, who = 'ann'): Promise<void> {
  await product.as(who).appSignIns.allow({ params: { id }, body: { current_password: PASSWORD } })
}

onEachStorage((product) => {
  const call = (what: string, options?: DavRequest) => ask(product(), what, options)
  const status = async (what: string, options?: DavRequest) => (await call(what, options)).status

  describe('a sign-in that was allowed and not fetched yet', () => {
    const ENDS: Readonly<Record<string, (id: number) => Promise<unknown>>> = {
      'the account was switched off, and on again': async (id) => {
        for (const disabled of [true, false]) await product().world.users.setDisabled(id, { disabled })
      },
      'an administrator set another password': (id) => change(id, { which: ['password'], data: { password: 'quite another one' } }),
      'its person signed out everywhere, tokens included': () =>
        product()
          .as('eve')
          .session.everywhere({ query: { tokens: 'true' } }),
    }
    const change = (id: number, { which, data }: { which: 'password'[]; data: Record<string, unknown> }) =>
      product()
        .as('root')
        .users.update({ params: { id: String(id) }, body: { what: 'user', which, data, current_password: PASSWORD } })

    for (const [says, end] of Object.entries(ENDS))
      it(`sync-attack-1: ends as tokens do when ${says}`, async () => {
        const { id: userId } = await product().add('eve')
        const flow = await begin(product())
        await allow(product(), flow.id, 'eve')
        await end(userId)
        expect(await poll(product(), flow.poll)).toBe(404)
        expect(await product().db.selectFrom('api_tokens').selectAll().execute()).toEqual([])
      })

    it('sync-attack-2: goes with its account, so that nobody else with its number is meant', async () => {
      const { id: userId } = await product().add('eve')
      const flow = await begin(product())
      await allow(product(), flow.id, 'eve')
      await product()
        .as('root')
        .users.remove({ params: { id: String(userId) }, body: JSON.stringify({ current_password: PASSWORD }) })
      expect(await product().db.selectFrom('login_flows').selectAll().execute()).toEqual([])
    })

    it('sync-attack-3: is removed after its time, although nobody begins another one', async () => {
      await begin(product())
      product().pass(21 * 60_000)
      await product().world.tidy()
      expect(await product().db.selectFrom('login_flows').selectAll().execute()).toEqual([])
    })

    it('has the rights of that moment: a right that was lost meanwhile is not in the token', async () => {
      const flow = await begin(product())
      await allow(product(), flow.id)
      await product().setRights('ann', { ...EVERYTHING, delete: false, share: false })
      expect(await poll(product(), flow.poll)).toBe(200)
      const [token] = await product().as('ann').tokens.list({ query: {} })
      expect(token?.perm).toMatchObject({ admin: false, execute: false, delete: false, share: false, create: true })
    })
  })

  describe('uploads in chunks', () => {
    const upload = '/remote.php/dav/uploads/ann/7'
    const move = (destination: string, headers: Record<string, string> = {}) =>
      status(`MOVE ${upload}/.file`, { headers: { destination, ...headers } })
    const send = async () => {
      expect(await status(`MKCOL ${upload}`)).toBe(201)
      expect(await status(`PUT ${upload}/1`, { body: 'new' })).toBe(201)
    }

    it('sync-attack-4: endless pieces do not fill the database', async () => {
      await send()
      const row = await product().db.selectFrom('uploads').select('id').executeTakeFirstOrThrow()
      for (let from = 2; from < 50_001; from += 1000) {
        const values = Array.from({ length: Math.min(1000, 50_001 - from) }, (_, i) => ({
          upload: row.id,
          number: from + i,
          at: 3,
          size: 0,
        }))
        await product().db.insertInto('upload_pieces').values(values).execute()
      }
      expect(await status(`PUT ${upload}/60000`, { body: '' })).toBe(413)
      expect(await status(`DELETE ${upload}`)).toBe(204)
      expect(await product().db.selectFrom('upload_pieces').selectAll().execute()).toEqual([])
    })

    it('sync-attack-5: pieces of unknown length do not go beyond a quota', async () => {
      await product().seed({ '/eve/a.txt': 'a' })
      const { id } = await product().add('eve', { scope: '/eve' })
      await product()
        .as('root')
        .quotas.set({ body: { who: { kind: 'user', id }, bytes: 4000, files: null } })
      const before = await product().snapshot()
      const eve = { as: 'eve' }
      const at = '/remote.php/dav/uploads/eve/7'
      expect(await status(`MKCOL ${at}`, eve)).toBe(201)
      const body = () => new Response('x'.repeat(3000)).body?.pipeThrough(new TransformStream()) ?? ''
      expect(await status(`PUT ${at}/1`, { ...eve, body: body() })).toBe(201)
      expect(await status(`PUT ${at}/2`, { ...eve, body: body() })).toBe(507)
      expect(await status(`DELETE ${at}`, eve)).toBe(204)
      expect(await product().snapshot()).toEqual(before)
    })

    it('sync-attack-6: who does not want to see dotfiles uploads in chunks as well', async () => {
      await product().add('eve', { hideDotfiles: true })
      const eve = { as: 'eve' }
      const at = '/remote.php/dav/uploads/eve/7'
      expect(await status(`MKCOL ${at}`, eve)).toBe(201)
      expect(await status(`PUT ${at}/1`, { ...eve, body: 'x' })).toBe(201)
      expect(await status(`MOVE ${at}/.file`, { ...eve, headers: { destination: '/remote.php/dav/files/eve/a.txt' } })).toBe(201)
    })

    it('are published only where a PUT would be: not over a folder, a lock, another tree, or by a trick in the address', async () => {
      await product().seed({ '/dir/a.txt': 'a', '/locked.txt': 'l', '/eve/e.txt': 'e' })
      await product().add('eve', { scope: '/eve' })
      expect(await status('LOCK /dav/locked.txt', { as: 'root', headers: { depth: '0' }, body: LOCK_BODY })).toBe(200)
      await send()
      const before = await product().snapshot()
      const files = '/remote.php/dav/files/ann'
      const refused = {
        [`${files}/dir`]: 405,
        [`${files}/locked.txt`]: 423,
        [`${files}/none/a.txt`]: 409,
        '/remote.php/dav/files/eve/e.txt': 400,
        [`${files}/../eve/e.txt`]: 400,
        [`${files}/%2e%2e/eve/e.txt`]: 400,
        [`${files}/..%2feve/e.txt`]: 400,
        [`${files}/a%00.txt`]: 400,
        [files]: 400,
        'https://elsewhere.test/remote.php/dav/files/ann/a.txt': 400,
      }
      for (const [destination, expected] of Object.entries(refused))
        expect([destination, await move(destination)]).toEqual([destination, expected])
      expect(await move(`${files}/dir/a.txt`, { 'if-none-match': '*' })).toBe(412)
      expect(await product().snapshot()).toEqual(before)
      expect(await move(`${files}/dir/b.txt`)).toBe(201)
    })

    it('are one person’s: not another’s, nor of another token, nor by a name with a path', async () => {
      await product().add('eve')
      await send()
      const { token } = await product()
        .as('ann')
        .tokens.create({ body: { name: 't', perm: { ...EVERYTHING, execute: false }, current_password: PASSWORD } })
      for (const [path, options] of [
        [upload, { as: 'eve' }],
        [upload.replace('ann', 'eve'), { as: 'eve' }],
        [upload, { password: token }],
        ['/remote.php/dav/uploads/ann/..%2f7', {}],
        ['/remote.php/dav/uploads/ann/%2e', {}],
      ] as const)
        for (const method of ['PROPFIND', 'DELETE'])
          expect([path, method, await status(`${method} ${path}`, options)]).toEqual([path, method, 404])
      for (const part of ['-1', '1.5', '0x2', '..%2f2', '1'.repeat(17), '9'.repeat(16)])
        expect([part, (await call(`PUT ${upload}/${part}`, { body: 'x' })).status]).toEqual([part, 405])
      expect(await status(`PUT ${upload}/0`, { body: 'x' })).toBe(409)
    })

    it('tell nothing of what is hidden by where they are announced or moved to', async () => {
      await product().seed({ '/hidden/a.txt': 'a', '/hidden/deep/b.txt': 'b', '/.dot/a.txt': 'd' })
      await product().add('eve', { rules: [deny('/hidden')], hideDotfiles: true })
      const before = await product().snapshot()
      const told = async (path: string) => {
        const destination = `/remote.php/dav/files/eve${path}`
        const at = `/remote.php/dav/uploads/eve/${Bun.hash(path)}`
        const eve = { as: 'eve', headers: { destination } }
        const announced = await call(`MKCOL ${at}`, eve)
        const statuses = [announced.status, await status(`PUT ${at}/1`, { as: 'eve', body: 'x' })]
        await call(`DELETE ${at}`, { as: 'eve' })
        await call(`MKCOL ${at}`, { as: 'eve' })
        statuses.push(await status(`PUT ${at}/1`, { as: 'eve', body: 'x' }))
        const conditions: Record<string, string>[] = [{}, { if: `<${destination}> (["x"])` }, { 'if-none-match': '*' }]
        for (const more of conditions) statuses.push(await status(`MOVE ${at}/.file`, { as: 'eve', headers: { destination, ...more } }))
        await call(`DELETE ${at}`, { as: 'eve' })
        return `${statuses.join(' ')} ${(await announced.text()).replaceAll(path, 'PATH')}`
      }
      const missing = await told('/hidden/none')
      for (const path of ['/hidden/a.txt', '/hidden/deep', '/hidden/deep/b.txt', '/hidden/none/b.txt'])
        expect([path, await told(path)]).toEqual([path, missing])
      const dot = await told('/.none/a.txt')
      for (const path of ['/.dot/a.txt', '/.dot/b.txt']) expect([path, await told(path)]).toEqual([path, dot])
      expect(await product().snapshot()).toEqual(before)
    })

    it('of somebody who lost the right meanwhile are not published, and nothing stays', async () => {
      const before = await product().snapshot()
      await send()
      await product().setRights('ann', { ...EVERYTHING, create: false, modify: false })
      expect(await move('/remote.php/dav/files/ann/a.txt')).toBe(403)
      expect(await status(`PUT ${upload}/2`, { body: 'x' })).toBe(403)
      await product().setRights('ann', EVERYTHING)
      expect(await status(`DELETE ${upload}`)).toBe(204)
      expect(await product().snapshot()).toEqual(before)
    })
  })

  it('sync-attack-7: a token without the right to change files changes no favourites', async () => {
    await product().seed({ '/a.txt': 'a' })
    const { token: password } = await product()
      .as('ann')
      .tokens.create({ body: { name: 't', perm: { ...NO_RIGHTS, download: true }, current_password: PASSWORD } })
    expect(await status('PROPPATCH /remote.php/dav/files/ann/a.txt', { password, body: FAVOURITE })).toBe(403)
    expect((await product().as('ann').favourites.mine({})).favourites).toEqual([])
  })

  it('sync-attack-8: nothing of it is there while WebDAV is switched off', async () => {
    const flow = await begin(product())
    await product().world.settings.change((before) => ({ ...before, webdav: false }))
    const code = async (work: Promise<unknown>) => work.then(() => 'done').catch((error: { code: string }) => error.code)
    const params = { id: flow.id }
    expect(await code(product().as('ann').appSignIns.read({ params }))).toBe('not-found')
    expect(await code(allow(product(), flow.id))).toBe('not-found')
    expect(await code(product().as('ann').appSignIns.refuse({ params }))).toBe('not-found')
    for (const path of [
      'GET /status.php',
      'GET /index.php/204',
      'POST /index.php/login/v2',
      'POST /index.php/login/v2/poll',
      'GET /ocs/v1.php/cloud/user',
      'GET /ocs/v2.php/cloud/capabilities',
      'DELETE /ocs/v2.php/core/apppassword',
      'OPTIONS /remote.php/webdav/',
      'PROPFIND /remote.php/webdav/',
      'PROPFIND /remote.php/dav/files/ann/',
      'MKCOL /remote.php/dav/uploads/ann/1',
      'PUT /remote.php/dav/uploads/ann/1/1',
    ])
      expect([path, await status(path)]).toEqual([path, 404])
  })

  it('sync-attack-12: nothing of it is there for a person without WebDAV, also if it was taken from them after they allowed a sign-in', async () => {
    const eve = { as: 'eve' }
    const { id } = await product().add('eve')
    const [open, allowed] = [await begin(product()), await begin(product())]
    await allow(product(), allowed.id, 'eve')
    await product()
      .as('root')
      .users.update({
        params: { id: String(id) },
        body: { what: 'user', which: ['webdavDisabled'], data: { webdavDisabled: true }, current_password: PASSWORD },
      })
    for (const path of [
      'GET /ocs/v2.php/cloud/user',
      'GET /ocs/v2.php/cloud/capabilities',
      'PROPFIND /remote.php/webdav/',
      'PUT /remote.php/dav/files/eve/a.txt',
      'MKCOL /remote.php/dav/uploads/eve/1',
      'PUT /remote.php/dav/uploads/eve/1/1',
    ])
      expect([path, await status(path, eve)]).toEqual([path, 403])
    await expect(allow(product(), open.id, 'eve')).rejects.toMatchObject({ code: 'forbidden' })
    expect(await poll(product(), allowed.poll)).toBe(404)
    expect(await product().db.selectFrom('api_tokens').selectAll().execute()).toEqual([])
  })

  it('a page of another origin neither allows a sign-in nor begins or fetches one', async () => {
    const { cookie } = await product().signInWeb('ann')
    const flow = await begin(product())
    const pages: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.test' },
    ]
    for (const page of pages) {
      const foreign = { method: 'POST', headers: { ...page, cookie }, body: JSON.stringify({ current_password: PASSWORD }) }
      for (const path of [`/api/app-sign-ins/${flow.id}`, '/index.php/login/v2', '/index.php/login/v2/poll'])
        expect([path, (await product().ask(path, foreign)).status]).toEqual([path, 403])
      const read = await product().ask('/remote.php/webdav/', { headers: { ...page, authorization: basic('ann') } })
      expect(read.status).toBe(403)
    }
    expect(await poll(product(), flow.poll)).toBe(404)
  })

  it('XML stays well-formed and means the same, whatever names and properties contain', async () => {
    const name = '<D:response> &amp; ]]> "x" <D:multistatus xmlns:D="DAV:">.txt'
    await product().seed({ [`/${name}`]: 'a' })
    const set = `<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop>
      <D:x xmlns:D="urn:evil" D:y="&lt;D:z>"><D:response/><oc:id xmlns:oc="http://owncloud.org/ns"/>&lt;D:href>/&lt;/D:href></D:x>
    </D:prop></D:set></D:propertyupdate>`
    const at = `/remote.php/dav/files/ann/${encodeURIComponent(name)}`
    expect(await status(`PROPPATCH ${at}`, { body: set })).toBe(207)
    const found = await (await call('PROPFIND /remote.php/dav/files/ann/', { headers: { depth: '1' } })).text()
    const asked = '<D:propfind xmlns:D="DAV:" xmlns:e="urn:evil"><D:prop><D:displayname/><e:x/></D:prop></D:propfind>'
    const told = await (await call(`PROPFIND ${at}`, { headers: { depth: '0' }, body: asked })).text()
    const { parseXml, elementsOf } = await import('../../src/server/dav/parse-xml.ts')
    expect(elementsOf(parseXml(found)).map((one) => `${one.namespace}${one.name}`)).toEqual(['DAV:response', 'DAV:response'])
    expect(elementsOf(parseXml(told))).toHaveLength(1)
    expect(told).toContain('<x xmlns="urn:evil"')
    expect(told).not.toContain('<d:response/>')
  })
})

describe('passwords by the addresses of sync clients', () => {
  for (const path of ['/ocs/v2.php/cloud/user', '/remote.php/webdav/', '/remote.php/dav/uploads/ann/1'])
    it(`cannot be guessed any longer than elsewhere: ${path}`, async () => {
      await using product = await startProduct({ storage: 'memory' })
      product.stopClock()
      const from = { peer: '203.0.113.9' }
      const headers = (password: string) => ({ authorization: basic('ann', password) })
      const statuses: number[] = []
      for (let i = 0; i < 14; i++) statuses.push((await product.ask(path, { headers: headers(`wrong ${i}`), from })).status)
      expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
      expect((await product.ask(path, { headers: headers(PASSWORD), from })).status).toBe(429)
      const signIn = await product.ask('/api/login', {
        method: 'POST',
        body: JSON.stringify({ username: 'ann', password: PASSWORD }),
        from,
      })
      expect(signIn.status).toBe(429)
    })
})

describe('many sign-ins that nobody finishes', () => {
  it('sync-attack-9: do not keep others out: the network that began the most gives way', async () => {
    await using product = await startProduct({ storage: 'memory' })
    const mine = await begin(product, { peer: '192.0.2.1' })
    const now = Date.now()
    const row = (n: number) => ({
      poll_hash: `poll ${n}`,
      flow_hash: `flow ${n}`,
      client: 'flood',
      address: `198.51.${Math.floor(n / 10) % 256}.${Math.floor(n / 2560)}`,
      created_at: now - 1000,
      user_id: null,
    })
    for (let from = 0; from < 10_000; from += 1000)
      await product.db
        .insertInto('login_flows')
        .values(Array.from({ length: 1000 }, (_, i) => row(from + i)))
        .execute()
    expect((await begin(product, { peer: '203.0.113.9' })).status).toBe(200)
    await allow(product, mine.id)
    expect(await poll(product, mine.poll)).toBe(200)
  })

  it('sync-attack-10: from one site are limited, however many addresses it has', async () => {
    await using product = await startProduct({ storage: 'memory' })
    product.stopClock()
    const statuses: number[] = []
    for (let n = 0; n < 300; n++) statuses.push((await begin(product, { peer: `2001:db8:1:${n.toString(16)}::1` })).status)
    expect(statuses).toContain(429)
    expect((await begin(product, { peer: '2001:db8:2::1' })).status).toBe(200)
  })
})

describe('ETags of folders', () => {
  let folder = ''
  let index: MemoryIndex
  let product: Product

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'satchel-etags-'))
    index = createMemoryIndex(createLocalStorage(folder))
    product = await startProduct({ storage: { folder }, treeIndex: index })
    await product.seed({
      '/top.txt': 't',
      '/open/a.txt': 'a',
      '/mixed/deep/b.txt': 'b',
      '/mixed/secret/s.txt': 's',
      '/mixed/also.key': 'k',
    })
    await index.read()
  })
  afterEach(async () => {
    await product[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  async function etags(as: string): Promise<Record<string, string>> {
    const told: Record<string, string> = {}
    for (const path of ['/', '/mixed/']) {
      const response = await ask(product, `PROPFIND /remote.php/dav/files/${as}${path}`, { as, headers: { depth: '1' }, body: ETAG })
      for (const [, href = '', etag = ''] of (await response.text()).matchAll(/<d:href>([^<]*)<.*?<d:getetag>([^<]*)</g))
        told[`${path} ${href.slice(`/remote.php/dav/files/${as}`.length)}`] = etag
    }
    return told
  }

  const PATTERN = (raw: string): Rule => ({ regex: true, allow: false, path: '', regexp: { raw } })
  const RULES: Readonly<Record<string, Rule[]>> = {
    'a path': [deny('/mixed/secret'), deny('/mixed/also.key')],
    'a pattern': [PATTERN('(secret|\\.key)')],
  }
  for (const [says, rules] of Object.entries(RULES))
    it(`sync-attack-11: do not tell that something changed where ${says} is denied, and tell every other change`, async () => {
      await product.add('eve', { rules })
      const before = await etags('eve')
      expect(Object.keys(before)).toContain('/mixed/ /mixed/deep/')
      expect(await etags('eve')).toEqual(before)
      // Clients compare what is told of a folder in the one above with what the folder itself tells.
      expect(before['/ /mixed/']).toBe(before['/mixed/ /mixed/'] ?? '')
      await writeFile(join(folder, 'mixed/secret/new.txt'), 'new')
      await writeFile(join(folder, 'mixed/also.key'), 'changed')
      await index.read()
      expect(await etags('eve')).toEqual(before)
      await writeFile(join(folder, 'mixed/deep/b.txt'), 'changed')
      await index.read()
      const after = await etags('eve')
      for (const changed of ['/ /', '/ /mixed/', '/mixed/ /mixed/', '/mixed/ /mixed/deep/'])
        expect([changed, after[changed] === before[changed]]).toEqual([changed, false])
      expect(after['/ /open/']).toBe(before['/ /open/'] ?? '')
      await unlink(join(folder, 'top.txt'))
      await index.read()
      const last = await etags('eve')
      expect([last['/ /'] === after['/ /'], last['/ /mixed/'] === after['/ /mixed/']]).toEqual([false, true])
    })
})

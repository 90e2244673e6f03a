import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { dav, type DavRequest } from './dav-calls.ts'
import { deny, EVERYTHING, onEachStorage, PASSWORD, type Product } from './world.ts'

setDefaultTimeout(60_000)

const FILES = '/remote.php/dav/files/ann'
const PROPS = `<?xml version="1.0"?><d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><d:getetag/><oc:id/><oc:fileid/><oc:permissions/><oc:size/><oc:favorite/></d:prop></d:propfind>`
const FAVOURITE = (value: number) =>
  `<d:propertyupdate xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:set><d:prop><oc:favorite>${value}</oc:favorite></d:prop></d:set></d:propertyupdate>`

/** With the whole address, as the dialect has several. */
function ask(product: Product, call: string, options: DavRequest = {}): Promise<Response> {
  return dav(product, call, { at: '', ...options })
}

onEachStorage((product) => {
  const call = (what: string, options?: DavRequest) => ask(product(), what, options)
  const status = async (what: string, options?: DavRequest) => (await call(what, options)).status
  const find = async (path: string, options?: DavRequest) =>
    (await call(`PROPFIND ${FILES}${path}`, { body: PROPS, ...options, headers: { depth: '0' } })).text()
  const value = (text: string, name: string) => new RegExp(`<oc:${name}>([^<]*)<`).exec(text)?.[1] ?? null

  describe('the dialect of sync clients', () => {
    it('says what the server is without credentials, and who asks with them, in JSON and in XML', async () => {
      const told = await (await product().ask('/status.php')).json()
      expect(told).toMatchObject({ installed: true, maintenance: false, productname: 'Satchel' })
      const user = await (await call('GET /ocs/v1.php/cloud/user?format=json')).json()
      expect(user).toMatchObject({ ocs: { meta: { statuscode: 100 }, data: { id: 'ann' } } })
      expect(await (await call('GET /ocs/v2.php/cloud/user')).text()).toMatch(/<statuscode>200<.*<id>ann<\/id>/s)
      const capabilities = await (await call('GET /ocs/v2.php/cloud/capabilities?format=json')).json()
      expect(capabilities).toMatchObject({ ocs: { data: { capabilities: { dav: { chunking: '1.0' }, files: { undelete: true } } } } })
      const nobody = await product().ask('/ocs/v2.php/cloud/user?format=json')
      expect([nobody.status, await nobody.json()]).toMatchObject([401, { ocs: { meta: { status: 'failure' } } }])
    })

    it('stores a file with the time and checksum of its client, and tells its id, which stays when it is renamed', async () => {
      const sum = new Bun.CryptoHasher('sha256').update('hello').digest('hex')
      const headers = { 'x-oc-mtime': '1000000000', 'oc-checksum': `SHA256:${sum}` }
      const made = await call(`PUT ${FILES}/a.txt`, { body: 'hello', headers })
      expect([made.status, made.headers.get('x-oc-mtime')]).toEqual([201, 'accepted'])
      const before = await find('/a.txt')
      expect(value(before, 'id')).toBe(made.headers.get('oc-fileid'))
      expect(value(before, 'permissions')).toBe('RGDNVW')
      expect((await call(`GET ${FILES}/a.txt`)).headers.get('last-modified')).toBe('Sun, 09 Sep 2001 01:46:40 GMT')
      expect(await status(`MOVE ${FILES}/a.txt`, { headers: { destination: `${FILES}/b.txt` } })).toBe(201)
      expect(value(await find('/b.txt'), 'id')).toBe(value(before, 'id'))
      // Another content than the client says is not published.
      expect(await status(`PUT ${FILES}/b.txt`, { body: 'hellO', headers })).toBe(400)
      expect(await product().read('/b.txt')).toBe('hello')
      expect(await (await call('GET /remote.php/webdav/b.txt')).text()).toBe('hello')
    })

    it('marks favourites for those who see the file', async () => {
      await product().seed({ '/a.txt': 'a', '/hidden.txt': 'h' })
      await product().add('eve', { rules: [deny('/hidden.txt')], may: { ...EVERYTHING, modify: false } })
      const eve = { as: 'eve' }
      const files = '/remote.php/dav/files/eve'
      expect(await status(`PROPPATCH ${files}/a.txt`, { ...eve, body: FAVOURITE(1) })).toBe(207)
      expect((await product().as('eve').favourites.mine({})).favourites.map(({ path }) => path)).toEqual(['/a.txt'])
      expect(await status(`PROPPATCH ${files}/hidden.txt`, { ...eve, body: FAVOURITE(1) })).toBe(404)
      expect(await status(`PROPPATCH ${files}/a.txt`, { ...eve, body: FAVOURITE(0) })).toBe(207)
      expect((await product().as('eve').favourites.mine({})).favourites).toEqual([])
    })

    it('takes a file in chunks, publishes it by MOVE, and not over a version that the client does not know', async () => {
      await product().seed({ '/big.bin': 'old' })
      const etag = (await call(`GET ${FILES}/big.bin`)).headers.get('etag') ?? ''
      const upload = '/remote.php/dav/uploads/ann/42'
      const move = (condition: string) =>
        call(`MOVE ${upload}/.file`, {
          headers: { destination: `${FILES}/big.bin`, if: `<${FILES}/big.bin> (["${condition}"])`, 'oc-total-length': '6' },
        })
      expect(await status(`MKCOL ${upload}`, { headers: { 'oc-total-length': '6' } })).toBe(201)
      expect(await status(`PUT ${upload}/00001`, { body: 'abc' })).toBe(201)
      // Its answer was lost.
      expect(await status(`PUT ${upload}/00001`, { body: 'abc' })).toBe(201)
      expect((await move(etag.slice(1, -1))).status).toBe(400)
      expect(await status(`PUT ${upload}/00002`, { body: 'defg' })).toBe(413)
      expect(await status(`PUT ${upload}/00002`, { body: 'def' })).toBe(201)
      expect(await (await call(`PROPFIND ${upload}`, { headers: { depth: '1' } })).text()).toMatch(/42\/1<.*42\/2</s)
      expect((await move('another')).status).toBe(412)
      expect(await product().read('/big.bin')).toBe('old')
      const done = await move(etag.slice(1, -1))
      expect([done.status, await product().read('/big.bin')]).toEqual([204, 'abcdef'])
      expect([(await move(etag.slice(1, -1))).status, await status(`DELETE ${upload}`)]).toEqual([412, 404])
    })

    it('has the rights and rules of the web: nobody else’s tree, no upload without a right, nothing of what is hidden', async () => {
      await product().seed({ '/a.txt': 'a', '/secret/s.txt': 's' })
      await product().add('eve', { rules: [deny('/secret')], may: { ...EVERYTHING, create: false, modify: false } })
      const eve = { as: 'eve' }
      expect(await status(`GET ${FILES}/a.txt`, eve)).toBe(404)
      expect(await status('MKCOL /remote.php/dav/uploads/ann/1', eve)).toBe(404)
      expect(await status('MKCOL /remote.php/dav/uploads/eve/1', eve)).toBe(403)
      expect(await status('PUT /remote.php/dav/files/eve/new.txt', { ...eve, body: 'x' })).toBe(403)
      const list = await call('PROPFIND /remote.php/dav/files/eve/', { ...eve, headers: { depth: '1' }, body: PROPS })
      expect(await list.text()).toMatch(/^(?!.*secret).*a\.txt/s)
      expect(await status('GET /remote.php/dav/files/eve/secret/s.txt', eve)).toBe(404)
    })

    it('is switched off with WebDAV, for everybody and for one person', async () => {
      await product().add('eve')
      await product()
        .as('root')
        .users.update({
          params: { id: String((await product().account('eve')).id) },
          body: { what: 'user', which: ['webdavDisabled'], data: { webdavDisabled: true }, current_password: PASSWORD },
        })
      expect(await status('PROPFIND /remote.php/dav/files/eve/', { as: 'eve', headers: { depth: '0' } })).toBe(403)
      await product().world.settings.change((before) => ({ ...before, webdav: false }))
      for (const path of ['/status.php', '/ocs/v2.php/cloud/user', `${FILES}/`, '/remote.php/dav/uploads/ann/1'])
        expect([path, await status(`GET ${path}`)]).toEqual([path, 404])
    })
  })

  describe('signing in by a browser for a sync client', () => {
    const begin = async () => {
      const response = await product().ask('/index.php/login/v2', {
        method: 'POST',
        headers: { 'user-agent': 'Anns laptop\u00ad (sync)' },
      })
      const { poll, login } = (await response.json()) as { poll: { token: string }; login: string }
      return { poll: poll.token, id: login.slice(login.lastIndexOf('/') + 1) }
    }
    const polled = (token: string) => product().ask('/index.php/login/v2/poll', { method: 'POST', body: new URLSearchParams({ token }) })

    it('gives an app password once, after its person has seen what asks and has proven who they are', async () => {
      const { poll, id } = await begin()
      expect((await polled(poll)).status).toBe(404)
      expect(await product().as('ann').appSignIns.read({ params: { id } })).toMatchObject({ client: 'Anns laptop (sync)' })
      await product()
        .as('ann')
        .appSignIns.allow({ params: { id }, body: { current_password: PASSWORD } })
      const given = (await (await polled(poll)).json()) as { loginName: string; appPassword: string }
      expect(given).toMatchObject({ loginName: 'ann' })
      expect((await polled(poll)).status).toBe(404)
      const password = given.appPassword
      expect(await status(`PROPFIND ${FILES}/`, { password, headers: { depth: '0' } })).toBe(207)
      const [token] = await product().as('ann').tokens.list({ query: {} })
      expect(token).toMatchObject({ name: 'Anns laptop (sync)', perm: { admin: false, execute: false } })
      expect(await status('DELETE /ocs/v2.php/core/apppassword', { password })).toBe(200)
      expect(await status(`PROPFIND ${FILES}/`, { password, headers: { depth: '0' } })).toBe(401)
    })

    it('guessing: neither the address of the page nor another secret fetches the password, and guesses are limited', async () => {
      const { poll, id } = await begin()
      await product()
        .as('ann')
        .appSignIns.allow({ params: { id }, body: { current_password: PASSWORD } })
      expect((await polled(id)).status).toBe(404)
      expect(poll).toMatch(/^[\w-]{43}$/)
      product().stopClock()
      const statuses = await Promise.all(Array.from({ length: 320 }, async () => (await polled('x'.repeat(43))).status))
      expect(statuses).toContain(429)
    })

    it('phishing: it is allowed once, by a person who is signed in, not by a token, not without a proof, and not after twenty minutes', async () => {
      const { id } = await begin()
      await product().add('eve')
      const { token } = await product()
        .as('ann')
        .tokens.create({
          body: { name: 't', perm: EVERYTHING, current_password: PASSWORD },
        })
      const byToken = await product().ask(`/api/app-sign-ins/${id}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ current_password: PASSWORD }),
      })
      expect(byToken.status).toBe(403)
      product().pass(10 * 60_000)
      await expect(product().as('ann').appSignIns.allow({ params: { id }, body: {} })).rejects.toMatchObject({ code: 'proof-needed' })
      await product()
        .as('ann')
        .appSignIns.allow({ params: { id }, body: { current_password: PASSWORD } })
      await expect(
        product()
          .as('eve')
          .appSignIns.allow({ params: { id }, body: { current_password: PASSWORD } }),
      ).rejects.toMatchObject({ code: 'not-found' })
      const late = await begin()
      product().pass(21 * 60_000)
      await expect(
        product()
          .as('ann')
          .appSignIns.read({ params: { id: late.id } }),
      ).rejects.toMatchObject({ code: 'not-found' })
    })
  })
})

import { describe, expect, it } from 'bun:test'
import type { Right } from '../../src/shared/contract/endpoint.ts'
import type { Rule } from '../../src/shared/contract/users.ts'
import { dav, type DavRequest, LOCK_BODY } from './dav-calls.ts'
import { deny, EVERYTHING, onEachStorage, type Person, type Product } from './world.ts'

const PATCH = '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x xmlns="urn:x">1</x></D:prop></D:set></D:propertyupdate>'

interface Row extends Pick<DavRequest, 'headers' | 'body'> {
  readonly method: string
  /** Without one of these it is refused. */
  readonly needs: readonly Right[]
  /** About a file that is there, and then about one that is not. */
  readonly there: number
  readonly free: number
}

/** Every method that is about a path, with what it needs: written down by hand, so that nothing is open by accident. */
const ROWS: readonly Row[] = [
  { method: 'GET', needs: ['download'], there: 200, free: 404 },
  { method: 'PROPFIND', headers: { depth: '1' }, needs: [], there: 207, free: 404 },
  { method: 'PUT', body: 'x', needs: ['modify'], there: 204, free: 201 },
  { method: 'PROPPATCH', body: PATCH, needs: ['modify'], there: 207, free: 404 },
  { method: 'MKCOL', needs: ['create'], there: 405, free: 201 },
  { method: 'DELETE', needs: ['delete'], there: 204, free: 404 },
  { method: 'COPY', headers: { destination: 'AT/target' }, needs: ['create'], there: 201, free: 404 },
  { method: 'MOVE', headers: { destination: 'AT/target' }, needs: ['rename'], there: 201, free: 404 },
  { method: 'LOCK', headers: { depth: '0' }, body: LOCK_BODY, needs: ['modify'], there: 200, free: 201 },
]
/** A free place is no refusal for these: only hidden places are compared with each other. */
const MAKERS = new Set(['PUT', 'MKCOL', 'LOCK'])

const PATTERN: Rule = { regex: true, allow: false, path: '', regexp: { raw: '^/hidden(/|$)' } }
const WAYS: readonly { says: string; person: Person; there: string[]; gone: string }[] = [
  { says: 'a path rule', person: { rules: [deny('/hidden')] }, there: ['/hidden', '/hidden/a.txt', '/hidden/deep'], gone: '/hidden/none' },
  { says: 'a pattern rule', person: { rules: [PATTERN] }, there: ['/hidden', '/hidden/a.txt'], gone: '/hidden/none' },
  { says: 'the wish to see no dotfiles', person: { hideDotfiles: true }, there: ['/.dot', '/.dot/a.txt'], gone: '/.none' },
]
const TREE = { '/a.txt': 'a', '/sub/b.txt': 'b', '/hidden/a.txt': 'secret', '/hidden/deep/d.txt': 'secret', '/.dot/a.txt': 'secret' }

/** Where a Drive is served, each with the same rights and rules (decisions 089 and 092). */
const PLACES: Readonly<Record<string, (as: string) => string>> = {
  WebDAV: () => '/dav',
  'sync clients': (as) => `/remote.php/dav/files/${as}`,
  'older sync clients': () => '/remote.php/webdav',
}

interface Asking {
  readonly as: string
  readonly at?: string
}

async function answer(product: Product, { method, headers = {}, body }: Row, path: string, { as, at = '/dav' }: Asking): Promise<string> {
  const { destination } = headers
  const sent = { ...headers, ...(destination !== undefined && { destination: destination.replace('AT', at) }) }
  const response = await dav(product, `${method} ${path}`, { as, at, headers: sent, ...(body !== undefined && { body }) })
  // The requested path itself is no secret, nor is a token that is made anew.
  return `${response.status} ${(await response.text()).replaceAll(path.slice(1), 'PATH')}`
}

onEachStorage((product) => {
  for (const [says, place] of Object.entries(PLACES))
    describe(`the access matrix of ${says}`, () => {
      const told = (row: Row, path: string, as: string) => answer(product(), row, path, { as, at: place(as) })

      it('refuses each method without its right, whether or not the file is there, and changes nothing', async () => {
        await product().seed(TREE)
        for (const row of ROWS)
          for (const right of row.needs) {
            const name = `${row.method.toLowerCase()}-without-${right}`
            const may = { ...EVERYTHING, [right]: false, ...(right === 'rename' ? {} : { share: false }) }
            await product().add(name, { may: row.method === 'LOCK' || row.method === 'PUT' ? { ...may, create: false } : may })
            const before = await product().snapshot()
            const refused = [await told(row, '/a.txt', name), await told(row, '/none.txt', name)]
            if (row.method === 'PROPPATCH' || row.method === 'GET')
              expect([row.method, refused[0]?.slice(0, 3)]).toEqual([row.method, '403'])
            else expect([row.method, ...refused.map((text) => text.slice(0, 3))]).toEqual([row.method, '403', '403'])
            expect(await product().snapshot()).toEqual(before)
          }
      })

      it('lets people do what they may', async () => {
        for (const row of ROWS) {
          await product().seed(TREE)
          const name = `may-${row.method.toLowerCase()}`
          await product().add(name, { may: { ...EVERYTHING, execute: false, share: false } })
          const statuses = [await told(row, '/a.txt', name), await told(row, '/free.txt', name)]
          expect([row.method, ...statuses.map((text) => Number(text.slice(0, 3)))]).toEqual([row.method, row.there, row.free])
          await clear(product())
        }
      })

      for (const { says: how, person, there, gone } of WAYS)
        it(`treats a hidden file like a missing one for every method, by ${how}`, async () => {
          await product().seed(TREE)
          await product().add('eve', person)
          const before = await product().snapshot()
          for (const row of ROWS) {
            const missing = await told(row, MAKERS.has(row.method) ? gone : '/nought', 'eve')
            for (const path of [...there, gone])
              expect([row.method, path, await told(row, path, 'eve')]).toEqual([row.method, path, missing])
          }
          expect(await product().snapshot()).toEqual(before)
        })

      it('shows nobody another person’s tree, and nothing without credentials', async () => {
        await product().seed(TREE)
        await product().add('sub', { scope: '/sub' })
        const before = await product().snapshot()
        for (const row of ROWS) {
          const { method, headers = {}, body } = row
          const init = { method, headers: { ...headers, destination: `${place('sub')}/target` }, ...(body !== undefined && { body }) }
          expect([method, (await product().ask(`${place('sub')}/a.txt`, init)).status]).toEqual([method, 401])
          // By name: what is asked for is somebody's.
          if (place('ann') !== place('sub'))
            expect([method, (await answer(product(), row, '/a.txt', { as: 'sub', at: place('ann') })).slice(0, 3)]).toEqual([method, '404'])
        }
        expect(await product().snapshot()).toEqual(before)
      })
    })

  describe('the access matrix of WebDAV', () => {
    it('tells nothing of what is hidden: not in listings, by If, as a destination, or by a lock above', async () => {
      await product().seed(TREE)
      await product().add('eve', { rules: [deny('/hidden')] })
      const as = 'eve'
      for (const depth of ['0', '1'])
        expect(await (await dav(product(), 'PROPFIND /', { as, headers: { depth } })).text()).not.toContain('hidden')
      const token =
        (await dav(product(), 'LOCK /hidden/a.txt', { headers: { depth: '0' }, body: LOCK_BODY })).headers.get('lock-token') ?? ''
      const etag = (await dav(product(), 'GET /hidden/a.txt')).headers.get('etag') ?? ''
      for (const condition of [`<${token.slice(1, -1)}>`, `[${etag}]`])
        expect((await dav(product(), 'GET /a.txt', { as, headers: { if: `</dav/hidden/a.txt> (${condition})` } })).status).toBe(412)
      const to = async (method: string, destination: string) =>
        (await dav(product(), `${method} /a.txt`, { as, headers: { destination } })).status
      for (const method of ['COPY', 'MOVE'])
        expect([method, await to(method, '/dav/hidden/a.txt'), await to(method, '/dav/hidden/none')]).toEqual([method, 409, 409])
      expect((await dav(product(), 'MOVE /hidden', { as, headers: { destination: '/dav/shown' } })).status).toBe(404)
      expect(await product().read('/hidden/a.txt')).toBe('secret')
    })

    it('shows a person their own folder, and an API token its folder', async () => {
      await product().seed(TREE)
      await product().add('sub', { scope: '/sub' })
      expect(await (await dav(product(), 'GET /b.txt', { as: 'sub' })).text()).toBe('b')
      for (const path of ['/../a.txt', '/%2e%2e/a.txt', '/..%2fa.txt', '/b.txt%00'])
        expect((await raw(product(), `/dav${path}`)).status).toBeOneOf([400, 401, 404])
      const { token } = await product()
        .as('ann')
        .tokens.create({
          body: { name: 'sub', perm: { ...EVERYTHING, execute: false, modify: false, delete: false }, folder: '/sub', expires: null },
        })
      const seen = await dav(product(), 'PROPFIND /', { password: token, headers: { depth: '1' } })
      expect(await seen.text()).toMatch(/^(?!.*a\.txt).*\/dav\/b\.txt/s)
      expect((await dav(product(), 'DELETE /b.txt', { password: token })).status).toBe(403)
    })
  })
})

/** Not made shorter by the client. */
function raw(product: Product, path: string): Promise<Response> {
  return product.ask(path, { headers: { authorization: `Basic ${btoa('sub:correct horse battery')}` } })
}

async function clear(product: Product): Promise<void> {
  await product.db.deleteFrom('dav_locks').execute()
  for (const path of ['/a.txt', '/free.txt', '/target']) await dav(product, `DELETE ${path}`)
}

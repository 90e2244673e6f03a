import { describe, expect, it } from 'bun:test'
import * as fc from 'fast-check'
import type { Folder } from '../../src/shared/contract/resources.ts'
import { isAppError } from '../../src/shared/errors.ts'
import { encodeFilePath, parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import { deny, EVERYTHING, onEachStorage, type Product } from './world.ts'

const OK = '200 OK\n'

onEachStorage((product) => {
  const ann = () => product().as('ann').resources
  const ask = (method: string, address: string, init: RequestInit = {}) => product().ask(address, { method, who: 'ann', ...init })
  const put = (address: string, body: string, headers: Record<string, string> = {}) => ask('PUT', address, { body, headers })
  const names = async (path: string) => (await listing(product(), path)).items.map(({ name }) => name).toSorted()

  describe('a folder', () => {
    it('is listed with its children and the numbers of folders and files', async () => {
      await product().seed({ '/a.txt': 'abc', '/docs/b.txt': '' })
      const folder = await listing(product(), '/')
      expect(folder).toMatchObject({
        kind: 'listing',
        numDirs: 1,
        numFiles: 1,
        isDir: true,
        path: '/',
        sorting: { by: 'name', asc: false },
      })
      expect(folder.items.find(({ name }) => name === 'a.txt')).toMatchObject({
        path: '/a.txt',
        size: 3,
        type: 'text',
        isDir: false,
        extension: '.txt',
      })
      expect(folder.items.find(({ name }) => name === 'docs')).toMatchObject({ path: '/docs', type: '', isDir: true })
    })

    it('is the same with and without a trailing slash, also at the root', async () => {
      await product().seed({ '/docs/b.txt': '' })
      for (const [address, path] of [
        ['/api/resources', '/'],
        ['/api/resources/', '/'],
        ['/api/resources/docs', '/docs'],
        ['/api/resources/docs/', '/docs/'],
      ] as const)
        expect(await (await ask('GET', address)).json()).toMatchObject({ path, isDir: true })
    })

    it('is created with its parents by a POST with a slash, which can be repeated', async () => {
      for (let twice = 0; twice < 2; twice++) expect(await said(ask('POST', '/api/resources/a/b/c/'))).toEqual([200, OK])
      expect((await listing(product(), '/a/b')).numDirs).toBe(1)
    })

    it('cannot be created in place of a file', async () => {
      await product().seed({ '/a': 'file' })
      expect(await said(ask('POST', '/api/resources/a/'))).toEqual([409, '409 Conflict\n'])
      expect(await product().read('/a')).toBe('file')
    })

    it('named recursive can be reached', async () => {
      await product().seed({ '/recursive/a.txt': 'x' })
      expect(await ann().get({ params: { path: at('/recursive/a.txt') } })).toMatchObject({ name: 'a.txt', content: 'x' })
      expect(await ann().recursive({ params: { path: ROOT } })).toMatchObject([{ path: '/recursive' }, { path: '/recursive/a.txt' }])
    })

    it('is listed recursively as one flat list, without hidden nodes', async () => {
      await product().seed({ '/docs/a.txt': '', '/docs/secret/b.txt': '', '/docs/z/c.txt': 'xyz' })
      await product().add('ben', { rules: [deny('/docs/secret')] })
      const found = await product()
        .as('ben')
        .resources.recursive({ params: { path: at('/docs') } })
      expect(found.map(({ path }) => path)).toEqual(['/docs/a.txt', '/docs/z', '/docs/z/c.txt'])
      expect(await said(ask('GET', '/api/resources/recursive/docs/a.txt'))).toEqual([400, '400 Bad Request (path is not a directory)\n'])
    })
  })

  describe('a file', () => {
    it('is returned with its text, and with its checksum on request', async () => {
      await product().seed({ '/a.txt': 'hello' })
      expect(await ann().get({ params: { path: at('/a.txt') } })).toMatchObject({ content: 'hello', type: 'text', size: 5 })
      const summed = await ann().get({ params: { path: at('/a.txt') }, query: { checksum: 'md5' } })
      expect(summed).toMatchObject({ checksums: { md5: '5d41402abc4b2a76b9719d911017c592' } })
      expect(summed).not.toHaveProperty('content')
      expect((await ask('GET', '/api/resources/a.txt?checksum=crc32')).status).toBe(400)
    })

    it('is read-only without the modify permission, and has no text without download', async () => {
      await product().seed({ '/a.txt': 'hello' })
      await product().add('reader', { may: { ...EVERYTHING, modify: false } })
      await product().add('looker', { may: { ...EVERYTHING, download: false } })
      expect(
        await product()
          .as('reader')
          .resources.get({ params: { path: at('/a.txt') } }),
      ).toMatchObject({ type: 'textImmutable', content: 'hello' })
      expect(
        await product()
          .as('looker')
          .resources.get({ params: { path: at('/a.txt') } }),
      ).not.toHaveProperty('content')
    })

    it('is uploaded, and replaces an existing one only on request', async () => {
      expect(await said(ask('POST', '/api/resources/docs/a.txt', { body: 'one' }))).toEqual([200, OK])
      expect(await said(ask('POST', '/api/resources/docs/a.txt', { body: 'two' }))).toEqual([409, '409 Conflict\n'])
      for (const word of ['false', 'TRUE', '1', 'yes'])
        expect((await ask('POST', `/api/resources/docs/a.txt?override=${word}`, { body: 'two' })).status).toBe(409)
      expect(await product().read('/docs/a.txt')).toBe('one')
      expect(await said(ask('POST', '/api/resources/docs/a.txt?override=true', { body: 'two' }))).toEqual([200, OK])
      expect(await product().read('/docs/a.txt')).toBe('two')
    })

    it('cannot replace a folder by upload (GHSA-c4fr-5f24-4wrj)', async () => {
      await product().seed({ '/docs/a.txt': 'kept' })
      expect((await ask('POST', '/api/resources/docs?override=true', { body: 'x' })).status).toBe(409)
      expect(await product().read('/docs/a.txt')).toBe('kept')
      expect(await product().storage.staged()).toEqual([])
    })

    it('is saved in place, only if it exists', async () => {
      await product().seed({ '/a.txt': 'old', '/docs/': '' })
      expect(await said(put('/api/resources/a.txt', 'new'))).toEqual([200, OK])
      expect(await product().read('/a.txt')).toBe('new')
      expect(await said(put('/api/resources/b.txt', 'new'))).toEqual([404, '404 Not Found\n'])
      expect((await put('/api/resources/a.txt/', 'new')).status).toBe(405)
      expect((await put('/api/resources/docs', 'new')).status).toBe(405)
    })

    it('is saved by version: the ETag of the last response is accepted, an older one is not (R10)', async () => {
      const first = etagOf(await ask('POST', '/api/resources/a.txt', { body: 'one' }))
      expect(first).toMatch(/^"[0-9a-f]+"$/)
      const second = etagOf(await put('/api/resources/a.txt', 'three', { 'if-match': first }))
      expect(second).not.toBe(first)
      expect(await said(put('/api/resources/a.txt', 'four', { 'if-match': first }))).toEqual([412, '412 Precondition Failed\n'])
      expect(await product().read('/a.txt')).toBe('three')
    })

    it('is read back unchanged, whatever its name and bytes', async () => {
      await product().signIn('ann')
      await fc.assert(
        fc.asyncProperty(
          fc.array(oddName(), { minLength: 1, maxLength: 3 }),
          fc.uint8Array({ maxLength: 300 }),
          async (segments, bytes) => {
            const path = at(`/odd/${segments.join('/')}`)
            await ann().upload({ params: { path }, query: { override: 'true' }, body: new Uint8Array(bytes) })
            const back = await product().as('ann').raw.get({ params: { path } })
            expect(new Uint8Array(await back.arrayBuffer())).toEqual(new Uint8Array(bytes))
            expect(await ann().get({ params: { path } })).toMatchObject({ path, name: segments.at(-1), size: bytes.length })
            await ann().remove({ params: { path: at('/odd') } })
          },
        ),
        { numRuns: 40 },
      )
    })
  })

  describe('removing', () => {
    it('removes a folder with its content and returns 200', async () => {
      await product().seed({ '/docs/a/b/c.txt': 'x', '/kept.txt': '' })
      expect(await said(ask('DELETE', '/api/resources/docs'))).toEqual([200, OK])
      expect(await names('/')).toEqual(['kept.txt'])
      expect(await said(ask('DELETE', '/api/resources/docs'))).toEqual([404, '404 Not Found\n'])
    })

    it('never removes the root, in any spelling', async () => {
      await product().seed({ '/a.txt': 'kept' })
      for (const address of ['/api/resources', '/api/resources/', '/api/resources//', '/api/resources/%2F', '/api/resources/%2f%2F'])
        expect((await ask('DELETE', address)).status).toBeGreaterThanOrEqual(400)
      expect(await product().read('/a.txt')).toBe('kept')
    })

    it('removes nothing of a folder that contains a denied node', async () => {
      await product().seed({ '/docs/a.txt': '', '/docs/secret/b.txt': 'kept' })
      await product().add('ben', { rules: [deny('/docs/secret')] })
      const before = await product().snapshot()
      expect((await product().ask('/api/resources/docs', { method: 'DELETE', who: 'ben' })).status).toBe(403)
      expect(await product().snapshot()).toEqual(before)
    })
  })

  describe('copying and moving', () => {
    const patch = (from: string, query: string) => said(ask('PATCH', `/api/resources${from}?${query}`))

    it('creates the parents of the target', async () => {
      await product().seed({ '/a.txt': 'a' })
      expect(await patch('/a.txt', 'action=copy&destination=/x/y/a.txt')).toEqual([200, OK])
      expect(await patch('/a.txt', 'action=rename&destination=/b.txt')).toEqual([200, OK])
      expect([await product().read('/x/y/a.txt'), await product().read('/b.txt'), await names('/')]).toEqual(['a', 'a', ['b.txt', 'x']])
    })

    it('replaces only on request', async () => {
      await product().seed({ '/a.txt': 'a', '/b.txt': 'b' })
      expect(await patch('/a.txt', 'action=copy&destination=/b.txt')).toEqual([409, '409 Conflict\n'])
      expect(await patch('/a.txt', 'action=copy&destination=/b.txt&rename=true')).toEqual([200, OK])
      expect([await product().read('/b.txt'), await product().read('/b(1).txt')]).toEqual(['b', 'a'])
      expect(await patch('/a.txt', 'action=copy&destination=/b.txt&override=true')).toEqual([200, OK])
      expect(await product().read('/b.txt')).toBe('a')
    })

    it('merges folders if replacing is requested', async () => {
      await product().seed({ '/from/a.txt': 'new', '/from/b.txt': 'b', '/to/a.txt': 'old', '/to/c.txt': 'c' })
      expect(await patch('/from', 'action=rename&destination=/to&override=true')).toEqual([200, OK])
      expect(await names('/to')).toEqual(['a.txt', 'b.txt', 'c.txt'])
      expect(await product().read('/to/a.txt')).toBe('new')
      expect(await names('/')).toEqual(['to'])
    })

    it('refuses invalid targets', async () => {
      await product().seed({ '/docs/a.txt': 'a' })
      const before = await product().snapshot()
      expect((await patch('/docs', 'action=rename&destination=/docs/inner'))[0]).toBe(400)
      expect((await patch('/docs', 'action=copy&destination=/docs/inner'))[0]).toBe(400)
      expect((await patch('/docs', 'action=delete&destination=/x'))[0]).toBe(400)
      expect((await patch('/docs', 'action=copy'))[0]).toBe(400)
      expect((await patch('/', 'action=rename&destination=/x'))[0]).toBe(403)
      expect((await patch('/docs/a.txt', 'action=rename&destination=/'))[0]).toBe(403)
      expect((await patch('/none', 'action=copy&destination=/x'))[0]).toBe(404)
      expect(await product().snapshot()).toEqual(before)
    })

    it('accepts a destination encoded once or twice, as the predecessor’s clients send it', async () => {
      await product().seed({ '/a.txt': 'a' })
      const name = '/100% a+b #é.txt'
      const once = encodeURIComponent(name)
      const twice = encodeURIComponent(encodeFilePath(at('/ü %41.txt')))
      expect((await patch('/a.txt', `action=copy&destination=${once}`))[0]).toBe(200)
      expect((await patch('/a.txt', `action=copy&destination=${twice}`))[0]).toBe(200)
      expect(await names('/')).toEqual(['100% a+b #é.txt', 'a.txt', 'ü %41.txt'])
    })
  })

  describe('an error', () => {
    it('is text as in the predecessor, and JSON if the client accepts JSON', async () => {
      const asked = async (accept?: string) => {
        const response = await ask('GET', '/api/resources/none', { headers: accept === undefined ? {} : { accept } })
        return [response.status, response.headers.get('content-type'), await response.text()]
      }
      expect(await asked('*/*')).toEqual([404, 'text/plain; charset=utf-8', '404 Not Found\n'])
      expect(await asked('text/html')).toEqual([404, 'text/plain; charset=utf-8', '404 Not Found\n'])
      const json = [404, 'application/json; charset=utf-8', '{"code":"not-found","detail":{"path":"/none"}}']
      expect(await asked('application/json')).toEqual(json)
      expect(await asked('text/plain, application/json;q=0.9, */*;q=0.1')).toEqual(json)
    })

    it('is the same error in the client', async () => {
      const failure = await ann()
        .get({ params: { path: at('/none') } })
        .catch((error: unknown) => error)
      expect(isAppError(failure, 'not-found')).toBe(true)
    })

    it('of an unknown call is 404, of a wrong method 405 with Allow', async () => {
      for (const address of ['/api', '/api/', '/api/none', '/api/resourcesfoo', '/api/login/x', '/api/users/1/x'])
        expect([address, (await ask('GET', address)).status]).toEqual([address, 404])
      const refused = await ask('PUT', '/api/signup')
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST'])
      const allow = (await ask('OPTIONS', '/api/resources/a.txt')).headers.get('allow') ?? ''
      expect(allow.split(', ').toSorted()).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'])
    })
  })

  describe('what a user sees', () => {
    it('is limited to their scope', async () => {
      await product().seed({ '/home/ben/a.txt': 'mine', '/other.txt': 'not mine' })
      await product().add('ben', { scope: '/home/ben' })
      expect(
        await product()
          .as('ben')
          .resources.get({ params: { path: ROOT } }),
      ).toMatchObject({ numFiles: 1, numDirs: 0, name: '' })
      expect((await product().ask('/api/raw/other.txt', { who: 'ben' })).status).toBe(404)
      expect((await product().ask('/api/resources/home/ben/a.txt', { who: 'ben' })).status).toBe(404)
    })

    it('changes with the next call after a change of rules or permissions', async () => {
      await product().seed({ '/secret/a.txt': 'x' })
      expect(await names('/')).toEqual(['secret'])
      await product().setRules('ann', [deny('/secret')])
      expect(await names('/')).toEqual([])
      expect((await ask('GET', '/api/raw/secret/a.txt')).status).toBe(404)
      await product().setRules('ann', [])
      await product().setRights('ann', { ...EVERYTHING, download: false })
      const refused = await ask('GET', '/api/raw/secret/a.txt')
      expect([refused.status, refused.headers.get('x-renew-token'), await refused.text()]).toEqual([202, 'true', '202 Accepted\n'])
    })

    it('never includes private folders', async () => {
      await product().seed({ '/a.txt': 'x' })
      await ask('POST', '/api/resources/b.txt', { body: 'x' })
      expect(await names('/')).toEqual(['a.txt', 'b.txt'])
      for (const path of ['/.satchel', '/.satchel/staging', '/.satchel/staging/x']) {
        expect([path, (await ask('GET', `/api/resources${path}`)).status]).toEqual([path, 404])
        expect((await ask('DELETE', `/api/resources${path}`)).status).toBe(404)
        expect((await ask('POST', `/api/resources${path}`, { body: 'x' })).status).toBeGreaterThanOrEqual(400)
        expect((await ask('POST', `/api/resources${path}/`)).status).toBeGreaterThanOrEqual(400)
        expect((await ask('PATCH', `/api/resources/a.txt?action=rename&destination=${path}`)).status).toBeGreaterThanOrEqual(400)
      }
      expect(await product().storage.staged()).toEqual([])
    })

    it('is never cached', async () => {
      await product().seed({ '/a.txt': 'x' })
      for (const address of ['/api/resources/', '/api/resources/a.txt', '/api/resources/none', '/api/none'])
        expect((await ask('GET', address)).headers.get('cache-control')).toBe('no-cache, no-store, must-revalidate')
    })
  })

  it('usage reports the disk space of a folder, and nothing for a file', async () => {
    await product().seed({ '/docs/a.txt': 'x' })
    const { total, used } = await ann().usage({ params: { path: at('/docs') } })
    expect(total).toBeGreaterThan(used)
    expect(await ann().usage({ params: { path: at('/docs/a.txt') } })).toEqual({ total: 0, used: 0 })
  })

  it('of two parallel uploads to one name one succeeds, and the other gets a conflict', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => (await ask('POST', '/api/resources/same.txt', { body: `by ${i}`.repeat(1000) })).status),
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 7 }, () => 409)])
    expect(await product().storage.staged()).toEqual([])
  })
})

async function listing(product: Product, path: string): Promise<Folder> {
  const found = await product.as('ann').resources.get({ params: { path: at(path) } })
  if (!('items' in found)) throw new Error(`${path} is no folder`)
  return found
}

async function said(operation: Promise<Response>): Promise<[number, string]> {
  const response = await operation
  return [response.status, await response.text()]
}

function etagOf(response: Response): string {
  return response.headers.get('etag') ?? ''
}

/** Names that a file system takes and an address must carry. */
function oddName(): fc.Arbitrary<string> {
  const odd = fc.constantFrom(
    '%',
    '%2F',
    '+',
    ' ',
    '?',
    '#',
    '&',
    '\\',
    ';',
    ':',
    '"',
    "'",
    '<',
    'é',
    'e\u0301',
    '日',
    '😀',
    '\n',
    '\u202e',
    '~',
    '.',
    '..',
    '-',
    'a',
  )
  return fc
    .array(odd, { minLength: 1, maxLength: 8 })
    .map((parts) => parts.join(''))
    .filter((text) => text !== '.' && text !== '..' && text !== '.satchel')
}

import { describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { OPERATION_HEADER } from '../../src/shared/contract/operation-header.ts'
import { dav, davStatus, hrefsIn, propfindBody } from './dav-calls.ts'
import { onEachStorage, type Product } from './world.ts'

const SET = (inner: string) =>
  `<D:propertyupdate xmlns:D="DAV:" xmlns:x="urn:x"><D:set><D:prop>${inner}</D:prop></D:set></D:propertyupdate>`
const COLOUR = '<D:propfind xmlns:D="DAV:" xmlns:x="urn:x"><D:prop><x:colour/></D:prop></D:propfind>'

/** A body of which nobody says how long it is. */
function inChunks(text: string): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text))
      controller.close()
    },
  })
}

async function pathsOf(product: Product): Promise<string[]> {
  return Object.keys(await product.snapshot())
    .filter((path) => path.startsWith('/'))
    .toSorted()
}

onEachStorage((product) => {
  const call = (...args: Parameters<typeof dav> extends [unknown, ...infer Rest] ? Rest : never) => dav(product(), ...args)
  const status = (...args: Parameters<typeof dav> extends [unknown, ...infer Rest] ? Rest : never) => davStatus(product(), ...args)
  const find = (path: string, depth = '1', body?: string) =>
    call(`PROPFIND ${path}`, { headers: { depth }, ...(body !== undefined && { body }) })
  const colourAt = async (path: string) => /<colour[^>]*>(\w+)</.exec(await (await find(path, '0', COLOUR)).text())?.[1] ?? null

  describe('WebDAV', () => {
    it('A4-4: lists a folder or one node, and refuses a whole tree', async () => {
      await product().seed({ '/docs/a.txt': 'hello', '/docs/sub/b.txt': '', '/docs/tom & jerry.txt': '' })
      expect((await hrefsIn(await find('/docs/'))).toSorted()).toEqual([
        '/dav/docs/',
        '/dav/docs/a.txt',
        '/dav/docs/sub/',
        '/dav/docs/tom%20%26%20jerry.txt',
      ])
      expect(await hrefsIn(await find('/docs', '0'))).toEqual(['/dav/docs/'])
      for (const headers of [{ depth: 'infinity' }, undefined]) {
        const refused = await call('PROPFIND /docs', headers === undefined ? {} : { headers })
        expect([refused.status, (await refused.text()).includes('<D:propfind-finite-depth/>')]).toEqual([403, true])
      }
      expect(await status('PROPFIND /docs/a.txt')).toBe(207)
      expect([
        await status('PROPFIND /docs', { headers: { depth: '2' } }),
        await status('PROPFIND /none', { headers: { depth: '0' } }),
      ]).toEqual([400, 404])
    })

    it('tells the same ETag in a listing as for the file', async () => {
      await product().seed({ '/docs/a.txt': 'hello' })
      for (const [path, depth] of [
        ['/docs/', '1'],
        ['/docs/a.txt', '0'],
      ] as const) {
        const told = /<D:getetag>([^<]+)</
          .exec(await (await find(path, depth, propfindBody('getetag'))).text())?.[1]
          ?.replaceAll('&quot;', '"')
        expect(told).toBe((await call('GET /docs/a.txt')).headers.get('etag') ?? 'none')
      }
    })

    it('writes names that no XML can hold, and the address tells what they are', async () => {
      await product().seed({ '/docs/bell\u0007.txt': '' })
      const text = await (await find('/docs/')).text()
      expect(text).toContain('<D:href>/dav/docs/bell%07.txt</D:href>')
      expect(text).toContain('<D:displayname>bell\uFFFD.txt</D:displayname>')
    })

    it('tells the names of properties, and which of those that were asked for are missing', async () => {
      await product().seed({ '/docs/a.txt': 'hello' })
      const names = await (await find('/docs', '0', '<D:propfind xmlns:D="DAV:"><D:propname/></D:propfind>')).text()
      expect([names.includes('<D:resourcetype/>'), names.includes('getcontentlength')]).toEqual([true, false])
      const some = await (await find('/docs/a.txt', '0', propfindBody('getcontentlength', 'nothing'))).text()
      expect(some).toMatch(/<D:getcontentlength>5<.*200 OK.*<D:nothing\/>.*404 Not Found/s)
      const quota = await (await find('/docs', '0', propfindBody('quota-available-bytes', 'quota-used-bytes'))).text()
      expect(quota).toMatch(/<D:quota-available-bytes>\d+<.*<D:quota-used-bytes>\d+</s)
    })

    it('stores a file whole or not at all, and says which version it is', async () => {
      await product().seed({ '/docs/a.txt': 'hello' })
      const made = await call('PUT /docs/b.txt', { body: 'new' })
      expect([made.status, await product().read('/docs/b.txt')]).toEqual([201, 'new'])
      const etag = made.headers.get('etag') ?? ''
      expect(await status('PUT /docs/b.txt', { body: 'newer', headers: { 'if-match': etag } })).toBe(204)
      expect(await status('PUT /docs/b.txt', { body: 'lost', headers: { 'if-match': etag } })).toBe(412)
      expect(await status('PUT /docs/b.txt', { body: 'lost', headers: { 'if-none-match': '*' } })).toBe(412)
      expect(await status('PUT /docs/c.txt', { body: 'lost', headers: { 'if-match': '*' } })).toBe(412)
      expect(await status('PUT /docs/c.txt', { body: 'part', headers: { 'content-range': 'bytes 0-3/8' } })).toBe(400)
      expect(await status('PUT /none/c.txt', { body: 'lost' })).toBe(409)
      expect(await status('PUT /docs', { body: 'lost' })).toBe(405)
      expect(await status('PUT /docs/c.txt', { body: inChunks('short'), headers: { 'x-expected-entity-length': '9' } })).toBe(400)
      expect([await product().read('/docs/b.txt'), await pathsOf(product())]).toEqual(['newer', ['/docs', '/docs/a.txt', '/docs/b.txt']])
    })

    it('keeps what it replaces and removes, and undoes it', async () => {
      await product().seed({ '/docs/a.txt': 'first', '/docs/sub/b.txt': 'b' })
      const ann = product().as('ann')
      const undo = async (response: Response) => ann.operations.undo({ params: { group: response.headers.get(OPERATION_HEADER) ?? '' } })
      await undo(await call('PUT /docs/a.txt', { body: 'second' }))
      expect(await product().read('/docs/a.txt')).toBe('first')
      await undo(await call('DELETE /docs/sub'))
      expect(await product().read('/docs/sub/b.txt')).toBe('b')
      await undo(await call('MOVE /docs/a.txt', { headers: { destination: '/dav/docs/sub' } }))
      expect([await product().read('/docs/a.txt'), await product().read('/docs/sub/b.txt')]).toEqual(['first', 'b'])
      const { gestures } = await ann.operations.list({ query: { path: '/docs', below: 'true' } })
      expect(gestures.map(({ via }) => via)).toContain('dav')
    })

    it('copies and moves as Overwrite and Depth say, and only on this server', async () => {
      await product().seed({ '/a/x.txt': 'x', '/b/y.txt': 'y', '/c.txt': 'c' })
      const move = (destination: string, headers: Record<string, string> = {}) =>
        status('MOVE /a', { headers: { destination, ...headers } })
      expect(await move('/dav/b', { overwrite: 'F' })).toBe(412)
      expect(await move('http://elsewhere.example/dav/d')).toBe(502)
      expect(await move('/files/d')).toBe(502)
      expect(await move('/dav/a/inside')).toBe(403)
      expect(await move('/dav/none/d')).toBe(409)
      expect(await move('/dav/d', { depth: '0' })).toBe(400)
      expect(await status('COPY /a', { headers: { destination: '/dav/alone', depth: '0' } })).toBe(201)
      expect(await status('COPY /c.txt', { headers: { destination: '/dav/b' } })).toBe(204)
      expect(await move('/dav/c.txt')).toBe(204)
      expect(await pathsOf(product())).toEqual(['/alone', '/b', '/c.txt', '/c.txt/x.txt'])
      expect(await product().read('/b')).toBe('c')
    })

    it('a folder that was to be replaced comes back if the move fails', async () => {
      await product().seed({ '/a/x.txt': 'x', '/b/y.txt': 'y' })
      await product().world.settings.change((settings) => ({ ...settings, commands: { ...settings.commands, before_rename: ['false'] } }))
      expect(await status('MOVE /a', { headers: { destination: '/dav/b' } })).toBe(500)
      expect(await product().read('/b/y.txt')).toBe('y')
    })

    it('properties follow their file: renamed, copied, removed and restored, by whatever way', async () => {
      await product().seed({ '/docs/a.txt': 'a' })
      const ann = product().as('ann')
      const rename = (from: string, to: string, action: 'rename' | 'copy' = 'rename') =>
        ann.resources.transfer({ params: { path: at(from) }, query: { action, destination: to } })
      expect(await status('PROPPATCH /docs/a.txt', { body: SET('<x:colour>red</x:colour>') })).toBe(207)
      await rename('/docs', '/papers')
      expect(await colourAt('/papers/a.txt')).toBe('red')
      await rename('/papers/a.txt', '/copy.txt', 'copy')
      await call('DELETE /papers')
      await product().seed({ '/papers/a.txt': 'another' })
      expect([await colourAt('/copy.txt'), await colourAt('/papers/a.txt')]).toEqual(['red', null])
      const [trashed] = (await ann.trash.list({ query: {} })).entries
      await ann.trash.restore({ params: { id: trashed?.id ?? '' }, body: { rename: true } })
      expect(await colourAt('/papers(1)/a.txt')).toBe('red')
    })

    it('changes all properties or none, and no protected one', async () => {
      await product().seed({ '/a.txt': 'a' })
      const mixed = await call('PROPPATCH /a.txt', { body: SET('<x:colour>red</x:colour><D:getetag>no</D:getetag>') })
      expect(await mixed.text()).toMatch(/<D:getetag\/>.*403 .*cannot-modify-protected-property.*<colour xmlns="urn:x"\/>.*424 /s)
      const much = `<x:colour>${'r'.repeat(40_000)}</x:colour>`
      expect(await (await call('PROPPATCH /a.txt', { body: SET(`${much}<x:more>${'r'.repeat(40_000)}</x:more>`) })).text()).toContain(
        '507 ',
      )
      expect(await colourAt('/a.txt')).toBeNull()
    })

    it('sends a file in part, and never as something that a browser runs', async () => {
      await product().seed({ '/page.html': '<script>1</script>' })
      const part = await call('GET /page.html', { headers: { range: 'bytes=1-6' } })
      expect([part.status, await part.text()]).toEqual([206, 'script'])
      expect(part.headers.get('content-security-policy')).toStartWith('sandbox')
      expect((await call('HEAD /page.html')).headers.get('content-length')).toBe('18')
    })
  })
})

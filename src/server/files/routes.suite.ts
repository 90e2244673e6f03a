import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { ROWS_MEDIA_TYPE } from '../../shared/contract/resources.ts'
import { parseFilePath, ROOT } from '../../shared/file-path.ts'
import type { Storage } from '../storage/storage.ts'
import { testApp } from './test-app.ts'

let storage: Storage
let app: ReturnType<typeof testApp>
let server: Bun.Server<undefined>

/** The area's calls over HTTP, the same over every storage. */
export function describeFiles(where: string, createStorage: () => Promise<Storage>): void {
  describe(where, () => {
    beforeEach(async () => {
      storage = await createStorage()
      app = testApp({ storage })
      server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.fetch(request, { peer: null }) })
      server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.fetch(request, { peer: null }) })
      await put('/docs/a.txt', 'hello world\n')
    })

    afterEach(() => server.stop(true))

    describe('GET /api/resources', () => {
      it('lists a folder with the requested path', async () => {
        await put('/docs/b.jpg', 'x')
        const [plain, slashed] = await Promise.all([json('/api/resources/docs'), json('/api/resources/docs/')])
        expect(plain).toMatchObject({ path: '/docs', name: 'docs', kind: 'listing', isDir: true, type: '', numFiles: 2, numDirs: 0 })
        expect(plain.items).toMatchObject([
          { path: '/docs/a.txt', type: 'text', size: 12 },
          { path: '/docs/b.jpg', type: 'image' },
        ])
        expect(slashed).toMatchObject({ path: '/docs/', items: [{ path: '/docs/a.txt' }, { path: '/docs/b.jpg' }] })
        expect(await json('/api/resources/')).toMatchObject({ path: '/', name: '', numDirs: 1, items: [{ path: '/docs' }] })
      })

      it('returns a text file with its content, with keys in the predecessor’s order', async () => {
        const file = await json('/api/resources/docs/a.txt')
        expect(Object.keys(file)).toEqual([
          'path',
          'name',
          'size',
          'extension',
          'modified',
          'mode',
          'isDir',
          'isSymlink',
          'type',
          'content',
        ])
        expect(file).toMatchObject({ path: '/docs/a.txt', extension: '.txt', isDir: false, type: 'text', content: 'hello world\n' })
        expect(await json('/api/resources/docs/a.txt/')).toMatchObject({ path: '/docs/a.txt/', name: 'a.txt' })
      })

      it('returns no content without download, and nothing editable without modify (GHSA-67cg-cpj7-qgc9)', async () => {
        const looking = await json('/api/resources/docs/a.txt', { 'x-without': 'download' })
        expect([looking.type, looking.content]).toEqual(['text', undefined])
        expect(await json('/api/resources/docs/a.txt', { 'x-without': 'modify' })).toMatchObject({
          type: 'textImmutable',
          content: 'hello world\n',
        })
      })

      it('does not offer a file for editing if saving would change its bytes', async () => {
        await put('/old.txt', Uint8Array.of(65, 0xe9, 10))
        expect(await json('/api/resources/old.txt')).toMatchObject({ type: 'textImmutable', content: 'A\ufffd\n' })
      })

      it('omits the content of an empty file', async () => {
        await put('/empty.txt', '')
        const file = await json('/api/resources/empty.txt')
        expect([file.type, 'content' in file]).toEqual(['text', false])
      })

      it('detects the type of files with unknown names by content', async () => {
        await put('/x/README', 'hello')
        await put('/x/thing', Uint8Array.of(1, 2, 3, 0))
        expect((await json('/api/resources/x')).items).toMatchObject([{ type: 'text' }, { type: 'blob' }])
        expect(await json('/api/resources/x/thing')).toMatchObject({ type: 'blob' })
      })

      it('lists the subtitles of a video', async () => {
        for (const name of ['film.mkv', 'film.srt', 'film.en.VTT', 'other.srt', 'Subs/any.ass', 'subs2/no.srt', 'Subs/film-extra/deep.srt'])
          await put(`/v/${name}`, 'x')
        expect((await json('/api/resources/v/film.mkv')).subtitles).toEqual([
          '/v/film.en.VTT',
          '/v/film.srt',
          '/v/Subs/any.ass',
          '/v/Subs/film-extra/deep.srt',
        ])
        expect('subtitles' in (await json('/api/resources/docs/a.txt'))).toBe(false)
      })

      it.each(['md5', 'sha1', 'sha256', 'sha512'])('returns the %s of a file instead of its content', async (algorithm) => {
        const file = await json(`/api/resources/docs/a.txt?checksum=${algorithm}`)
        expect(file.checksums).toEqual({ [algorithm]: createHash(algorithm).update('hello world\n').digest('hex') })
        expect('content' in file).toBe(false)
      })

      it('refuses unknown checksums, ignores them for folders, and needs the download right (GHSA-7whw-q6gh-xr59)', async () => {
        expect(await status('/api/resources/docs/a.txt?checksum=crc')).toBe(400)
        expect(await json('/api/resources/docs?checksum=md5')).toMatchObject({ kind: 'listing' })
        expect(await text('/api/resources/docs/a.txt?checksum=md5', { headers: { 'x-without': 'download' } })).toEqual([
          202,
          '202 Accepted\n',
        ])
      })

      it('returns the raw bytes of a text file if X-Encoding is set', async () => {
        const response = await ask('/api/resources/docs/a.txt', { headers: { 'x-encoding': 'true' } })
        expect([response.headers.get('content-type'), await response.text()]).toEqual(['application/octet-stream', 'hello world\n'])
        await put('/p.png', 'x')
        expect(await json('/api/resources/p.png', { 'x-encoding': 'true' })).toMatchObject({ type: 'image' })
        expect(await json('/api/resources/docs/a.txt', { 'x-encoding': 'false' })).toMatchObject({ content: 'hello world\n' })
        expect(await status('/api/resources/docs/a.txt', { headers: { 'x-encoding': 'true', 'x-without': 'download' } })).toBe(202)
      })

      it('returns 404 for a missing file', async () => {
        expect(await text('/api/resources/nope')).toEqual([404, '404 Not Found\n'])
        expect(await status('/api/resources/docs/a.txt/x')).toBe(404)
      })
    })

    describe('a compact listing', () => {
      const rows = { accept: `${ROWS_MEDIA_TYPE}, application/json;q=0.9` }

      it('is sent only to clients that request it', async () => {
        await put('/docs/sub/x', 'x')
        expect(await json('/api/resources/docs', rows)).toMatchObject({
          kind: 'rows',
          path: '/docs',
          names: ['sub', 'a.txt'],
          numDirs: 1,
          numFiles: 1,
        })
        expect(await json('/api/resources/docs', { accept: 'application/json' })).toMatchObject({ kind: 'listing' })
      })

      it('is an ordinary response for a file', async () => {
        expect(await json('/api/resources/docs/a.txt', rows)).toMatchObject({ name: 'a.txt', content: 'hello world\n' })
      })

      it('is compressed for clients on other machines', async () => {
        await Promise.all(Array.from({ length: 200 }, (_, i) => put(`/many/file-${i}`, '')))
        const answer = await app.request('/api/resources/many', { headers: { ...rows, 'accept-encoding': 'gzip' } }, { peer: '10.1.1.1' })
        expect(answer.headers.get('content-encoding')).toBe('gzip')
        expect(JSON.parse(new TextDecoder().decode(gunzipSync(await answer.bytes())))).toMatchObject({ numFiles: 200 })
      })
    })

    describe('GET /api/resources/recursive', () => {
      it('lists everything below as a flat list', async () => {
        await put('/docs/sub/b.txt', 'b')
        const tree: unknown = await json('/api/resources/recursive/docs')
        expect(tree).toMatchObject([
          { path: '/docs/a.txt', isDir: false, size: 12 },
          { path: '/docs/sub', isDir: true },
          { path: '/docs/sub/b.txt', name: 'b.txt', size: 1 },
        ])
        expect(await status('/api/resources/recursive/docs/a.txt')).toBe(400)
        expect(await status('/api/resources/recursive/nope')).toBe(404)
      })

      it('can also be a folder of that name', async () => {
        await put('/recursive/x.txt', 'x')
        expect(await json('/api/resources/%72ecursive')).toMatchObject({ kind: 'listing', path: '/recursive' })
      })
    })

    describe('writing', () => {
      it('uploads a new file with its parents, and returns its ETag', async () => {
        const response = await send('POST', '/api/resources/new/deep/b.txt', 'bytes')
        expect([response.status, await response.text()]).toEqual([200, '200 OK\n'])
        expect(response.headers.get('etag')).toMatch(/^"[a-z0-9]+"$/)
        expect(await read('/new/deep/b.txt')).toBe('bytes')
        const raw = await ask('/api/raw/new/deep/b.txt', {})
        expect(raw.headers.get('etag')).toBe(response.headers.get('etag'))
        const opened = await send('GET', '/api/resources/new/deep/b.txt')
        expect(opened.headers.get('etag')).toBe(response.headers.get('etag'))
      })

      it('does not replace unless override is exactly "true"', async () => {
        expect(await status('/api/resources/docs/a.txt', { method: 'POST', body: 'x' })).toBe(409)
        expect(await status('/api/resources/docs/a.txt?override=1', { method: 'POST', body: 'x' })).toBe(409)
        expect(await read('/docs/a.txt')).toBe('hello world\n')
        expect(await status('/api/resources/docs/a.txt?override=true', { method: 'POST', body: 'x' })).toBe(200)
        expect(await read('/docs/a.txt')).toBe('x')
        expect(await storage.staged()).toEqual([])
      })

      it('does not replace a folder by a file', async () => {
        expect(await status('/api/resources/docs?override=true', { method: 'POST', body: 'x' })).toBe(409)
        expect(await read('/docs/a.txt')).toBe('hello world\n')
      })

      it('creates a folder for a URL with a trailing slash, repeatedly, but not for the root', async () => {
        for (let i = 0; i < 2; i++) expect(await text('/api/resources/one/two/', { method: 'POST' })).toEqual([200, '200 OK\n'])
        expect((await storage.stat(parseFilePath('/one/two')))?.kind).toBe('folder')
        expect(await status('/api/resources/', { method: 'POST' })).toBe(200)
      })

      it('saves over a file', async () => {
        const response = await send('PUT', '/api/resources/docs/a.txt', 'saved')
        expect([response.status, response.headers.get('etag') !== null, await read('/docs/a.txt')]).toEqual([200, true, 'saved'])
        expect(await status('/api/resources/docs/a.txt', { method: 'PUT' })).toBe(200)
        expect(await read('/docs/a.txt')).toBe('')
      })

      it('does not save a folder or a new file', async () => {
        expect(await status('/api/resources/docs/', { method: 'PUT', body: 'x' })).toBe(405)
        expect(await status('/api/resources/docs', { method: 'PUT', body: 'x' })).toBe(405)
        expect(await status('/api/resources/nope.txt', { method: 'PUT', body: 'x' })).toBe(404)
      })

      it('does not overwrite a version that the client has not seen', async () => {
        const first = (await send('PUT', '/api/resources/docs/a.txt', 'one')).headers.get('etag') ?? ''
        expect((await send('PUT', '/api/resources/docs/a.txt', 'second', { 'if-match': first })).status).toBe(200)
        expect((await send('PUT', '/api/resources/docs/a.txt', 'three', { 'if-match': first })).status).toBe(412)
        expect(await read('/docs/a.txt')).toBe('second')
        expect(await storage.staged()).toEqual([])
      })

      it('needs the right for each operation', async () => {
        const without = (method: string, address: string, right: string) =>
          status(address, { method, headers: { 'x-without': right }, body: 'x' })
        expect(await without('POST', '/api/resources/n.txt', 'create')).toBe(403)
        expect(await without('POST', '/api/resources/docs/a.txt?override=true', 'modify')).toBe(403)
        expect(await without('PUT', '/api/resources/docs/a.txt', 'modify')).toBe(403)
        expect(await without('DELETE', '/api/resources/docs/a.txt', 'delete')).toBe(403)
        expect(await without('PATCH', '/api/resources/docs/a.txt?action=rename&destination=/b', 'rename')).toBe(403)
        expect(await without('PATCH', '/api/resources/docs/a.txt?action=copy&destination=/b', 'create')).toBe(403)
      })

      it('removes, but never the root', async () => {
        expect(await text('/api/resources/docs/a.txt', { method: 'DELETE' })).toEqual([200, '200 OK\n'])
        expect(await status('/api/resources/docs/a.txt', { method: 'DELETE' })).toBe(404)
        expect(await status('/api/resources/', { method: 'DELETE' })).toBe(403)
      })
    })

    describe('PATCH /api/resources', () => {
      const patch = (path: string, query: string) => status(`/api/resources${path}?${query}`, { method: 'PATCH' })

      it('moves to a destination that is encoded once or twice', async () => {
        expect(await patch('/docs/a.txt', `action=rename&destination=${encodeURIComponent('/docs/100%25%20b.txt')}`)).toBe(200)
        expect(await read('/docs/100% b.txt')).toBe('hello world\n')
        expect(await patch('/docs/100%25%20b.txt', `action=copy&destination=${encodeURIComponent('/docs/50% c.txt')}`)).toBe(200)
        expect(await read('/docs/50% c.txt')).toBe('hello world\n')
      })

      it('requires an action', async () => {
        expect(await patch('/nope', 'action=zap&destination=/x')).toBe(400)
        expect(await patch('/docs', 'action=copy')).toBe(400)
        expect(await patch('/docs', 'destination=/x')).toBe(400)
      })

      it('refuses the root as source or target, and a folder inside itself', async () => {
        expect(await patch('/', 'action=copy&destination=/x')).toBe(403)
        expect(await patch('/docs', 'action=rename&destination=/')).toBe(403)
        expect(await patch('/docs', 'action=copy&destination=/docs/sub/docs')).toBe(400)
      })

      it('keeps every spelling of a destination inside the tree (GHSA-9f3r-2vgw-m8xp)', async () => {
        for (const dots of ['..', '%2e%2e', '%252e%252e', '.%2e', './..'])
          expect(await patch('/docs/a.txt', `action=copy&destination=/x/${dots}/y`)).toBe(400)
        expect(await patch('/docs/a.txt', 'action=copy&destination=/x%00y')).toBe(400)
      })
    })

    describe('GET /api/raw', () => {
      it('sends as an attachment, or inline with its type', async () => {
        const saved = await ask('/api/raw/docs/a.txt', {})
        expect([saved.headers.get('content-type'), await saved.text()]).toEqual(['application/octet-stream', 'hello world\n'])
        const shown = await ask('/api/raw/docs/a.txt?inline=true', {})
        expect(shown.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      })

      it('supports ranges, HEAD and conditional requests', async () => {
        const part = await send('GET', '/api/raw/docs/a.txt', undefined, { range: 'bytes=0-4' })
        expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, 'hello', 'bytes 0-4/12'])
        const head = await send('HEAD', '/api/raw/docs/a.txt')
        expect([head.status, head.headers.get('content-length')]).toEqual([200, '12'])
        expect((await send('GET', '/api/raw/docs/a.txt', undefined, { 'if-none-match': head.headers.get('etag') ?? '' })).status).toBe(304)
      })

      it('returns 202 without the right, 400 for a folder, 404 for a missing file', async () => {
        expect(await text('/api/raw/docs/a.txt', { headers: { 'x-without': 'download' } })).toEqual([202, '202 Accepted\n'])
        expect([await status('/api/raw/docs'), await status('/api/raw/docs/nope')]).toEqual([200, 404])
      })
    })

    describe('GET /api/subtitle', () => {
      it('returns WebVTT for every subtitle format', async () => {
        await put('/s.srt', '1\n00:00:01,000 --> 00:00:02,000\nHi\n')
        await put('/s.vtt', 'WEBVTT\n\nas is')
        const response = await send('GET', '/api/subtitle/s.srt?inline=true')
        expect([response.headers.get('content-type'), response.headers.get('content-disposition')]).toEqual([
          'text/vtt; charset=utf-8',
          "inline; filename*=utf-8''s.srt",
        ])
        expect(await response.text()).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHi\n')
        const plain = await send('GET', '/api/subtitle/s.vtt')
        expect([plain.headers.get('content-type'), await plain.text()]).toEqual(['text/vtt; charset=utf-8', 'WEBVTT\n\nas is'])
      })

      it('refuses other files, very large ones, and users without the right (GHSA-448h-jr2h-3vhp)', async () => {
        await put('/big.srt', new Uint8Array(5 * 1024 * 1024 + 1))
        expect([
          await status('/api/subtitle/docs/a.txt'),
          await status('/api/subtitle/docs'),
          await status('/api/subtitle/big.srt'),
        ]).toEqual([400, 400, 413])
        expect(await status('/api/subtitle/big.srt', { headers: { 'x-without': 'download' } })).toBe(202)
      })
    })

    it('returns the space of the disk for folders only', async () => {
      const { total } = await storage.space(ROOT)
      expect(await json('/api/usage/docs')).toEqual({ total, used: expect.any(Number) })
      expect(await json('/api/usage/docs/a.txt')).toEqual({ total: 0, used: 0 })
      expect(await status('/api/usage/nope')).toBe(404)
    })

    describe('names that are not UTF-8', () => {
      beforeEach(() => put('/x/\udcffé', 'odd'))

      it('are listed and can be renamed and removed', async () => {
        expect((await json('/api/resources/x')).items).toMatchObject([{ name: '\udcffé' }])
        expect(await status('/api/resources/x/%FF%C3%A9?action=rename&destination=%2Fx%2Fgood', { method: 'PATCH' })).toBe(200)
        await put('/x/\udcfe', 'odd')
        expect(await status('/api/resources/x/%FE', { method: 'DELETE' })).toBe(200)
        expect((await json('/api/resources/x')).items).toMatchObject([{ name: 'good' }])
      })

      it('are refused for all other operations', async () => {
        const at = '/x/%FF%C3%A9'
        expect(await status(`/api/raw${at}`)).toBe(400)
        expect(await status(`/api/resources${at}`, { method: 'PUT', body: 'x' })).toBe(400)
        expect(await status('/api/resources/x/%FE', { method: 'POST', body: 'x' })).toBe(400)
        expect(await status(`/api/resources${at}?action=copy&destination=/y`, { method: 'PATCH' })).toBe(400)
      })
    })
  })
}

async function put(path: string, content: string | Uint8Array): Promise<void> {
  const target = parseFilePath(path)
  let folder = ''
  for (const segment of path.split('/').slice(1, -1)) await storage.makeFolder(parseFilePath((folder += `/${segment}`))).catch(() => {})
  const staged = storage.stage(crypto.randomUUID(), { near: ROOT })
  await staged.append(typeof content === 'string' ? new TextEncoder().encode(content) : content)
  await staged.commit(target, { replace: true })
}

async function read(path: string): Promise<string> {
  await using file = await storage.open(parseFilePath(path))
  return new TextDecoder().decode(await file.peek(0, file.stat.size))
}

/** Through the real server: it opens a file's bytes when the handler has returned, which a bare call of the app does too late. */
function ask(address: string, init?: RequestInit): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}${address}`, init)
}

async function send(method: string, address: string, body?: string, headers?: Record<string, string>): Promise<Response> {
  return ask(address, { method, body, headers })
}

async function text(address: string, init?: RequestInit): Promise<[number, string]> {
  const response = await ask(address, init)
  return [response.status, await response.text()]
}

async function status(address: string, init?: RequestInit): Promise<number> {
  return (await text(address, init))[0]
}

// What comes back is looked at with matchers only.
async function json(address: string, headers?: Record<string, string>): Promise<Record<string, unknown>> {
  const response = await ask(address, { headers })
  expect(response.status).toBe(200)
  return JSON.parse(await response.text())
}

import { describe, expect, it } from 'bun:test'
import { onEachStorage } from './world.ts'

const TEXT = 'abcdefghijklmnopqrstuvwxyz'

onEachStorage((product) => {
  const get = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
    product().ask(`/api/raw${address}`, { method, who: 'ann', headers })
  const part = async (range: string, headers: Record<string, string> = {}) => {
    const response = await get('/a.txt', { range, ...headers })
    return [response.status, response.headers.get('content-range'), await response.text()]
  }

  describe('a file as bytes', () => {
    it('is an attachment by default, with its name and private caching', async () => {
      await product().seed({ '/docs/ä b;c.txt': TEXT })
      const response = await get('/docs/%C3%A4%20b%3Bc.txt')
      const header = (name: string) => response.headers.get(name)
      expect(await response.text()).toBe(TEXT)
      expect(header('content-disposition')).toBe("attachment; filename*=utf-8''%C3%A4%20b%3Bc.txt")
      expect([header('content-type'), header('cache-control'), header('accept-ranges')]).toEqual([
        'application/octet-stream',
        'private',
        'bytes',
      ])
      expect(header('last-modified')).toEndWith('GMT')
      expect(header('etag')).toMatch(/^"[0-9a-f]+"$/)
    })

    it('is shown inline on request, without scripts (I11, GHSA-3vcg-pv95-pq54)', async () => {
      const types = {
        'a.html': 'text/html; charset=utf-8',
        'a.svg': 'image/svg+xml',
        'a.xml': 'text/plain; charset=utf-8',
        'a.js': 'text/plain; charset=utf-8',
        'a.pdf': 'application/pdf',
        'a.exe': 'application/octet-stream',
      }
      for (const [name, type] of Object.entries(types)) {
        await product().seed({ [`/${name}`]: '<script>alert(1)</script>' })
        const response = await get(`/${name}?inline=true`)
        const policy = response.headers.get('content-security-policy') ?? ''
        expect([name, response.headers.get('content-type')]).toEqual([name, type])
        expect(response.headers.get('x-content-type-options')).toBe('nosniff')
        expect(response.headers.get('content-disposition')).toBe(`inline; filename*=utf-8''${name}`)
        expect(policy).toContain("default-src 'none'")
        expect(policy).toContain(name === 'a.pdf' ? "script-src 'none'" : 'sandbox;')
        expect(policy).not.toContain('allow-scripts')
        await response.body?.cancel()
      }
    })

    it('is never served as a service worker (A4-11)', async () => {
      await product().seed({ '/sw.js': 'x' })
      expect((await get('/sw.js?inline=true', { 'service-worker': 'script' })).status).toBe(403)
    })

    it('answers HEAD with its length only', async () => {
      await product().seed({ '/a.txt': TEXT, '/empty': '' })
      const response = await get('/a.txt', {}, 'HEAD')
      expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '26', ''])
      expect((await get('/empty', {}, 'HEAD')).headers.get('content-length')).toBe('0')
      expect((await get('/none', {}, 'HEAD')).status).toBe(404)
    })

    it('is empty for an empty file', async () => {
      await product().seed({ '/empty': '' })
      for (const headers of [undefined, { range: 'bytes=0-' }]) expect(await answer(get('/empty', headers))).toEqual([200, ''])
    })
  })

  describe('a range', () => {
    it('is returned as requested', async () => {
      await product().seed({ '/a.txt': TEXT })
      expect(await part('bytes=0-0')).toEqual([206, 'bytes 0-0/26', 'a'])
      expect(await part('bytes=3-5')).toEqual([206, 'bytes 3-5/26', 'def'])
      expect(await part('bytes=23-')).toEqual([206, 'bytes 23-25/26', 'xyz'])
      expect(await part('bytes=-2')).toEqual([206, 'bytes 24-25/26', 'yz'])
      expect(await part('bytes=20-999')).toEqual([206, 'bytes 20-25/26', 'uvwxyz'])
    })

    it('beyond the end is 416 with the size; an invalid one is ignored', async () => {
      await product().seed({ '/a.txt': TEXT })
      expect(await part('bytes=26-')).toEqual([416, 'bytes */26', '416 Requested Range Not Satisfiable\n'])
      expect(await part('bytes=-0')).toEqual([416, 'bytes */26', '416 Requested Range Not Satisfiable\n'])
      for (const range of ['bytes', 'bytes=', 'bytes=a-b', 'items=0-1', 'bytes=5-3', 'bytes=0x1-2', 'bytes=--1', 'bytes=1-2-3'])
        expect([range, ...(await part(range))]).toEqual([range, 200, null, TEXT])
    })

    it('can be one of several, as multipart', async () => {
      await product().seed({ '/a.txt': TEXT })
      const response = await get('/a.txt', { range: 'bytes=0-1,-2' })
      const type = response.headers.get('content-type') ?? ''
      const boundary = /^multipart\/byteranges; boundary=(.+)$/.exec(type)?.[1] ?? '?'
      const label = 'content-type: application/octet-stream\r\ncontent-range: bytes'
      expect(response.status).toBe(206)
      expect(await response.text()).toBe(
        `--${boundary}\r\n${label} 0-1/26\r\n\r\nab\r\n--${boundary}\r\n${label} 24-25/26\r\n\r\nyz\r\n--${boundary}--\r\n`,
      )
    })

    it('that would cost more than the file returns the file (A4-5)', async () => {
      await product().seed({ '/a.txt': TEXT })
      expect(await part(`bytes=${Array.from({ length: 1000 }, () => '0-').join(',')}`)).toEqual([200, null, TEXT])
      expect(await part('bytes=0-10,5-20')).toEqual([200, null, TEXT])
    })

    it('applies to the requested version only', async () => {
      await product().seed({ '/a.txt': TEXT })
      const etag = (await get('/a.txt', {}, 'HEAD')).headers.get('etag') ?? ''
      expect(await part('bytes=0-1', { 'if-range': etag })).toEqual([206, 'bytes 0-1/26', 'ab'])
      expect(await part('bytes=0-1', { 'if-range': '"other"' })).toEqual([200, null, TEXT])
      expect(await part('bytes=0-1', { 'if-range': `W/${etag}` })).toEqual([200, null, TEXT])
    })
  })

  it('a cached file is not sent again', async () => {
    await product().seed({ '/a.txt': TEXT })
    const { headers } = await get('/a.txt', {}, 'HEAD')
    const etag = headers.get('etag') ?? ''
    expect(await answer(get('/a.txt', { 'if-none-match': etag }))).toEqual([304, ''])
    expect(await answer(get('/a.txt', { 'if-none-match': `W/${etag}, "x"` }))).toEqual([304, ''])
    expect(await answer(get('/a.txt', { 'if-none-match': '*' }))).toEqual([304, ''])
    expect(await answer(get('/a.txt', { 'if-modified-since': headers.get('last-modified') ?? '' }))).toEqual([304, ''])
    expect(await answer(get('/a.txt', { 'if-none-match': '"x"', 'if-modified-since': headers.get('last-modified') ?? '' }))).toEqual([
      200,
      TEXT,
    ])
    expect(await answer(get('/a.txt', { 'if-match': '"x"' }))).toEqual([412, '412 Precondition Failed\n'])
  })

  it('a folder is an archive', async () => {
    await product().seed({ '/docs/a.txt': '' })
    expect((await get('/docs')).headers.get('content-type')).toBe('application/zip')
    expect((await get('/')).headers.get('content-type')).toBe('application/zip')
    expect((await get('/none')).status).toBe(404)
  })

  it('a subtitle is converted to WebVTT', async () => {
    await product().seed({ '/a.srt': '1\r\n00:00:01,000 --> 00:00:02,500\r\nhello<br>you\r\n', '/a.txt': 'x' })
    const response = await product().ask('/api/subtitle/a.srt', { who: 'ann' })
    expect(response.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
    expect(await response.text()).toStartWith('WEBVTT')
    expect((await product().ask('/api/subtitle/a.txt', { who: 'ann' })).status).toBe(400)
  })
})

async function answer(operation: Promise<Response>): Promise<[number, string]> {
  const response = await operation
  return [response.status, await response.text()]
}
